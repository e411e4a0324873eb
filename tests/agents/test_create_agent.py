"""langchain's loop is held to the same rules as ours."""

import importlib
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from ml_agent.agents import AgentChoice
from ml_agent.benchmarks.base import Attempt, Sample
from ml_agent.benchmarks.scorers import load_scorer
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import NAME, REPOSITORY
from ml_agent.errors import Cancelled, InfrastructureError, LimitReached, UsageError
from ml_agent.limits import Limits
from ml_agent.models.choice import held
from ml_agent.models.messages import ChatModel
from ml_agent.models.scripted import scripted_model
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer, Task
from ml_agent.tools import default_tools
from ml_agent.tools.base import Tool
from ml_agent.trajectory import INTERRUPTED, End, Trajectory, TrajectoryFile, read_trajectory
from ml_agent.workspace import Workspace
from tests.models.server import serving, text
from tests.test_agent import Doing, raiser
from tests.tools.support import COMMAND, SUBMIT, repository

ANSWERED = End("answered", Answer("bash", COMMAND, "examples"), True, "accepted")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(repository(tmp_path), Options(sandbox="none")) as made:
        yield made


def play(
    workspace: Workspace,
    model: ChatModel,
    *,
    limits: Limits | None = None,
    tools: Mapping[str, Tool[Any]] | None = None,
    path: Path | None = None,
    instruction: str = "train it",
    events: list[Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Trajectory:
    """A run as `solve` makes it: the model held to the limits and recorded."""
    limits = limits or Limits()
    file = TrajectoryFile(path) if path else None
    model = held(model, limits, file.exchange if file else lambda exchange: None)
    on_event = None if events is None else events.append
    agent = AgentChoice("create-agent", options).make(model=model, trajectory_file=file, attempt=1, seed=2, on_event=on_event)
    return agent.run(Task(instruction, workspace.repository), workspace, tools or default_tools(), limits)


def asked(model: ChatModel) -> list[Any]:
    requests: list[Any] = model.chat.asked  # type: ignore[attr-defined]
    return requests


@pytest.mark.parametrize("sample", load_suite("smoke").samples, ids=lambda sample: sample.key)
def test_it_solves_the_example(sample: Sample, tmp_path: Path) -> None:
    submit = {"language": sample.language, "code": sample.output, "workdir": sample.workdir}
    model = scripted_model(
        [("read_readme", {}), ("entry_points", {"query": sample.instruction})], [("check_answer", submit)], [("submit", submit)]
    )
    with Workspace(REPOSITORY, Options(sandbox="none")) as workspace:
        trajectory = play(workspace, model, path=tmp_path / "t", instruction=sample.instruction)
    assert trajectory.end == End("answered", Answer(sample.language, sample.output, sample.workdir), True, "accepted")
    attempt = Attempt(sample.key, 0, "answered", trajectory.end.answer)
    assert load_scorer("static", {NAME: REPOSITORY}).score(sample, attempt).passed
    assert sample.instruction in asked(model)[0][1].content


def test_the_file_holds_all_of_it(workspace: Workspace, tmp_path: Path) -> None:
    events: list[Any] = []
    calls = [("grep", {"pattern": "lr"}), ("read_readme", {}), ("grep", {"pattern": "epochs"})]
    model = scripted_model(
        calls, [("grep", {"pattern": 3, "in": "x"})], "I think so.", [("nosuch", {})], [SUBMIT, ("grep", {"pattern": "x"})]
    )
    trajectory = play(workspace, model, path=tmp_path / "t", events=events)
    assert trajectory.end == ANSWERED
    stored = read_trajectory(tmp_path / "t")
    assert (stored.steps, stored.end, stored.policy) == (trajectory.steps, ANSWERED, "create-agent")
    assert [exchange.step for exchange in stored.exchanges] == [0, 1, 2, 3, 4]
    assert (stored.settings["attempt"], stored.settings["seed"], stored.settings["limits"]["steps"]) == (1, 2, 50)
    made = [[(call.id, call.tool) for call in step.decision.calls] for step in stored.steps]
    assert made[0] == [("call-0-0", "grep"), ("call-0-1", "read_readme"), ("call-0-2", "grep")]  # in their order
    assert made[1:] == [[("call-1-0", "grep")], [], [], [("call-4-0", "submit"), ("call-4-1", "grep")]]
    assert [len(step.observations) for step in stored.steps] == [3, 1, 0, 0, 2]
    assert "--lr" in stored.steps[0].observations[0].text
    assert stored.steps[0].observations[1].text.startswith("## Lines")
    assert stored.steps[1].observations[0].error == "ArgumentError"
    assert stored.steps[2].decision.thought == "I think so."
    assert stored.steps[4].observations[1] == INTERRUPTED  # behind an accepted answer nothing is called
    assert [step.remaining.steps for step in stored.steps if step.remaining] == [49, 48, 47, 46, 45]
    assert [type(event).__name__ for event in events] == [
        *("Decision", "Result", "Result", "Result", "Decision", "Result", "Decision", "Decision", "Decision", "Result", "End")
    ]


def test_what_the_model_did_wrong_is_told_to_it(workspace: Workspace) -> None:
    odd = AIMessage(
        content="",
        tool_calls=[{"type": "tool_call", "id": "good", "name": "grep", "args": {"pattern": "epochs"}}],
        invalid_tool_calls=[{"type": "invalid_tool_call", "id": "bad", "name": "grep", "args": '{"pattern": ', "error": None}],
    )
    model = scripted_model("I am done.", [("nosuch", {})], odd, [SUBMIT])
    assert play(workspace, model).end == ANSWERED
    requests = asked(model)
    assert isinstance(requests[1][-1], HumanMessage)
    assert requests[1][-1].text.startswith("Text alone does nothing here. Call a tool: check_answer, ")
    assert requests[1][-1].text.endswith("call submit with it.")
    assert isinstance(requests[2][-1], ToolMessage)
    assert requests[2][-1].text.startswith("There is no tool 'nosuch'; there are: check_answer")
    answers = {message.tool_call_id: message.content for message in requests[3][-2:]}
    assert answers["bad"] == 'The arguments of grep are not a JSON object: {"pattern": '
    assert "train.py" in answers["good"]
    calls = [str(call["id"]) for message in requests[3] if isinstance(message, AIMessage) for call in message.tool_calls]
    assert sorted(calls) == sorted(message.tool_call_id for message in requests[3] if isinstance(message, ToolMessage))


@pytest.mark.parametrize("reply", ["The answer is: python train.py", "", [("nosuch", {})]])
def test_a_model_that_never_calls_gets_three_chances(workspace: Workspace, tmp_path: Path, reply: Any) -> None:
    trajectory = play(workspace, scripted_model(*[reply] * 9), path=tmp_path / "t")
    assert trajectory.end is not None
    assert trajectory.end.outcome == "no_answer"
    assert "3 unusable replies in a row" in trajectory.end.message
    assert len(trajectory.steps) == 3
    assert read_trajectory(tmp_path / "t").end == trajectory.end


def test_steps_bound_a_model_that_goes_on_for_ever(workspace: Workspace) -> None:
    model = scripted_model(*[[("grep", {"pattern": "x"})], "hm"] * 9)
    trajectory = play(workspace, model, limits=Limits(steps=7))
    assert trajectory.end == End("limit", message="the limit of 7 steps is spent")
    assert (len(trajectory.steps), len(asked(model))) == (7, 7)


def test_the_last_step_may_still_answer(workspace: Workspace) -> None:
    assert play(workspace, scripted_model([("read_readme", {})], [SUBMIT]), limits=Limits(steps=2)).end == ANSWERED


def test_tokens_bound_it(workspace: Workspace) -> None:
    trajectory = play(workspace, scripted_model(*[[("grep", {"pattern": "x"})]] * 9), limits=Limits(tokens=250))
    assert trajectory.end == End("limit", message="the limit of 250 tokens is spent")
    assert len(trajectory.steps) == 3  # 110 tokens each
    assert trajectory.steps[2].observations == (INTERRUPTED,)


def test_the_clock_bounds_it_between_two_calls(workspace: Workspace) -> None:
    play(workspace, scripted_model([SUBMIT]))  # langchain is imported
    tools = {"do": Doing(lambda: time.sleep(0.1))}
    trajectory = play(workspace, scripted_model([("do", {})] * 16), tools=tools, limits=Limits(seconds=0.5))
    assert trajectory.end == End("limit", message="the limit of 0.5 seconds is spent")
    assert 10 <= trajectory.steps[0].observations.count(INTERRUPTED) < 16


def test_no_limit_of_langgraphs_ends_a_run(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = importlib.import_module("langchain.agents")
    create = theirs.create_agent
    monkeypatch.setattr(theirs, "create_agent", lambda *a, **k: create(*a, **k).with_config({"recursion_limit": 4}))
    assert play(workspace, scripted_model(*[[("grep", {"pattern": "x"})]] * 8, [SUBMIT])).end == ANSWERED


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (InfrastructureError("the container is gone"), End("infrastructure", message="the container is gone")),
        (LimitReached("tokens", "no more tokens"), End("limit", message="no more tokens")),
        (Cancelled("SIGTERM"), End("cancelled", message="SIGTERM")),
        (KeyboardInterrupt(), End("cancelled", message="stopped from outside")),
    ],
)
@pytest.mark.parametrize("place", ["tool", "model"])
def test_what_ends_a_run_comes_through_as_what_it_is(
    workspace: Workspace, tmp_path: Path, error: BaseException, end: End, place: str
) -> None:
    calls: list[Any] = [("read_readme", {}), ("do", {}), ("read_readme", {})]
    model = scripted_model(calls, [SUBMIT])
    tools = default_tools() | {"do": Doing(raiser(error) if place == "tool" else lambda: None)}
    if place == "model":
        ask = model.complete
        model.complete = lambda *a, **k: raiser(error)() if asked(model) else ask(*a, **k)  # type: ignore[method-assign, assignment]
    trajectory = play(workspace, model, tools=tools, path=tmp_path / "t")
    assert trajectory.end == end
    assert [call.id for call in trajectory.steps[0].decision.calls] == ["call-0-0", "call-0-1", "call-0-2"]
    seen = trajectory.steps[0].observations
    assert seen[0].text.startswith("## Lines")
    assert (seen[1:] == (INTERRUPTED, INTERRUPTED)) == (place == "tool")
    assert read_trajectory(tmp_path / "t").steps == trajectory.steps


def test_any_other_error_is_written_down_and_raised(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        play(workspace, scripted_model([("do", {})]), tools={"do": Doing(raiser(ZeroDivisionError("a bug")))}, path=tmp_path / "t")
    assert read_trajectory(tmp_path / "t").end == End("no_answer", message="ZeroDivisionError: a bug")


def test_a_conversation_that_is_too_long_ends_it(workspace: Workspace, tmp_path: Path) -> None:
    def full(messages: list[BaseMessage]) -> str:
        raise ContextOverflowError("9000 tokens")

    trajectory = play(workspace, scripted_model([("read_readme", {})], full), path=tmp_path / "t")
    assert trajectory.end is not None
    assert trajectory.end.outcome == "no_answer"
    assert "9000 tokens; create-agent condenses nothing" in trajectory.end.message
    assert read_trajectory(tmp_path / "t").end == trajectory.end


def test_nothing_is_traced(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    forget: Any = importlib.import_module("langsmith.utils").get_env_var.cache_clear
    with serving(*[text("taken")] * 50) as elsewhere:
        for name, value in {"TRACING": "true", "API_KEY": "lsv2_test", "ENDPOINT": elsewhere.url}.items():
            monkeypatch.setenv(f"LANGSMITH_{name}", value)
        forget()
        play(workspace, scripted_model([("read_readme", {})], [SUBMIT]))
        time.sleep(1)
        monkeypatch.undo()
        forget()
        assert elsewhere.paths == []


def test_settings(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "prompts" / "create_agent").mkdir(parents=True)
    (tmp_path / "prompts" / "create_agent" / "task.md.j2").write_text("Do: {{ task }}")
    model = scripted_model([SUBMIT])
    options = {"prompts": str(tmp_path / "prompts"), "temperature": "0.5", "max-tokens": "99"}
    play(workspace, model, options=options, instruction="train {{ it }}")
    assert asked(model)[0][1].content == "Do: train {{ it }}"
    assert model.chat.options == [{"temperature": 0.5, "max_tokens": 99}]  # type: ignore[attr-defined]
    assert model.chat.offered == [list(default_tools())]  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="has no option 'depth'"):
        AgentChoice("create-agent", {"depth": 3})
    with pytest.raises(UsageError, match="needs a chat model"):
        AgentChoice("create-agent").make()


def test_the_header_is_there_before_the_model_is_asked(workspace: Workspace, tmp_path: Path) -> None:
    play(workspace, scripted_model([SUBMIT]), path=tmp_path / "t")
    kinds = [json.loads(line)["event"] for line in (tmp_path / "t").read_text().splitlines()]
    assert kinds == ["header", "exchange", "decision", "observation", "end"]
