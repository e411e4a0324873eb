"""Record what a model was asked and replied, and replay it without the model: the same replies, or a word on where the run departs.

An exchange is a JSON object: `asked`, digests of the request, and `reply`, or `overflow`, the words of a ContextOverflow.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ml_agent.errors import Departed, UsageError
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message, OnText, Options, Reply, ToolLike, from_json, to_json
from ml_agent.models.prices import Price
from ml_agent.models.redaction import redacted
from ml_agent.models.requests import digest, message_digest, request_digest
from ml_agent.models.tokens import count_request
from ml_agent.models.wrapped import Wrapped

_SHORT = 16
"""Hexadecimal digits of a message's digest: they only say where a replay departs."""

Exchanges = Sequence[Mapping[str, Any]]


class Recorder(Wrapped):
    """Hands each exchange to `write`, keys redacted, before the reply is used."""

    def __init__(self, model: ChatModel, write: Callable[[Mapping[str, Any]], None]) -> None:
        super().__init__(model)
        self._write = write

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        """As ChatModel.complete; what `write` raises ends it."""
        asked = {**_asked(self.name, messages, tools, options), "context": self.context}
        try:
            reply = self._model.complete(messages, tools, options=options, seconds=seconds, on_text=on_text)
        except ContextOverflow as error:  # the run goes on after it, so a replay has to see it as well
            self._write({"asked": asked, "overflow": redacted(str(error))})
            raise
        self._write({"asked": asked, "reply": redacted(to_json(reply)), "spent": not reply.cached})
        return reply


class Replayed:
    """Recorded exchanges in place of a model; behind the last one, `live` is asked, if it is given.

    Raises UsageError if they are no exchanges, and Departed when asked for something else.
    """

    price: Price | None = Price(0.0, 0.0, "")

    def __init__(self, exchanges: Exchanges, name: str, live: ChatModel | None = None, context: int | None = None) -> None:
        self._next, self._name, self._live, self._context = 0, name, live, context
        if live is not None:
            self.price = live.price
        try:
            self._exchanges = [(exchange["asked"], _outcome(exchange)) for exchange in exchanges]
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"the recording of the model is not whole: {type(error).__name__} {error}") from error

    @property
    def name(self) -> str:
        return self._name

    @property
    def context(self) -> int | None:
        return self._context if self._live is None else self._live.context

    @property
    def left(self) -> int:
        """Exchanges that were not asked for yet."""
        return len(self._exchanges) - self._next

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
        if self._next >= len(self._exchanges):
            if self._live is not None:
                return self._live.complete(messages, tools, options=options, seconds=seconds, on_text=on_text)
            raise Departed(f"the replay departs at call {self._next + 1} of the model: the recording has {len(self._exchanges)}")
        asked, reply = self._exchanges[self._next]
        now = _asked(self._name, messages, tools, options)
        if asked["digest"] != now["digest"]:
            raise Departed(f"the replay departs at call {self._next + 1} of the model: {_difference(asked, now, messages)}")
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
        """As ChatModel.close."""
        if self._live is not None:
            self._live.close()


def spent(exchanges: Exchanges) -> tuple[int, float]:
    """Tokens and US dollars that recorded exchanges were paid with; what came from a cache was not."""
    replies = [from_json(exchange["reply"]) for exchange in exchanges if exchange.get("spent") and "reply" in exchange]
    return sum(reply.usage.total for reply in replies), sum(reply.money or 0.0 for reply in replies)


def _outcome(exchange: Mapping[str, Any]) -> Reply | str:
    """The reply of a recorded exchange, or the words of its ContextOverflow."""
    return str(exchange["overflow"]) if "overflow" in exchange else from_json(exchange["reply"])


def _asked(name: str, messages: Sequence[Message], tools: Sequence[ToolLike], options: Options) -> dict[str, Any]:
    return {
        "model": name,
        "digest": request_digest(name, messages, tools, options),
        "messages": [message_digest(message)[:_SHORT] for message in messages],
        "tools": digest({"tools": [{"name": tool.name, "about": tool.description, "schema": dict(tool.schema)} for tool in tools]})[
            :_SHORT
        ],
    }


def _difference(then: Mapping[str, Any], now: Mapping[str, Any], messages: Sequence[Message]) -> str:
    for number, (before, after, message) in enumerate(zip(then["messages"], now["messages"], messages, strict=False), 1):
        if before != after:
            return f"message {number} ({message.role}) is another; it begins with {redacted(message.text)[:80]!r}"
    if len(then["messages"]) != len(now["messages"]):
        return f"{len(then['messages'])} messages were sent and are now {len(now['messages'])}"
    if then["tools"] != now["tools"]:
        return "the tools that are offered are others"
    return "the model or the options of the request are others"
