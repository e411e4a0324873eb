"""Actions in JSON: schema, words, reading."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ml_agent.models.actions import action_messages, action_schema, find_object, looks_like_action
from ml_agent.models.messages import Message
from ml_agent.policies.base import ToolSpec
from ml_agent.trajectory import ToolCall
from tests.models.parts import READ, RUN

values = st.recursive(st.none() | st.integers() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v), max_leaves=8)


@given(st.text(st.characters(exclude_characters="{")), st.dictionaries(st.text(), values), st.text())
def test_an_object_is_found_among_words(before: str, value: dict[str, object], after: str) -> None:
    assert find_object(before + json.dumps(value) + after) == value


@given(st.text(st.sampled_from('{}[]":, a1')))
def test_no_text_is_too_odd(text: str) -> None:
    assert isinstance(find_object(text), dict | None)
    looks_like_action(text, [RUN])


def test_deep_nesting_is_no_object() -> None:
    assert find_object('{"a":' * 100_000) is None


def test_definitions_of_two_tools_are_kept_apart() -> None:
    def tool(name: str, kind: str) -> ToolSpec:
        reference = {"type": "object", "properties": {"at": {"$ref": "#/$defs/Place"}}}
        return ToolSpec(name, "", {**reference, "$defs": {"Place": {"type": kind}}})

    schema = action_schema([tool("a", "string"), tool("b", "integer")])
    assert schema["$defs"] == {"a.Place": {"type": "string"}, "b.Place": {"type": "integer"}}
    kinds = [kind["properties"]["arguments"] for kind in schema["anyOf"]]
    assert [kind["properties"]["at"]["$ref"] for kind in kinds] == ["#/$defs/a.Place", "#/$defs/b.Place"]


def test_conversation_as_texts_takes_turns() -> None:
    call = ToolCall("c1", "run", {"command": "ls"})
    conversation = [
        Message("user", "do"),
        Message("assistant", "look", (call,)),
        Message("tool", "README.md", call_id="c1"),
        Message("user", "so?"),
    ]
    rendered = action_messages(conversation, [RUN, READ])
    assert [message.role for message in rendered] == ["system", "user", "assistant", "user"]
    assert "- read_file: Read a file." in rendered[0].text
    assert json.loads(rendered[2].text) == {"thought": "look", "tool": "run", "arguments": {"command": "ls"}}
    assert rendered[3].text == "Result of run:\nREADME.md\n\nso?"


def test_words_about_a_tool_are_no_action() -> None:
    assert not looks_like_action('The config is {"name": "bert"}.', [RUN])
    assert looks_like_action('{"tool": "run"}', [RUN])
    assert not looks_like_action('{"name": ["run"]}', [RUN])
