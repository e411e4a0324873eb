"""A scripted server: real HTTP on loopback, which plays one turn after the other of what a chat completion service may do."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

Turn = Callable[["Handler"], None]
"""Answers one request."""
S = TypeVar("S", bound=ThreadingHTTPServer)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes
    server: "ScriptedServer"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.requests.append(json.loads(body) if self.headers.get_content_type() == "application/json" else body)
        self.play(exhausted)

    def play(self, otherwise: Turn) -> None:
        """The next turn, `otherwise` behind the last."""
        self.server.paths.append(self.path)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        turn = self.server.turns.pop(0) if self.server.turns else otherwise
        with suppress(BrokenPipeError, ConnectionResetError):
            turn(self)

    def send(self, body: bytes, status: int = 200, *, kind: str = "application/json", headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, turns: Sequence[Turn]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.turns = list(turns)
        self.requests: list[Any] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


def serving(*turns: Turn) -> AbstractContextManager[ScriptedServer]:
    return running(ScriptedServer(turns))


@contextmanager
def running(server: S) -> Iterator[S]:
    """The server, in a thread of its own; it is gone at the end."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def exhausted(handler: Handler) -> None:
    """What a request gets that the test did not foresee; 400 is not tried again."""
    handler.send(b'{"error": {"message": "the script is exhausted", "code": "exhausted"}}', 400)


def completion(message: Mapping[str, Any], *, finish: str = "stop", usage: Any = ...) -> dict[str, Any]:
    """The body of a chat completion with one choice."""
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": finish}
    counted = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18} if usage is ... else usage
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice], "usage": counted}


def body(value: Any, status: int = 200, **headers: str) -> Turn:
    """A JSON reply; `retry_after` and the like become headers."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return lambda handler: handler.send(json.dumps(value).encode(), status, headers=named)


def text(content: str | None, **more: Any) -> Turn:
    return body(completion({"content": content}, **more))


def calls(*wanted: tuple[str, str], **more: Any) -> Turn:
    """Tool calls, each (name, arguments as the model wrote them)."""
    made = [{"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": raw}} for n, (name, raw) in enumerate(wanted)]
    return body(completion({"tool_calls": made}, finish="tool_calls", **more))


def refused(status: int, message: str, *, code: str | None = None, param: str | None = None, **headers: str) -> Turn:
    """An error in the shape that OpenAI's service gives it."""
    return body({"error": {"message": message, "type": "error", "code": code, "param": param}}, status, **headers)


def raw(content: bytes, *, kind: str = "application/json", status: int = 200) -> Turn:
    return lambda handler: handler.send(content, status, kind=kind)


def dripping(seconds: float) -> Turn:
    """A byte now and then, always too soon for a time-out of a single read."""

    def turn(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", "100000")
        handler.end_headers()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    return turn


def hanging_up(handler: Handler) -> None:
    """The connection ends without a word."""
    handler.close_connection = True


def streamed(*pieces: str, whole: bool = True, usage: bool = True) -> Turn:
    """Server-sent events with a piece of text each; without `whole` the connection is cut before the end."""

    def turn(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        events: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
        if whole:
            events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
            if usage:
                events.append({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}})
        for event in events:
            _chunk(handler, {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", **event})
        if whole:
            _chunk(handler, "[DONE]")
            handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    return turn


def _chunk(handler: Handler, event: Any) -> None:
    data = b"data: " + (event if isinstance(event, str) else json.dumps(event)).encode() + b"\n\n"
    handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    handler.wfile.flush()
