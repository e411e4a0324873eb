"""Native calls and actions in JSON, streams, time limits and cancellation, over real HTTP."""

import importlib
import socket
import threading
import time
from typing import Any

import pytest

from ml_agent.errors import Cancelled, InfrastructureError, LimitReached
from ml_agent.interrupts import deadline
from ml_agent.models.messages import Message, Options, Usage
from ml_agent.models.retry import RetryRule
from ml_agent.trajectory import ToolCall
from tests.models.parts import HI, READ, RUN, model_at
from tests.models.server import Handler, calls, dripping, refused, serving, streamed, text
from tests.pace import within

ACTION = '{"thought": "look", "tool": "run", "arguments": {"command": "ls"}}'


def test_native_calls() -> None:
    conversation = [
        Message("system", "You are an agent."),
        Message("user", "hi"),
        Message("assistant", "", (ToolCall("c0", "run", {"command": "ls"}),)),
        Message("tool", "README.md", call_id="c0"),
    ]
    with serving(calls(("read_file", '{"path": "README.md"}'))) as server:
        reply = model_at(server.url).complete(conversation, [RUN, READ], options=Options(max_tokens=50, temperature=0, seed=3))
    assert [(call.tool, dict(call.arguments)) for call in reply.calls] == [("read_file", {"path": "README.md"})]
    assert reply.usage == Usage(11, 7)
    assert reply.money is None  # nobody knows what this service costs
    sent = server.requests[0]
    assert [message["role"] for message in sent["messages"]] == ["system", "user", "assistant", "tool"]
    assert sent["messages"][2]["tool_calls"][0]["id"] == sent["messages"][3]["tool_call_id"] == "c0"
    assert [tool["function"]["name"] for tool in sent["tools"]] == ["run", "read_file"]
    assert (sent["temperature"], sent["seed"], sent["max_completion_tokens"]) == (0, 3, 50)


def test_json_actions() -> None:
    with serving(text(ACTION)) as server:
        reply = model_at(server.url, "json").complete(HI, [RUN, READ])
    assert [(call.tool, dict(call.arguments)) for call in reply.calls] == [("run", {"command": "ls"})]
    assert reply.text == "look"
    sent = server.requests[0]
    assert "tools" not in sent
    schema = sent["response_format"]["json_schema"]["schema"]
    assert [kind["properties"]["tool"]["const"] for kind in schema["anyOf"]] == ["run", "read_file"]


def test_auto_goes_over_to_json_where_tools_are_refused() -> None:
    with serving(refused(400, '"auto" tool choice requires --enable-auto-tool-choice'), text(ACTION), text(ACTION)) as server:
        model = model_at(server.url)
        reply = model.complete(HI, [RUN])
        assert (reply.calls[0].tool, reply.requests) == ("run", 2)
        assert model.complete(HI, [RUN]).requests == 1  # and it is remembered
    assert ["tools" in request for request in server.requests] == [True, False, False]


def test_auto_goes_over_to_json_where_the_model_writes_its_call_into_the_text() -> None:
    with serving(text('```json\n{"name": "run", "arguments": {"command": "ls"}}\n```'), text(ACTION)) as server:
        reply = model_at(server.url).complete(HI, [RUN])
    assert reply.calls[0].arguments == {"command": "ls"}
    assert reply.usage == Usage(22, 14)  # both requests are paid for


def test_json_is_asked_for_in_words_where_a_schema_is_refused() -> None:
    with serving(refused(400, "unknown field", param="response_format"), text(f"Sure!\n```json\n{ACTION}\n```")) as server:
        reply = model_at(server.url, "json").complete(HI, [RUN])
    assert reply.calls[0].arguments == {"command": "ls"}
    assert ["response_format" in request for request in server.requests] == [True, False]
    assert "- run: Run a command." in server.requests[1]["messages"][0]["content"]


def test_native_insists() -> None:
    with serving(refused(400, "tools are not supported")) as server, pytest.raises(InfrastructureError, match="tools are not supported"):
        model_at(server.url, "native").complete(HI, [RUN])


