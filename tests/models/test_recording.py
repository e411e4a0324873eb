"""A recorded run replays without its model, and says where it departs."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.errors import Departed, InfrastructureError, LimitReached, UsageError
from ml_agent.limits import Limits
from ml_agent.models.choice import held
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message, Options, Reply, Usage, to_json
from ml_agent.models.recording import Recorder, Replayed, Unused, spent
from ml_agent.models.redaction import redact
from ml_agent.trajectory import ToolCall
from tests.models.parts import HI, READ, RUN, Fixed, model_at, said
from tests.models.server import calls, serving, text

NAME = "openai:gpt-4o"
SECRET = "sk-abcdefghijklmnopqrstuv"


def conversation(model: ChatModel) -> list[Reply]:
    first = model.complete(HI, [RUN])
    second = model.complete([*HI, *first.turn({call.id: "README.md" for call in first.calls})], [RUN], options=Options(seed=1))
    return [first, second]


def recorded(model: ChatModel, *requests: list[Message]) -> list[Mapping[str, Any]]:
    """The exchanges of these requests, as they come back from a file."""
    found: list[Mapping[str, Any]] = []
    recorder = Recorder(model, found.append)
    for messages in requests:
        try:
            recorder.complete(messages)
        except (ContextOverflow, InfrastructureError, LimitReached):
            continue
    again: list[Mapping[str, Any]] = json.loads(json.dumps(found))
    return again


@pytest.fixture
def recording() -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    with serving(calls(("run", '{"command": "ls"}')), text("done")) as server:
        conversation(Recorder(model_at(server.url), found.append))
    again: list[Mapping[str, Any]] = json.loads(json.dumps(found))
    return again


def test_replays_bit_for_bit(recording: list[Mapping[str, Any]]) -> None:
    first, second = (list(map(to_json, conversation(Replayed.whole(recording)))) for _ in range(2))
    assert json.dumps(first) == json.dumps(second) == json.dumps([exchange["reply"] for exchange in recording])
    assert [reply["text"] for reply in first] == ["", "done"]
    assert first[0]["calls"][0]["arguments"] == {"command": "ls"}
    assert spent(recording) == (36, 0.0)


@pytest.mark.parametrize(
    ("messages", "tools", "words"),
    [
        ([Message("user", "ho")], [RUN], "the replay departs at call 1 of the model: message 1 (user) is another; it begins with 'ho'"),
        ([*HI, *HI], [RUN], "1 messages were sent and are now 2"),
        (HI, [RUN, READ], "the tools that are offered are others"),
        (HI, [RUN], "the options of the request are others"),
    ],
)
def test_departs(recording: list[Mapping[str, Any]], messages: list[Message], tools: list[object], words: str) -> None:
    options = Options(seed=9) if "options" in words else Options()
    with pytest.raises(Departed) as caught:
        Replayed.whole(recording).complete(messages, tools, options=options)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_ends(recording: list[Mapping[str, Any]]) -> None:
    model = Replayed.whole(recording)
    assert model.left == 2
    conversation(model)
    assert model.left == 0
    with pytest.raises(Departed, match="departs at call 3 of the model: the recording has 2"):
        model.complete(HI)


def test_behind_the_last_exchange_the_model_itself_is_asked(recording: list[Mapping[str, Any]]) -> None:
    live = Fixed(said("live"))
    model = Replayed(recording, "openai:scripted", live)
    conversation(model)
    assert live.asked == 0
    assert model.complete(HI).text == "live"
    assert model.price == live.price
    model.close()
    assert live.closed


@pytest.mark.parametrize(
    "error", [ContextOverflow("too long"), InfrastructureError("it is dead"), LimitReached("tokens", "the limit of 9 tokens is spent")]
)
def test_what_a_policy_may_go_on_after_is_replayed(error: Exception) -> None:
    model = Replayed.whole(recorded(Fixed(error, said("fine")), [*HI, *HI], HI))
    with pytest.raises(type(error)) as caught:
        model.complete([*HI, *HI])
    assert str(caught.value) == str(error)
    assert getattr(caught.value, "limit", None) == getattr(error, "limit", None)
    assert model.complete(HI).text == "fine"


def test_ids_of_calls_do_not_count() -> None:
    def asked(call_id: str) -> list[Message]:
        return [*HI, Message("assistant", "", (ToolCall(call_id, "run", {}),)), Message("tool", "x", call_id=call_id)]

    assert Replayed.whole(recorded(Fixed(said("fine")), asked("a"))).complete(asked("b")).text == "fine"


def test_no_key_is_written() -> None:
    exchanges = recorded(Fixed(said(SECRET), InfrastructureError(SECRET)), [Message("user", SECRET)], HI)
    assert SECRET not in json.dumps(exchanges)
    assert Replayed.whole(exchanges).complete([Message("user", SECRET)]).text == "[redacted]"


@given(before=st.text(), after=st.text())
def test_a_request_is_the_same_whether_a_key_was_in_it_or_redacted(before: str, after: str) -> None:
    """What a run that is taken up sends stood in a file in between."""
    whole = before + "\n" + SECRET + after
    exchanges = recorded(Fixed(said("fine")), [Message("tool", whole, call_id="1")])
    assert Replayed.whole(exchanges).complete([Message("tool", redact(whole), call_id="2")]).text == "fine"


def test_what_a_cache_gave_was_not_paid_for() -> None:
    exchanges = recorded(Fixed(said("a"), replace(said("b"), cached=True), InfrastructureError("x"), said("c")), HI, HI, HI, HI)
    assert spent(exchanges) == (3000, 0.015)


def test_a_reply_that_nothing_came_of_is_used_and_paid_for_once() -> None:
    exchanges = recorded(Fixed(said("a"), said("b")), HI, [*HI, *HI])
    live, limits = Fixed(said("live")), Limits()
    written: list[Mapping[str, Any]] = []
    model = held(Unused(live, exchanges), limits, written.append)
    assert [model.complete(HI).text, model.complete([*HI, *HI]).text] == ["a", "b"]
    assert live.asked == 0
    assert limits.used("tokens") == 3000
    assert spent(written) == (3000, 0.015)
    assert json.loads(json.dumps(written)) == exchanges
    assert model.complete(HI).text == "live"
    assert limits.used("tokens") == 4500


def test_replies_that_nothing_came_of_are_dropped_when_something_else_is_asked() -> None:
    exchanges = recorded(Fixed(said("a"), said("b")), HI, [*HI, *HI])
    live = Fixed(said("live"), said("live too"))
    model = Unused(live, exchanges)
    assert model.complete([Message("user", "ho")]).text == "live"
    assert model.complete([*HI, *HI]).text == "live too"


def test_an_error_that_ended_a_run_does_not_end_the_next() -> None:
    model = Unused(Fixed(said("live")), recorded(Fixed(InfrastructureError("it is dead")), HI))
    assert model.complete(HI).text == "live"


ASKED = {"digest": "0", "messages": [], "tools": ""}
REPLY = to_json(Reply("x", usage=Usage(1, 1)))


@pytest.mark.parametrize(
    "exchange",
    [
        {},
        {"asked": "x", "reply": REPLY},
        {"asked": {}, "reply": REPLY},
        {"asked": ASKED | {"messages": 3}, "reply": REPLY},
        {"asked": ASKED},
        {"asked": ASKED, "reply": None},
        {"asked": ASKED, "reply": {"text": "x"}},
        {"asked": ASKED, "reply": REPLY | {"calls": [3]}},
        {"asked": ASKED, "reply": REPLY | {"usage": {"input": "many", "output": 1, "estimated": False}}},
        {"asked": ASKED, "raised": "x"},
        {"asked": ASKED, "raised": {"error": "LimitReached"}},
    ],
)
def test_no_exchange(exchange: Mapping[str, Any]) -> None:
    for read in (Replayed.whole, spent, lambda exchanges: Unused(Fixed(), exchanges)):
        with pytest.raises(UsageError, match="the recording of the model is not whole"):
            read([exchange])
