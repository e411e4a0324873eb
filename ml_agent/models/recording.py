"""Record the calls of a model, and replay them without one: the same replies, or a word on where the run departs."""

import json
import math
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ml_agent.config import TRAJECTORY_BYTES
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.inputs import read_regular
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message, OnText, Options, Reply, ToolLike, from_json, to_json
from ml_agent.models.prices import Price
from ml_agent.models.requests import digest, message_digest, redacted, request_digest
from ml_agent.models.tokens import count_request
from ml_agent.models.wrapped import Wrapped

SCHEMA = 1
_START = 80
"""Characters of a message that are kept, to show where a replay departs."""


class Departed(InfrastructureError):
    """A replayed run asks for something else than the recorded one did."""


class Recorder(Wrapped):
    """Writes each call of a model to a new file, one JSON object a line: digests of what was asked, and the reply, keys redacted."""

    def __init__(self, model: ChatModel, path: Path) -> None:
        super().__init__(model)
        self._path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            self._file = open(descriptor, "w", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed by close()
        except OSError as error:
            raise InfrastructureError(f"cannot write the recording {path}: {error.strerror or error}") from error
        self._write({"event": "model", "schema": SCHEMA, "name": model.name})

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        """As ChatModel.complete. Raises InfrastructureError if the disk refuses."""
        asked = _asked(self.name, messages, tools, options)
        try:
            reply = self._model.complete(messages, tools, options=options, seconds=seconds, on_text=on_text)
        except ContextOverflow as error:  # the run goes on after it, so a replay has to see it as well
            self._write({"event": "call", "asked": asked, "overflow": redacted(str(error))})
            raise
        self._write({"event": "call", "asked": asked, "reply": redacted(to_json(reply))})
        return reply

    def close(self) -> None:
        """Sync and close the file, and the model."""
        try:
            if not self._file.closed:
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
        except OSError as error:
            raise InfrastructureError(f"cannot write the recording {self._path}: {error.strerror or error}") from error
        finally:
            super().close()

    def _write(self, event: dict[str, Any]) -> None:
        try:
            with self._lock:
                self._file.write(json.dumps(event, ensure_ascii=False) + "\n")
                self._file.flush()
        except OSError as error:
            raise InfrastructureError(f"cannot write the recording {self._path}: {error.strerror or error}") from error


class Replayed:
    """A recording in place of its model. Raises UsageError if the file is none, and Departed when asked for something else."""

    price: Price | None = Price(0.0, 0.0, "")

    def __init__(self, path: Path) -> None:
        self._path = path
        self._next = 0
        try:
            lines = read_regular(path, TRAJECTORY_BYTES).split(b"\n")
            events = [json.loads(line) for line in lines[:-1]]  # behind the last newline is nothing, or a torn line
            head = events[0]
            if head["event"] != "model" or head["schema"] != SCHEMA:
                raise ValueError("its first line is another's")
            self._name = str(head["name"])
            self._calls = [(event["asked"], _outcome(event)) for event in events[1:]]
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise UsageError(f"{path} is not a recording of a model: {type(error).__name__} {error}") from error

    @property
    def name(self) -> str:
        return self._name

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        """The next recorded reply, if the request is the recorded one."""
        if self._next >= len(self._calls):
            raise Departed(f"the replay departs at call {self._next + 1}: the recording has {len(self._calls)}")
        asked, reply = self._calls[self._next]
        now = _asked(self._name, messages, tools, options)
        if asked["digest"] != now["digest"]:
            raise Departed(f"the replay departs at call {self._next + 1}: {_difference(asked, now)}")
        self._next += 1
        if isinstance(reply, str):
            raise ContextOverflow(reply)
        if on_text and reply.text:
            on_text(reply.text)
        return reply

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        """As ChatModel.count."""
        return count_request(messages, tools, self._name)

    def close(self) -> None:
        """Nothing is held."""


def _outcome(event: dict[str, Any]) -> Reply | str:
    """The reply of a recorded call, or the words of its ContextOverflow."""
    return str(event["overflow"]) if "overflow" in event else from_json(event["reply"])


def _asked(name: str, messages: Sequence[Message], tools: Sequence[ToolLike], options: Options) -> dict[str, Any]:
    shown = [{"role": m.role, "digest": message_digest(m), "start": redacted(m.text)[:_START]} for m in messages]
    offered = [{"name": tool.name, "digest": digest({"d": tool.description, "s": dict(tool.schema)})} for tool in tools]
    return {"digest": request_digest(name, messages, tools, options), "messages": shown, "tools": offered}


def _difference(then: dict[str, Any], now: dict[str, Any]) -> str:
    for number, (before, after) in enumerate(zip(then["messages"], now["messages"], strict=False), 1):
        if before["digest"] != after["digest"]:
            return f"message {number} ({after['role']}) was {before['start']!r} and is {after['start']!r}"
    if len(then["messages"]) != len(now["messages"]):
        return f"{len(then['messages'])} messages were sent and are now {len(now['messages'])}"
    if then["tools"] != now["tools"]:
        return "the tools that are offered are others"
    return "the options of the request are others"
