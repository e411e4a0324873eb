"""What a service may do wrong, over real HTTP: the number of requests, the seconds, and the words for the user or the model."""

import time
from dataclasses import dataclass

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import Options
from ml_agent.models.retry import RetryRule
from tests.models.parts import HASTY, HI, QUICK, RUN, model_at
from tests.models.server import (
    Turn,
    body,
    calls,
    completion,
    dripping,
    hanging_up,
    raw,
    refused,
    serving,
    streamed,
    text,
)

HTML = raw(b"<!doctype html><html><body>Sign in</body></html>", kind="text/html")
NOT_UTF8 = raw(b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": "a\xff\xfe"}, "finish_reason": "stop"}]}')


@dataclass(frozen=True)
class Ends:
    """The request ends in an error that the user sees."""

    turns: tuple[Turn, ...]
    requests: int
    words: str
    error: type[Exception] = InfrastructureError
    seconds: tuple[float, float] = (0.0, 3.0)
    rule: RetryRule = QUICK


ENDS = {
    "no key": Ends((refused(401, "Incorrect API key"),), 1, "the key is not accepted: set OPENAI_API_KEY (Incorrect API key)"),
    "forbidden": Ends((refused(403, "not for you"),), 1, "the key may not use this model: not for you"),
    "no such model": Ends((refused(404, "no model x"),), 1, "check --model and --base-url (no model x)"),
    "quota": Ends(
        (refused(429, "You exceeded your quota", code="insufficient_quota"),), 1, "no credit left (insufficient_quota): add credit"
    ),
    "bad request": Ends((refused(400, "temperature is too high"),), 1, "the request was refused (400): temperature is too high"),
    "too long by code": Ends((refused(400, "sorry", code="context_length_exceeded"),), 1, "too long for the model: sorry", ContextOverflow),
    "too long by type": Ends(
        (body({"error": {"message": "n > m", "code": 400, "type": "exceed_context_size_error"}}, 400),), 1, "n > m", ContextOverflow
    ),
    "too long, in a reply of status 200": Ends(
        (body({"error": {"message": "long", "code": "context_length_exceeded"}}),), 1, "too long for the model", ContextOverflow
    ),
    "429 for an hour": Ends((refused(429, "slow", retry_after="3600"),), 1, "it asks to wait 3600 s, which is more than is left"),
    "429 always": Ends((refused(429, "slow down"),) * 9, 3, "answers 429: slow down (3 tries in "),
    "500 always": Ends((raw(b"oops", status=500, kind="text/plain"),) * 9, 3, "answers 500 (3 tries in "),
    "hangs up always": Ends((hanging_up,) * 9, 3, "cannot be reached: "),
    "slow bytes": Ends((dripping(9),) * 9, 3, "gave no reply within 0.6 s (3 tries in ", seconds=(1.8, 5.0), rule=HASTY),
    "HTML": Ends((HTML,) * 9, 2, "answers with HTML in place of JSON (2 tries in "),
    "HTML for a wrong path": Ends((raw(b"<html>", kind="text/html", status=404),), 1, "check --model and --base-url"),
    "invalid UTF-8": Ends((NOT_UTF8,) * 9, 2, "answers with bytes that are no UTF-8"),
    "half of a JSON": Ends((raw(b'{"choices": ['),) * 9, 2, "something else in place of JSON"),
    "a list": Ends((raw(b"[1]"),) * 9, 2, "something else in place of JSON"),
}


@pytest.mark.parametrize("case", ENDS.values(), ids=list(ENDS))
def test_error(case: Ends) -> None:
    with serving(*case.turns) as server:
        model, start = model_at(server.url, rule=case.rule), time.monotonic()
        with pytest.raises(case.error) as caught:
            model.complete(HI, [RUN])
        seconds = time.monotonic() - start
    assert case.words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(server.requests) == case.requests
    assert case.seconds[0] <= seconds <= case.seconds[1]


MENDS = {
    "429": (refused(429, "slow"), 0.0),
    "429 with Retry-After": (refused(429, "slow", retry_after="1"), 1.0),
    "429 with Retry-After in ms": (refused(429, "slow", retry_after_ms="400"), 0.4),
    "503": (refused(503, "loading"), 0.0),
    "hangs up": (hanging_up, 0.0),
    "HTML of a gateway": (raw(b"<html>bad gateway</html>", kind="text/html", status=502), 0.0),
}


@pytest.mark.parametrize("turn", MENDS.values(), ids=list(MENDS))
def test_is_tried_again(turn: tuple[Turn, float]) -> None:
    with serving(turn[0], text("fine")) as server:
        start = time.monotonic()
        reply = model_at(server.url).complete(HI)
        seconds = time.monotonic() - start
    assert (reply.text, reply.requests, len(server.requests)) == ("fine", 2, 2)
    assert turn[1] <= seconds <= turn[1] + 2.5


FAULTS = {
    "empty choices": (body({**completion({}), "choices": []}), "empty", "Your reply was empty"),
    "null choices": (body({**completion({}), "choices": None}), "empty", "Your reply was empty"),
    "null content": (text(None), "empty", "Your reply was empty"),
    "cut off": (text("so I", finish="length"), "length", "cut off at its greatest length"),
    "malformed arguments": (calls(("run", '{"command": ')), "arguments", 'The arguments of run are not a JSON object: {"command": '),
    "a list as arguments": (calls(("run", "[1, 2]")), "arguments", "not a JSON object"),
    "a string as arguments": (calls(("run", '"ls"')), "arguments", "not a JSON object"),
    "unknown tool": (calls(("rum", "{}")), "unknown_tool", "There is no tool 'rum'; there are: run."),
    "no name": (calls(("", "{}")), "unknown_tool", "There is no tool ''"),
    "two calls": (calls(("run", "{}"), ("run", "{}")), "several_calls", "Make one call at a time"),
    "1 MB of text": (text("x" * 1_000_000), "too_long", "1000000 characters and was cut"),
    "no call": (text("I would run it."), "no_call", "Call one of the tools: run."),
    "withheld": (text(None, finish="content_filter"), "refused", "withheld by a filter"),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=list(FAULTS))
def test_fault_is_handed_back(case: tuple[Turn, str, str]) -> None:
    """It costs one request, and what is handed back is a conversation that the service takes: each call has its answer."""
    turn, kind, words = case
    with serving(turn, calls(("run", '{"command": "ls"}'))) as server:
        model = model_at(server.url, "native")
        reply = model.complete(HI, [RUN], options=Options(single_call=True, must_call=True))
        assert len(server.requests) == 1
        assert {fault.kind for fault in reply.faults} == {kind}
        assert reply.calls == ()
        good = model.complete([*HI, *reply.turn()], [RUN])
    assert [(call.tool, dict(call.arguments)) for call in good.calls] == [("run", {"command": "ls"})]
    sent = server.requests[1]["messages"]
    called = [call["id"] for message in sent for call in message.get("tool_calls") or ()]
    assert called == [message["tool_call_id"] for message in sent if message["role"] == "tool"]
    assert words in sent[-1]["content"]
    assert all(message["content"] or message.get("tool_calls") for message in sent)


def test_cut_off_in_json_mode() -> None:
    """langchain's client raises for this one."""
    with serving(text('{"thought": "I sh', finish="length")) as server:
        reply = model_at(server.url, "json").complete(HI, [RUN])
    assert [fault.kind for fault in reply.faults] == ["length"]
    assert (reply.usage.output, reply.usage.estimated) == (7, False)


def test_two_calls_at_once_are_fine_unless_one_is_asked_for() -> None:
    with serving(calls(("run", '{"command": "a"}'), ("run", '{"command": "b"}'))) as server:
        reply = model_at(server.url).complete(HI, [RUN])
    assert [call.arguments["command"] for call in reply.calls] == ["a", "b"]
    assert reply.faults == ()


def test_lone_surrogates_go_neither_in_nor_out() -> None:
    from ml_agent.models.messages import Message

    answer = raw(b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": "a\\ud800b"}, "finish_reason": "stop"}]}')
    with serving(answer) as server:
        reply = model_at(server.url).complete([Message("user", "name: \udcff")])
    assert reply.text == "a?b"
    assert server.requests[0]["messages"][0]["content"] == "name: ?"


def test_cut_stream_is_tried_again() -> None:
    heard: list[str] = []
    with serving(streamed("a", "b", whole=False), streamed("c", "d")) as server:
        reply = model_at(server.url).complete(HI, on_text=heard.append)
    assert (reply.text, reply.requests) == ("cd", 2)
    assert heard == ["a", "b", "c", "d"]
