"""Grounded with a model beside it: what the model may decide, and what becomes of it when it fails."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from ml_agent.benchmarks.base import Sample
from ml_agent.errors import InfrastructureError
from ml_agent.limits import Limits
from ml_agent.models.budget import Budgeted
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.recording import Recorder, Replayed
from ml_agent.models.scripted import scripted_model
from ml_agent.policies.grounded import Grounded
from ml_agent.policies.grounded_plus import GroundedPlus
from ml_agent.policies.grounded_plus.policy import GroundedPlusSettings
from ml_agent.replay import rebuild
from ml_agent.tools import default_tools, spec
from ml_agent.trajectory import Trajectory, TrajectoryFile, read_trajectory
from tests.models.parts import Fixed, model_at
from tests.models.server import refused, serving, text
from tests.policies.with_model import SMOKE, answer_of, end_of, run, solved, truth

TASK = "train the MLP on the spirals for 20 epochs"
UNPLACED = "train the MLP on the spirals for 20 epochs with a warm-up of 731 iterations"
"""No option of the program takes the last value."""

REFUSALS = [refused(401, "no"), refused(500, "no"), refused(400, "too long", code="context_length_exceeded")]


def plus(**settings: Any) -> GroundedPlus:
    return GroundedPlus(GroundedPlusSettings(**settings))


def choice(number: int) -> str:
    return json.dumps({"choice": number})


def code(program: str) -> str:
    return json.dumps({"code": program})


def thoughts(trajectory: Trajectory) -> str:
    return "\n".join(step.decision.thought for step in trajectory.steps)


def option(name: str) -> str:
    return json.dumps({"option": name})


def knowing(sample: Sample) -> Callable[[list[BaseMessage]], str]:
    """A model that knows the ground truth: it takes the candidate that is most like it, and the option that has the value there."""
    wanted = set(re.findall(r"[\w./-]+", truth(sample).as_text()))

    def reply(messages: list[BaseMessage]) -> str:
        said = str(messages[-1].content)
        if value := re.search(r"^option: the option that `(.*)` in", said, re.MULTILINE):
            of = re.search(rf"(--?[\w-]+)[ =]'?{re.escape(value[1])}", sample.output)
            return option(of[1] if of else re.findall(r"^- ([^\s:]+)", said, re.MULTILINE)[0])
        if not said.rstrip().endswith("Take 1 unless another one clearly fits better."):
            return code(sample.output)
        shown = re.findall(r'language="(\w+)">\n(.*?)\n</candidate>', said, re.DOTALL)
        best = max(shown, key=lambda one: (one[0] == sample.language, len(wanted & set(re.findall(r"[\w./-]+", one[1])))))
        return choice(shown.index(best) + 1)

    return reply


@pytest.mark.parametrize("sample", SMOKE, ids=lambda sample: sample.key)
def test_the_tasks_of_the_example(sample: Sample) -> None:
    model = scripted_model(*[knowing(sample)] * 10)
    assert solved(sample, run(plus(ask="always", candidates=10), model, sample.instruction))


def test_without_a_doubt_nothing_is_asked() -> None:
    model = scripted_model()
    alone = answer_of(run(Grounded(), None, TASK))
    assert answer_of(run(plus(close=0), model, TASK)) == alone


def test_the_model_chooses_among_those_that_are_close() -> None:
    model = scripted_model(choice(2))
    alone = answer_of(run(Grounded(), None, TASK, attempt=1))
    assert answer_of(run(plus(close=1), model, TASK)) == alone
    asked = str(model.chat.asked[0][-1].content)  # type: ignore[attr-defined]
    assert TASK in asked
    assert asked.count("<candidate number=") == 4
    assert alone.as_text() in asked


def test_attempts_follow_the_choice() -> None:
    first, second, third = (answer_of(run(plus(close=1), scripted_model(choice(3)), TASK, attempt=n)).as_text() for n in range(3))
    alone = [answer_of(run(Grounded(), None, TASK, attempt=n)).as_text() for n in range(3)]
    assert [first, second, third] == [alone[2], alone[0], alone[1]]


def test_what_found_no_place_is_put_in_and_checked() -> None:
    before = answer_of(run(Grounded(), None, UNPLACED)).code
    for put, taken in ((f"{before} --seed 731", True), (f"{before} --warm-up 731", False), (before.replace("20", "731"), False)):
        model = scripted_model(code(put))
        trajectory = run(plus(close=0), model, UNPLACED)
        assert answer_of(trajectory).code == (put if taken else before)
        assert "--epochs" in str(model.chat.asked[0][-1].content)  # type: ignore[attr-defined] # the program's help
    assert "the model's correction drops what was placed" in thoughts(trajectory)


def test_what_verification_refuses_is_not_taken() -> None:
    before = answer_of(run(Grounded(), None, UNPLACED)).code
    trajectory = run(plus(close=0), scripted_model(code(f"{before} --seed 7.5 --hidden 731")), UNPLACED)
    assert answer_of(trajectory).code == before
    assert "(the model's correction does not pass)" in thoughts(trajectory)


def test_options_that_are_made_up_are_not_taken() -> None:
    """Also of a program that may take more than could be read, which verification lets pass."""
    before = answer_of(run(Grounded(), None, UNPLACED)).code
    trajectory = run(plus(close=0), scripted_model(code(f"{before} --warm-up 731")), UNPLACED)
    assert answer_of(trajectory).code == before
    assert "(the model's correction makes up --warm-up)" in thoughts(trajectory)


def test_no_correction_if_none_is_wanted() -> None:
    assert answer_of(run(plus(close=0, correct=False), scripted_model(), UNPLACED)) == answer_of(run(Grounded(), None, UNPLACED))


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ([InfrastructureError("the service is gone")], "the service is gone"),
        ([ContextOverflow("too long")], "too long"),
    ],
)
def test_a_model_that_fails(replies: list[Exception], words: str) -> None:
    trajectory = run(plus(close=1), Fixed(*replies), TASK)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, TASK))
    assert f"(without the model: {words})" in thoughts(trajectory)


@pytest.mark.parametrize(
    "replies",
    [
        ("words", "more words"),
        ('{"choice": 99}', '{"choice": "one"}'),
        ('{"choice": null}', '{"choice": 1.5}'),
        ('{"choice": 1e999}', '{"choice": true}'),
        ('{"number": 1}', "{}"),
        ("", ""),
    ],
)
def test_a_model_that_makes_no_sense(replies: tuple[str, str]) -> None:
    trajectory = run(plus(close=1), scripted_model(*replies), TASK)
    assert "(without the model: " in thoughts(trajectory)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, TASK))
    assert end_of(trajectory).verified


@pytest.mark.parametrize("reply", ['{"text": "x"}', '{"code": null}', '{"code": ["x"]}', '{"code": "```"}', '{"code": " "}'])
def test_a_correction_that_makes_no_sense(reply: str) -> None:
    trajectory = run(plus(close=0), scripted_model(reply, reply), UNPLACED)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, UNPLACED))


@pytest.mark.parametrize(
    "turn",
    [refused(401, "no"), refused(500, "no"), refused(400, "too long", code="context_length_exceeded")],
    ids=["401", "500", "overflow"],
)
def test_a_service_that_refuses(turn: Any) -> None:
    with serving(*[turn] * 5) as server:
        trajectory = run(plus(close=1), model_at(server.url), TASK)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, TASK))
    assert "(without the model: " in thoughts(trajectory)


def test_with_few_tokens_left_it_goes_on_alone() -> None:
    model, limits = scripted_model(), Limits(tokens=150)
    trajectory = run(plus(close=1), Budgeted(model, limits), TASK, limits=limits)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, TASK))
    assert "(without the model: too few tokens are left)" in thoughts(trajectory)


def test_an_attempt_does_not_draw_the_order_anew() -> None:
    models = [scripted_model(choice(2), name="openai:x") for _ in range(2)]
    for attempt, model in enumerate(models):
        run(plus(close=1), model, TASK, attempt=attempt, seed=7)
    assert [model.chat.options[0]["seed"] for model in models] == [7_000, 7_000]  # type: ignore[attr-defined]


@pytest.mark.parametrize("turn", [text(choice(2)), *REFUSALS], ids=["reply", "401", "500", "overflow"])
def test_a_stored_run_is_decided_again(turn: Any, tmp_path: Path) -> None:
    """Its model's failures are in the recording, as its replies are."""
    file, limits = TrajectoryFile(tmp_path / "t.jsonl"), Limits(seconds=50, tokens=5_000)
    with serving(*[turn] * 5) as server:
        model = Recorder(Budgeted(model_at(server.url), limits), file.exchange)
        first = run(plus(close=1), model, TASK, limits=limits, trajectory_file=file)
    stored = read_trajectory(file.path)
    policy, again = plus(close=1), Trajectory(stored.task)
    policy.model = replayed = Replayed.whole([exchange.content for exchange in stored.exchanges])
    policy.start(stored.task, {name: spec(tool) for name, tool in default_tools().items() if name != "run"})
    rebuild(policy, stored, again)
    assert thoughts(again) == thoughts(first)
    assert replayed.left == 0
