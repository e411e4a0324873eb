"""The scripted model stands where a real one does: the same calls, the same faults, and a clear word when its script is over."""

import pytest
from langchain_core.messages import AIMessage

from ml_agent.errors import UsageError
from ml_agent.models.messages import Message, Options
from ml_agent.models.scripted import ScriptedChat, scripted_model
from tests.models.parts import HI, READ, RUN


def test_plays_texts_calls_objects_and_functions() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    model = scripted_model("hello", [("run", {"command": "ls"})], '{"a": 1}', lambda messages: str(messages[-1].content).upper())
    assert model.complete(HI).text == "hello"
    called = model.complete(HI, [RUN])
    assert [(call.tool, call.arguments) for call in called.calls] == [("run", {"command": "ls"})]
    assert model.complete(HI, options=Options(schema=schema)).data == {"a": 1}
    assert model.complete([Message("user", "loud")]).text == "LOUD"


def test_a_call_of_an_unknown_tool_is_a_fault() -> None:
    reply = scripted_model([("walk", {})]).complete(HI, [RUN])
    assert (reply.calls, [fault.kind for fault in reply.faults]) == ((), ["unknown_tool"])


def test_the_end_of_the_script_is_said() -> None:
    model = scripted_model("one")
    model.complete(HI)
    with pytest.raises(UsageError, match="the script of the chat model is over after 1 replies; it was asked: 'hi'"):
        model.complete(HI)


def test_binds_tools_as_langchain_does() -> None:
    chat = ScriptedChat(script=[[("run", {"command": "ls"})], AIMessage("done")])
    tools = [
        {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": dict(t.schema)}} for t in (RUN, READ)
    ]
    reply = chat.bind_tools(tools).invoke("list the files")
    assert [call["name"] for call in reply.tool_calls] == ["run"]
    assert chat.invoke("and now?").content == "done"
    assert chat.offered == [["run", "read_file"], []]
