"""A run is rebuilt from its observations and the recorded replies, at any step; what was interrupted is called again."""

import json
from pathlib import Path
from typing import Any

import pytest

from ml_agent.agent import PlannerLoop
from ml_agent.errors import Departed, LimitReached
from ml_agent.limits import Limits
from ml_agent.models.choice import held
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel
from ml_agent.models.recording import Replayed
from ml_agent.models.scripted import scripted_model
from ml_agent.models.tokens import count_request
from ml_agent.replay import rebuild
from ml_agent.sandbox.options import Options
from ml_agent.task import Task
from ml_agent.tools import default_tools, spec
from ml_agent.trajectory import INTERRUPTED, Exchange, Step, Trajectory, TrajectoryFile, read_trajectory
from ml_agent.workspace import Workspace
from tests.models.parts import Fixed, said
from tests.policies.ml_agent.support import (
    CODE,
    NO,
    TASK,
    WRONG,
    calls,
    code,
    file,
    final,
    parameters,
    policy,
    ranked,
    refined,
)
from tests.policies.with_model import answer_of, end_of, run

LONG = [
    ranked("README.md", "examples/README.md"), NO, "Hm.", file("nowhere.py"), file("examples/train.py"), parameters(), final(text=WRONG),
    refined(),
]  # fmt: skip


def recorded(root: Path, folder: Path, *replies: Any, **settings: Any) -> Trajectory:
    """A run with these replies, as it is stored."""
    path, limits = folder / "run.jsonl", Limits(seconds=50)
    writer, made = TrajectoryFile(path), policy(**settings)
    made.model = held(scripted_model(*replies), limits, writer.exchange)
    tools = {name: tool for name, tool in default_tools().items() if name != "run"}
    with Workspace(root, Options("none")) as workspace:
        PlannerLoop(made, trajectory_file=writer).run(Task(TASK, root), workspace, tools, limits)
    return read_trajectory(path)


def replayed(stored: Trajectory, steps: list[Step], exchanges: list[Exchange], live: ChatModel | None = None) -> tuple[Any, Trajectory]:
    """A new policy that decided these steps again, and how far it is."""
    made, again = policy(), Trajectory(stored.task, policy=stored.policy)
    contents = [exchange.content for exchange in exchanges]
    name = contents[0]["asked"]["model"] if contents else "scripted:test"
    made.model = Replayed(contents, str(name), live)
    made.start(stored.task, {name: spec(tool) for name, tool in default_tools().items() if name != "run"})
    rebuild(made, Trajectory(stored.task, steps=steps), again)
    return made, again


def test_it_replays_bit_for_bit(root: Path, tmp_path: Path) -> None:
    stored = recorded(root, tmp_path, *LONG)
    assert answer_of(stored).code == CODE
    assert len(stored.exchanges) == len(LONG)
    made, again = replayed(stored, stored.steps, stored.exchanges)
    assert again.steps == stored.steps
    assert made.model.left == 0


@pytest.mark.parametrize("cut", range(1, 8))
def test_it_is_rebuilt_at_any_step(root: Path, tmp_path: Path, cut: int) -> None:
    """The rest of the replies come from the live model."""
    stored = recorded(root, tmp_path, *LONG)
    assert len(stored.steps) == 6
    steps = stored.steps[: min(cut, len(stored.steps) - 1)]
    done = [exchange for exchange in stored.exchanges if exchange.step < len(steps)]
    made, again = replayed(stored, steps, done, scripted_model(*LONG[len(done) :]))
    rest = stored.steps[len(steps) :]
    assert rest
    for step in rest:
        decision = made.decide(again, step.remaining or Limits().remaining())
        assert decision == step.decision
        again.steps.append(step)


def test_another_reply_departs(root: Path, tmp_path: Path) -> None:
    stored = recorded(root, tmp_path, *LONG)
    other = json.loads(json.dumps(stored.exchanges[1].content))
    other["reply"]["data"] = json.loads(code())
    exchanges = [stored.exchanges[0], Exchange(stored.exchanges[1].step, other), *stored.exchanges[2:]]
    with pytest.raises(Departed, match="step 3"):
        replayed(stored, stored.steps, exchanges)


@pytest.mark.parametrize("number", range(4))
def test_what_was_interrupted_is_called_again(root: Path, tmp_path: Path, number: int) -> None:
    """Listing, reading a README, reading a file, handing in."""
    replies = [ranked("README.md"), file("examples/train.py"), parameters(), final()]
    stored = recorded(root, tmp_path, *replies)
    assert [tool for tool, _ in calls(stored)] == ["file_tree", "read_file", "read_file", "submit"]
    broken = stored.steps[number]
    steps = [*stored.steps[:number], Step(broken.decision, (INTERRUPTED,), broken.remaining)]
    done = [exchange for exchange in stored.exchanges if exchange.step <= number]
    made, again = replayed(stored, steps, done, scripted_model(*replies[len(done) :]))
    decision = made.decide(again, Limits().remaining())
    assert [(call.tool, call.arguments) for call in decision.calls] == [(c.tool, c.arguments) for c in broken.decision.calls]


def test_a_limit_ends_it_as_a_limit(root: Path) -> None:
    model = Fixed(LimitReached("tokens", "the limit of 5 tokens is spent"))
    assert (end_of(run(policy(), model, TASK, root)).outcome, model.asked) == ("limit", 1)


class Counting(Fixed):
    """Counts as the replay does."""

    name = "scripted:test"

    def count(self, messages: Any, tools: Any = ()) -> int:
        return count_request(messages, tools, self.name)


def test_an_overflow_is_replayed(root: Path, tmp_path: Path) -> None:
    """The question that was too long is asked again, shorter, in the replay too."""
    path, limits, made = tmp_path / "run.jsonl", Limits(seconds=50), policy()
    writer, replies = TrajectoryFile(path), [said(text, data=json.loads(text)) for text in (ranked("README.md"), code())]
    made.model = held(Counting(ContextOverflow("too long"), *replies, priced=False), limits, writer.exchange)
    tools = {name: tool for name, tool in default_tools().items() if name != "run"}
    with Workspace(root, Options("none")) as workspace:
        PlannerLoop(made, trajectory_file=writer).run(Task(TASK, root), workspace, tools, limits)
    stored = read_trajectory(path)
    assert [("raised" in e.content) for e in stored.exchanges] == [True, False, False]
    assert answer_of(stored).code == CODE
    assert replayed(stored, stored.steps, stored.exchanges)[1].steps == stored.steps