def test_object_of_a_schema() -> None:
    schema = {"type": "object", "properties": {"kind": {"enum": ["CODE", "FILE", "No"]}}, "required": ["kind"]}
    with serving(text('{"kind": "FILE"}'), text("FILE")) as server:
        model = model_at(server.url)
        assert model.complete(HI, options=Options(schema=schema)).data == {"kind": "FILE"}
        assert model.complete(HI, options=Options(schema=schema)).faults[0].kind == "not_json"
    assert server.requests[0]["response_format"]["json_schema"]["schema"] == schema


def test_stream() -> None:
    heard: list[str] = []
    with serving(streamed("Hel", "lo")) as server:
        reply = model_at(server.url).complete(HI, on_text=heard.append)
    assert (heard, reply.text) == (["Hel", "lo"], "Hello")
    assert server.requests[0]["stream"] is True


def test_usage_is_estimated_where_it_is_not_told() -> None:
    with serving(text("x" * 40, usage=None)) as server:
        reply = model_at(server.url).complete([Message("user", "word " * 100)])
    assert reply.usage.estimated
    assert 50 < reply.usage.input < 200
    assert reply.usage.output > 0


def test_seconds_bound_the_whole() -> None:
    rule = RetryRule(tries=100, first_wait=0.05)
    with serving(*[dripping(9)] * 3) as server, within(2), pytest.raises(InfrastructureError, match=r"no reply within 0\.5 s \(1 try"):
        model_at(server.url, rule=rule).complete(HI, seconds=0.5)


def test_nothing_is_sent_when_the_time_is_over() -> None:
    with serving() as server:
        with pytest.raises(InfrastructureError):
            model_at(server.url).complete(HI, seconds=0)
        assert server.requests == []


@pytest.mark.timeout(60, method="thread")  # the other method takes the timer that this test needs
def test_an_interrupt_closes_the_connection() -> None:
    """A service goes on computing for as long as somebody is connected."""
    closed = threading.Event()

    def waiting(handler: Handler) -> None:
        handler.connection.settimeout(10)
        if handler.connection.recv(1) == b"":
            closed.set()

    with serving(waiting) as server:
        model = model_at(server.url, rule=RetryRule())
        with within(3), pytest.raises(LimitReached), deadline(0.5):
            model.complete(HI)
        assert closed.wait(3)


def test_a_connection_that_nobody_answers() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
    with pytest.raises(InfrastructureError, match=r"cannot be reached.*is the service running"):
        model_at(f"http://127.0.0.1:{port}/v1").complete(HI)


def test_threads_share_a_model() -> None:
    with serving(*[text(str(n)) for n in range(8)]) as server:
        model, replies = model_at(server.url), list[str]()
        threads = [threading.Thread(target=lambda: replies.append(model.complete(HI).text)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert sorted(replies) == [str(n) for n in range(8)]


def test_works_inside_a_running_loop() -> None:
    """As in a notebook."""
    import asyncio

    async def cell() -> str:
        return model_at(server.url).complete(HI).text

    with serving(text("fine")) as server:
        assert asyncio.run(cell()) == "fine"


@pytest.mark.parametrize("trace", [False, True])
def test_tracing_is_off_unless_asked_for(trace: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from ml_agent.models.load import load_model

    forget: Any = importlib.import_module("langsmith.utils").get_env_var.cache_clear
    with serving(text("fine"), *[text("taken")] * 50) as server, serving(*[text("taken")] * 50) as elsewhere:
        monkeypatch.setenv("LANGSMITH_TRACING", "true")
        monkeypatch.setenv("LANGSMITH_API_KEY", "lsv2_test")
        monkeypatch.setenv("LANGSMITH_ENDPOINT", elsewhere.url)
        forget()
        load_model("scripted", server.url, trace=trace).complete(HI)
        until = time.monotonic() + (10 if trace else 1)
        while not elsewhere.paths and time.monotonic() < until:
            time.sleep(0.05)
        monkeypatch.undo()
        forget()
        assert bool(elsewhere.paths) == trace


def test_cancelled_is_no_failure() -> None:
    def stop(piece: str) -> None:
        raise Cancelled(piece)

    with serving(streamed("a")) as server, pytest.raises(BaseException, match="a"):
        model_at(server.url).complete(HI, on_text=stop)
    assert len(server.requests) == 1
