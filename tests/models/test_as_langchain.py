"""A ChatModel as langchain's: there and back, and that all of ours is still below it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool

from ml_agent.errors import InfrastructureError
from ml_agent.models.as_langchain import AsLangchain, read_messages, read_reply, write_messages, write_reply
from ml_agent.models.messages import Fault, Message, Options, Reply
from ml_agent.models.scripted import scripted_model
from ml_agent.trajectory import ToolCall
from tests.models.parts import QUICK, model_at
from tests.models.server import serving, text

CALL = ToolCall("a", "run", {"command": "ls", "n": [1, None]})
BAD = ToolCall("b", "rnu", {"malformed": "{"})
TALK = [
    Message("system", "Be brief."),
    Message("user", "Do it."),
    Message("assistant", "I look.", (CALL, BAD)),
    Message("tool", "a file", call_id="a"),
    Message("tool", "There is no tool 'rnu'.", call_id="b"),
    Message("assistant", "Done."),
]
words = st.text(max_size=20)
calls = st.builds(
    ToolCall, words, words.map(lambda name: name or "x"), st.dictionaries(words, st.integers() | words | st.none(), max_size=3)
)


@tool
def look(path: str, lines: int = 3) -> str:
    """Look at a file."""
    return path


def test_messages_there_and_back() -> None:
    assert read_messages(write_messages(TALK)) == TALK
    kinds = [type(message) for message in write_messages(TALK)]
    assert kinds == [SystemMessage, HumanMessage, AIMessage, ToolMessage, ToolMessage, AIMessage]


def test_an_empty_message_of_the_assistant_is_left_out() -> None:
    assert read_messages([AIMessage(""), HumanMessage("x")]) == [Message("user", "x")]


def test_blocks_are_text() -> None:
    blocks: list[str | dict[Any, Any]] = [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}]
    assert read_messages([HumanMessage(content=blocks)]) == [Message("user", "one two")]


def test_a_message_without_counterpart_is_said() -> None:
    with pytest.raises(ValueError, match="of the type chat"):
        read_messages([ChatMessage(content="x", role="judge")])


@given(words, st.lists(calls, max_size=3), st.lists(calls, max_size=3), words)
def test_a_reply_there_and_back(said: str, good: list[ToolCall], bad: list[ToolCall], fault: str) -> None:
    faults = (*(Fault("unknown_tool", fault, call.id) for call in bad), Fault("length", fault))
    reply = Reply(said, tuple(good), tuple(bad), faults)
    assert read_reply(write_reply(reply)) == reply


def test_what_langchain_made_itself_can_be_read() -> None:
    calls = [{"type": "invalid_tool_call", "id": None, "name": None, "args": args, "error": None} for args in ("{", "[1]", "", None)]
    reply = read_reply(AIMessage(content="x", invalid_tool_calls=calls))
    assert [call.tool for call in reply.faulty_calls] == ["unnamed"] * 4
    assert [dict(call.arguments) for call in reply.faulty_calls] == [
        {"malformed": "{"},
        {"malformed": [1]},
        {"malformed": ""},
        {"malformed": ""},
    ]


def test_a_request() -> None:
    model = scripted_model([("look", {"path": "x"}), ("nosuch", {})], "Done.")
    chat = AsLangchain(held=model, options=Options(temperature=0.5, must_call=True)).bind_tools([look])
    message = chat.invoke([SystemMessage("Be brief."), HumanMessage("Do it.")])
    assert [(call["name"], call["args"]) for call in message.tool_calls] == [("look", {"path": "x"})]
    assert [(call["name"], call["error"]) for call in message.invalid_tool_calls] == [
        ("nosuch", "There is no tool 'nosuch'; there are: look.")
    ]
    assert message.usage_metadata == {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    assert message.response_metadata["model_name"] == "scripted:test"
    below: Any = model
    assert (below.chat.offered, below.chat.options) == ([["look"]], [{"temperature": 0.5}])
    assert [fault.kind for fault in read_reply(chat.invoke("Go on.")).faults] == ["no_call"]


@pytest.mark.parametrize(("choice", "kinds"), [(None, []), ("auto", []), ("any", ["no_call"]), ("required", ["no_call"])])
def test_whether_a_tool_must_be_called(choice: str | None, kinds: list[str]) -> None:
    chat = AsLangchain(held=scripted_model("Done.")).bind_tools([look], tool_choice=choice)
    assert [fault.kind for fault in read_reply(chat.invoke("x")).faults] == kinds


@pytest.mark.parametrize("settings", [{"stop": ["x"]}, {"top_p": 0.5}, {"tool_choice": "look"}])
def test_a_setting_that_we_do_not_have_is_not_passed_over(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no such setting"):
        AsLangchain(held=scripted_model("Done.")).bind_tools([look]).invoke("x", **settings)


def test_tokens_are_counted_below() -> None:
    model = scripted_model()
    chat = AsLangchain(held=model)
    assert chat.get_num_tokens("four words are here") == model.count([Message("user", "four words are here")])
    assert chat.get_num_tokens_from_messages(write_messages(TALK), tools=[look]) > chat.get_num_tokens_from_messages(write_messages(TALK))


def test_faults_of_a_service_are_ours() -> None:
    """A real client and server below; one retry layer, and what it raises comes through."""
    with serving(text("fine")) as server:
        assert AsLangchain(held=model_at(server.url)).invoke("hi").content == "fine"
        assert len(server.requests) == 1
    with serving() as server, pytest.raises(InfrastructureError, match="the request was refused"):
        AsLangchain(held=model_at(server.url, rule=QUICK)).invoke("hi")
    assert len(server.requests) == 1
