"""Whatever a model writes becomes a reply that can be stored and sent back."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ml_agent.models.messages import Options, Usage, from_json, to_json
from ml_agent.models.reading import CALLS, Raw, read_action, read_native, read_object
from tests.models.parts import READ, RUN

texts = st.text(st.characters(codec="utf-8"), max_size=60)
values = st.recursive(st.none() | st.booleans() | st.integers() | texts, lambda v: st.lists(v) | st.dictionaries(texts, v), max_leaves=6)
arguments = values | texts | st.dictionaries(texts, values).map(json.dumps)
calls = st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["run", "read_file", "other", ""]), arguments)
raws = st.builds(
    Raw,
    texts | values.map(json.dumps),
    st.lists(calls, max_size=4).map(tuple),
    st.sampled_from(["stop", "length", ""]),
    st.none() | st.just(Usage(1, 2)),
)


@given(raws, st.booleans(), st.booleans())
def test_any_reply(raw: Raw, single: bool, must: bool) -> None:
    options = Options(single_call=single, must_call=must)
    for reply in (read_native(raw, [RUN, READ], options), read_action(raw, [RUN, READ], options), read_object(raw, options)):
        stored = json.loads(json.dumps(to_json(reply)))
        assert to_json(from_json(stored)) == to_json(reply)
        ids = [call.id for call in (*reply.calls, *reply.faulty_calls)]
        assert len(ids) == len(set(ids))
        assert {fault.call_id for fault in reply.faults if fault.call_id} == {call.id for call in reply.faulty_calls}
        assert {call.tool for call in reply.calls} <= {"run", "read_file"}
        assert not (single and len(reply.calls) > 1)
        answered = [message.call_id for message in reply.turn() if message.role == "tool"]
        assert answered == ids


def test_results_stand_behind_their_calls() -> None:
    raw = Raw("", (("a", "run", {"command": "ls"}), ("b", "rum", {}), ("c", "run", {})), "length", None)
    turn = read_native(raw, [RUN], Options()).turn({"a": "README.md"})
    assert [message.role for message in turn] == ["assistant", "tool", "tool", "tool", "user"]
    assert {message.call_id: message.text[:12] for message in turn[1:4]} == {"a": "README.md", "c": "This call wa", "b": "There is no "}


def test_a_newline_inside_a_string_is_let_pass() -> None:
    raw = Raw("", (("a", "run", '{"command": "ls\npwd"}'),), "stop", None)
    assert read_native(raw, [RUN], Options()).calls[0].arguments == {"command": "ls\npwd"}


def test_calls_are_capped() -> None:
    raw = Raw("", tuple((str(n), "run", {}) for n in range(1000)), "stop", None)
    assert len(read_native(raw, [RUN], Options()).calls) == CALLS


def test_an_action_without_a_tool() -> None:
    reply = read_action(Raw('{"arguments": {}}', (), "stop", None), [RUN], Options())
    assert reply.faults[0].text == 'Your JSON object names no tool: it needs "tool" and "arguments".'
