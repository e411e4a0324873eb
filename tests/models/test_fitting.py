"""A request fits the model: by its size, by what the service counts, and by what it refuses."""

from dataclasses import replace

import pytest

from ml_agent.errors import NoAnswer
from ml_agent.models.conversation import Conversation
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.fitting import CONTEXT, Fitted
from ml_agent.models.messages import Message, Options, Reply, Usage
from ml_agent.models.scripted import scripted_model
from ml_agent.trajectory import ToolCall
from tests.models.parts import READ, RUN, model_at
from tests.models.server import calls, refused, serving, text

LONG = "a line of the file\n" * 600


def talk(model: object, turns: int = 4) -> Conversation:
    conversation = Conversation([Message("system", "Look."), Message("user", "train it")], model.count)  # type: ignore[attr-defined]
    for number in range(turns):
        call = ToolCall(f"c{number}", "read_file", {"path": f"{number}.py"})
        conversation.add(Reply("", (call,)).turn({call.id: LONG}))
    return conversation


def fitted(model: object, **options: int) -> Fitted:
    return Fitted(model, [RUN, READ], Options(**options))  # type: ignore[arg-type]


def test_the_room_is_what_the_model_holds_without_tools_and_reply() -> None:
    tools = scripted_model().count([], [RUN, READ])
    assert fitted(scripted_model(context=40_000)).room == 40_000 - 4_000 - tools
    assert fitted(scripted_model(context=8_000)).room == 8_000 - 2_000 - tools
    assert fitted(scripted_model(context=8_000), max_tokens=500).room == 8_000 - 500 - tools
    assert fitted(scripted_model(context=8_000), max_tokens=7_000).room == 8_000 - 2_000 - tools
    assert fitted(scripted_model()).room == CONTEXT - 4_000 - tools


def test_what_the_service_counts_corrects_ours() -> None:
    model = scripted_model("one", "two", "three", context=20_000)
    asked = fitted(model)
    room = asked.room
    conversation = talk(model)
    counted = conversation.tokens + model.count([], [RUN, READ])
    for reply, factor in ((Usage(2 * counted, 1), 2.0), (Usage(counted // 2, 1), 2.0), (Usage(100 * counted, 1), 4.0)):
        asked._learn(Reply(usage=reply), counted)
        assert asked.room == pytest.approx(room / factor, rel=0.1)
    other = fitted(model)
    other._learn(Reply(usage=Usage(3 * counted, 1, estimated=True)), counted)  # that is ours
    other._learn(replace(Reply(usage=Usage(3 * counted, 1)), requests=2), counted)  # of two requests
    assert other.room == room


def test_a_request_that_is_refused_as_too_long_is_asked_again_with_half() -> None:
    too_long = refused(400, "Please reduce the length.", code="context_length_exceeded")
    with serving(too_long, too_long, calls(("run", "{}")), text("more")) as server:
        model = model_at(server.url)
        asked, conversation = fitted(model), talk(model)
        before = conversation.tokens
        assert asked.ask(conversation).calls[0].tool == "run"
        assert conversation.tokens <= before // 4
        asked.ask(conversation)
        lengths = [len(str(request["messages"])) for request in server.requests]
    assert lengths[0] > 1.8 * lengths[1] > 1.8 * 1.8 * lengths[2]
    assert lengths[3] == lengths[2]  # it is remembered
    for request in server.requests:
        made = [call["id"] for message in request["messages"] for call in message.get("tool_calls", ())]
        assert made == [message["tool_call_id"] for message in request["messages"] if message["role"] == "tool"]


def test_it_gives_up_after_three() -> None:
    too_long = refused(400, "Please reduce the length.", code="context_length_exceeded")
    with serving(*[too_long] * 9) as server:
        model = model_at(server.url)
        with pytest.raises(NoAnswer, match=r"cannot hold what is left.*\d+ more for the tools\): offer fewer tools, or take another model"):
            fitted(model).ask(talk(model))
        assert len(server.requests) == 4


def test_it_never_asks_with_more_than_the_room() -> None:
    model = scripted_model(*["hm"] * 30, context=6_000)
    asked, conversation = fitted(model), Conversation([Message("system", "Look."), Message("user", "train it")], model.count)
    for number in range(30):
        asked.ask(conversation)
        assert conversation.tokens <= asked.room
        call = ToolCall(f"c{number}", "read_file", {"path": f"{number}.py"})
        conversation.add(Reply("", (call,)).turn({call.id: LONG}))


def test_another_error_passes_through() -> None:
    def fails(messages: object) -> str:
        raise ZeroDivisionError

    model = scripted_model(fails)
    with pytest.raises(ZeroDivisionError):
        fitted(model).ask(talk(model))
    assert issubclass(ContextOverflow, Exception)
