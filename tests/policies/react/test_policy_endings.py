"""How a run of `react` ends: within its limits, with what the model has, and again from where it was stopped."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from ml_agent.errors import InfrastructureError
from ml_agent.limits import Limits
from ml_agent.models.load import load_model
from ml_agent.models.messages import ChatModel
from ml_agent.models.recording import Replayed
from ml_agent.models.scripted import scripted_model
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer
from ml_agent.tools import default_tools
from ml_agent.trajectory import INTERRUPTED, End, read_trajectory
from ml_agent.workspace import Workspace
from tests.models.parts import model_at
from tests.models.server import calls, refused, serving, text
from tests.models.test_local import weights
from tests.policies.react.support import PLAN, asked, calls_of, play, said
from tests.test_agent import Doing
from tests.tools.support import BAD, COMMAND, GOOD, SUBMIT, repository

ANSWERED = End("answered", Answer("bash", COMMAND, "examples"), True, "accepted")
UNVERIFIED = Answer("bash", BAD["code"], "examples")
NO_PLAN = {"plan": False}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(repository(tmp_path), Options(sandbox="none")) as made:
        yield made


def greps(number: int) -> list[Any]:
    return [[("grep", {"pattern": f"x{n}"})] for n in range(number)]


def test_near_the_end_the_model_is_told_to_submit(workspace: Workspace) -> None:
    model = scripted_model(*greps(6))
    trajectory = play(workspace, model, limits=Limits(steps=6), options=NO_PLAN)
    assert trajectory.end == End("limit", message="the limit of 6 steps is spent")
    words = [said(model, n) for n in range(6)]
    assert "Call submit now" not in words[1]
    assert words[2].startswith("Only 4 more replies of yours are possible. Call submit now")
    assert words[5].startswith("This is your last reply. Call submit now")


def test_checked_code_is_submitted_in_the_last_step(workspace: Workspace) -> None:
    model = scripted_model([("check_answer", GOOD)], *greps(8))
    trajectory = play(workspace, model, limits=Limits(steps=6), options=NO_PLAN)
    assert trajectory.end == End("answered", Answer("bash", GOOD["code"], "examples"), True, "accepted")
    assert calls_of(trajectory)[4:] == [["grep"], ["submit"]]
    assert trajectory.steps[-1].decision.thought == "The best code so far is submitted: the limits are nearly reached."


def test_code_that_did_not_pass_is_submitted_until_it_is_accepted(workspace: Workspace) -> None:
    model = scripted_model([("check_answer", BAD)], *greps(8))
    trajectory = play(workspace, model, limits=Limits(steps=6), options=NO_PLAN)
    assert trajectory.end is not None
    assert (trajectory.end.outcome, trajectory.end.answer, trajectory.end.verified) == ("answered", UNVERIFIED, False)
    assert calls_of(trajectory)[2:] == [["grep"], ["submit"], ["submit"], ["submit"]]
    assert "rejected" in asked(model)[4][-2].content  # the model sees it, and may do better


def test_its_own_last_submission_comes_before_what_is_known_to_pass(workspace: Workspace) -> None:
    for last, answer in ((GOOD | {"code": COMMAND}, COMMAND), (BAD, GOOD["code"])):
        model = scripted_model([("check_answer", GOOD)], *greps(2), [("submit", last)])
        trajectory = play(workspace, model, limits=Limits(steps=4), options=NO_PLAN)
        assert trajectory.end == End("answered", Answer("bash", answer, "examples"), True, "accepted")


def test_code_that_the_last_reply_would_check_is_submitted(workspace: Workspace) -> None:
    model = scripted_model(*greps(3), [("check_answer", GOOD)])
    trajectory = play(workspace, model, limits=Limits(steps=4), options=NO_PLAN)
    assert trajectory.end is not None
    assert (trajectory.end.answer, trajectory.end.verified) == (Answer("bash", GOOD["code"], "examples"), True)


@pytest.mark.parametrize("reply", ["The answer is: python train.py", "", [("nosuch", {})]])
def test_a_model_that_never_calls_gets_three_chances(workspace: Workspace, reply: Any) -> None:
    model = scripted_model(*[reply] * 9)
    trajectory = play(workspace, model, options=NO_PLAN)
    assert trajectory.end is not None
    assert trajectory.end.outcome == "no_answer"
    assert "3 unusable replies in a row" in trajectory.end.message
    assert len(asked(model)) == 3


def test_a_model_that_gives_up_leaves_what_it_checked(workspace: Workspace) -> None:
    model = scripted_model([("check_answer", GOOD)], [("check_answer", BAD)], *["I do not know."] * 3)
    trajectory = play(workspace, model, options=NO_PLAN)
    assert trajectory.end == End("answered", Answer("bash", GOOD["code"], "examples"), True, "accepted")
    assert "3 unusable replies in a row" in trajectory.steps[-1].decision.thought
    model = scripted_model([("check_answer", BAD)], *["I do not know."] * 3)
    trajectory = play(workspace, model, options=NO_PLAN)
    assert trajectory.end is not None
    assert (trajectory.end.answer, trajectory.end.verified) == (UNVERIFIED, False)
    assert calls_of(trajectory)[1:] == [["submit"]] * 3  # it is not asked any more


def test_a_model_in_a_circle_is_stopped(workspace: Workspace) -> None:
    again = [("grep", {"pattern": "nothing"})]
    trajectory = play(workspace, scripted_model(*[again] * 9), options=NO_PLAN)
    assert trajectory.end == End(
        "no_answer", message="the model goes round in a circle: 6 calls of grep with the same arguments and result"
    )
    two = [again, [("grep", {"pattern": "lr"})]]
    trajectory = play(workspace, scripted_model(*two * 9), options=NO_PLAN)
    assert trajectory.end is not None
    assert (trajectory.end.outcome, len(trajectory.steps)) == ("no_answer", 11)
    trajectory = play(workspace, scripted_model([("check_answer", GOOD)], *[again] * 9), options=NO_PLAN)
    assert trajectory.end is not None
    assert trajectory.end.verified


def test_seconds_bound_it(workspace: Workspace) -> None:
    """What is left would not do for another reply: what is there is submitted in time."""

    def slow(messages: list[BaseMessage]) -> Any:
        time.sleep(0.5)
        return [("check_answer", GOOD)] if len(messages) < 3 else [("grep", {"pattern": f"x{len(messages)}"})]

    play(workspace, scripted_model([SUBMIT]), options=NO_PLAN)  # langchain is imported
    model = scripted_model(*[slow] * 20)
    trajectory = play(workspace, model, limits=Limits(seconds=2.8), options=NO_PLAN)
    assert trajectory.end is not None
    assert trajectory.end.outcome == "answered"
    assert 2 <= len(asked(model)) <= 5
    assert "more replies of yours are possible" in said(model, -1) or "your last reply" in said(model, -1)


def test_tokens_bound_it(workspace: Workspace) -> None:
    model = scripted_model([("check_answer", GOOD)], *greps(20))  # 110 tokens each
    trajectory = play(workspace, model, limits=Limits(tokens=800), options=NO_PLAN)
    assert trajectory.end is not None
    assert trajectory.end.outcome == "answered"
    assert len(asked(model)) == 7
    trajectory = play(workspace, scripted_model(*greps(20)), limits=Limits(tokens=800), options=NO_PLAN)
    assert trajectory.end == End("limit", message="the limit of 800 tokens is spent")


def test_a_dead_service_ends_it_as_infrastructure(workspace: Workspace) -> None:
    def dead(messages: list[BaseMessage]) -> str:
        raise InfrastructureError("the service is gone")

    trajectory = play(workspace, scripted_model([("check_answer", GOOD)], dead), options=NO_PLAN)
    assert trajectory.end == End("infrastructure", message="scripted:test: the service is gone")


def test_a_conversation_that_is_too_long_is_condensed(workspace: Workspace) -> None:
    too_long = refused(400, "Please reduce the length of the messages.", code="context_length_exceeded")
    read = calls(("read_file", '{"path": "examples/train.py"}'), ("read_readme", "{}"))
    submit = calls(("submit", '{"language": "bash", "code": "python train.py --lr 0.01 --out m.txt", "workdir": "examples"}'))
    with serving(text(PLAN), read, too_long, too_long, submit) as server:
        assert play(workspace, model_at(server.url)).end == ANSWERED
        requests = server.requests
    assert [len(str(request["messages"])) for request in requests[2:]] == sorted(
        (len(str(r["messages"])) for r in requests[2:]), reverse=True
    )
    for request in requests[2:]:
        made = [call["id"] for message in request["messages"] for call in message.get("tool_calls", ())]
        assert made == [message["tool_call_id"] for message in request["messages"] if message["role"] == "tool"] == ["call_0", "call_1"]
    assert "train it" in str(requests[-1]["messages"][1])
    assert "were left out here to make room" in str(requests[-1]["messages"])


def test_a_conversation_that_stays_too_long_is_no_answer(workspace: Workspace) -> None:
    too_long = refused(400, "Please reduce the length of the messages.", code="context_length_exceeded")
    with serving(*[too_long] * 9) as server:  # the plan too: it is done without
        trajectory = play(workspace, model_at(server.url))
        assert len(server.requests) == 5
    assert trajectory.end is not None
    assert trajectory.end.outcome == "no_answer"
    assert "offer fewer tools, or take another model" in trajectory.end.message
    check = calls(("check_answer", '{"language": "bash", "code": "python train.py --lr 0.01 --out m.txt", "workdir": "examples"}'))
    with serving(check, *[too_long] * 4) as server:
        assert play(workspace, model_at(server.url), options=NO_PLAN).end == ANSWERED


def test_calls_of_a_service(workspace: Workspace) -> None:
    """Two at once, one that is not there, and arguments that are no JSON."""
    good, submit = '{"pattern": "lr"}', '{"language": "bash", "code": "python train.py --lr 0.01 --out m.txt", "workdir": "examples"}'
    with serving(
        text(PLAN),
        calls(("grep", good), ("nosuch", "{}")),
        calls(("grep", '{"pattern"')),
        calls(("grep", "[1]")),
        calls(("submit", submit)),
    ) as server:
        trajectory = play(workspace, model_at(server.url))
        requests = server.requests
    assert trajectory.end == ANSWERED
    assert calls_of(trajectory) == [["grep"], ["submit"]]
    answers = [message["content"] for message in requests[-1]["messages"] if message["role"] == "tool"]
    assert "--lr" in answers[0]
    assert answers[1].startswith("There is no tool 'nosuch'")
    assert answers[2].startswith("The arguments of grep are not a JSON object")


def test_it_replays_and_goes_on_from_where_it_was_stopped(workspace: Workspace, tmp_path: Path) -> None:
    """Stopped between two calls: the one without a result is told so, and every call has its reply."""
    happened: list[str] = []

    def once() -> None:
        happened.append("called")
        if len(happened) == 1:
            raise KeyboardInterrupt

    tools = default_tools() | {"do": Doing(once)}
    model = scripted_model(PLAN, "Hm.", [("read_readme", {}), ("do", {}), ("grep", {"pattern": "lr"})])
    stopped = play(workspace, model, tools=tools, path=tmp_path / "a")
    assert stopped.end == End("cancelled", message="stopped from outside")
    stored = read_trajectory(tmp_path / "a")
    assert stored.steps[0].observations[1:] == (INTERRUPTED, INTERRUPTED)

    live = scripted_model([SUBMIT])

    def replayed(model: ChatModel) -> ChatModel:
        return Replayed([exchange.content for exchange in stored.exchanges], "scripted:test", model)

    trajectory = play(workspace, live, tools=tools, before=stored, wrap=replayed, path=tmp_path / "b")
    assert trajectory.end == ANSWERED
    assert happened == ["called"]  # never again by itself
    told = [m for m in asked(live)[0] if m.type == "tool"]
    assert told[0].content.startswith("## Lines")
    assert [m.content for m in told[1:]] == ["Interrupted: the run ended before this call had a result"] * 2
    whole = read_trajectory(tmp_path / "b")

    def recorded(model: ChatModel) -> ChatModel:
        return Replayed.whole([exchange.content for exchange in whole.exchanges])

    assert play(workspace, scripted_model(), tools=tools, before=whole, wrap=recorded).end == ANSWERED


@pytest.mark.model
@pytest.mark.timeout(120)
def test_a_real_model_comes_to_an_end(workspace: Workspace, tmp_path: Path) -> None:
    """The smallest there is: it solves nothing, and is heard out."""
    model = load_model(f"gguf:{weights()}", context=2_048)
    options = {"tools": "read_file", "max-tokens": "24", "temperature": "0"}
    try:
        trajectory = play(workspace, model, limits=Limits(steps=6, seconds=90), options=options, path=tmp_path / "t")
    finally:
        model.close()
    assert trajectory.end is not None
    assert trajectory.end.outcome in ("answered", "no_answer", "limit")
    contents = [exchange.content for exchange in read_trajectory(tmp_path / "t").exchanges]
    replies = [content["reply"] for content in contents if "reply" in content]  # on a busy machine the limit comes in between
    assert replies
    assert all(0 < reply["usage"]["input"] <= 2_048 and not reply["usage"]["estimated"] for reply in replies)
