"""Record what a model was asked and replied, and replay it without the model: the same replies, or a word on where the run departs.

An exchange is a JSON object: `asked`, digests of the request, and `reply`, or `raised`, the error that came in its place: a policy may
go on after it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ml_agent.errors import Departed, InfrastructureError, LimitReached, MlAgentError, UsageError
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message, OnText, Options, Reply, ToolLike, from_json, to_json
from ml_agent.models.prices import Price
from ml_agent.models.redaction import redacted
from ml_agent.models.requests import message_digests, request_digest, tools_digest
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
        except (ContextOverflow, InfrastructureError, LimitReached) as error:
            raised = {"error": type(error).__name__, "text": str(error), "limit": getattr(error, "limit", None)}
            self._write({"asked": asked, "raised": redacted(raised)})
            raise
        self._write({"asked": asked, "reply": redacted(to_json(reply)), "spent": not reply.cached})
        return reply


class Replayed:
    """Recorded exchanges in place of a model, each for the very request that it was recorded of; behind the last one, `live` is asked.

    Raises UsageError if they are no exchanges, and Departed when asked for something else.
    """

    price: Price | None = Price(0.0, 0.0, "")

    def __init__(self, exchanges: Exchanges, name: str, live: ChatModel | None = None, context: int | None = None) -> None:
        self._next, self._name, self._live, self._context = 0, name, live, context
        if live is not None:
            self.price = live.price
        self._exchanges = [_read(exchange) for exchange in exchanges]

    @classmethod
    def whole(cls, exchanges: Exchanges) -> "Replayed":
        """All of a run, without a model behind it: its name and context are the recorded ones."""
        first: Any = exchanges[0].get("asked") if exchanges else None
        asked = first if isinstance(first, Mapping) else {}
        context = asked.get("context")
        return cls(exchanges, str(asked.get("model", "")), context=context if isinstance(context, int) else None)

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
        asked, reply, _ = self._exchanges[self._next]
        now = _asked(self._name, messages, tools, options)
        if asked["digest"] != now["digest"]:
            raise Departed(f"the replay departs at call {self._next + 1} of the model: {_difference(asked, now, messages)}")
        self._next += 1
        if isinstance(reply, MlAgentError):
            raise reply
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


class Unused(Wrapped):
    """In front of a model: replies that a run was given and stopped before anything came of them.

    Each is given out for the request that it is of, as if it were paid for now, so that it is not paid for again. With the first other
    request, or an error in place of a reply, the rest is dropped. Raises UsageError if they are no exchanges.
    """

    def __init__(self, model: ChatModel, exchanges: Exchanges) -> None:
        super().__init__(model)
        self._exchanges = [_read(exchange) for exchange in exchanges]

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        """As ChatModel.complete."""
        if self._exchanges:
            asked, reply, paid = self._exchanges.pop(0)
            if isinstance(reply, Reply) and asked["digest"] == _asked(self.name, messages, tools, options)["digest"]:
                return replace(reply, cached=not paid)
            self._exchanges.clear()
        return self._model.complete(messages, tools, options=options, seconds=seconds, on_text=on_text)


def spent(exchanges: Exchanges) -> tuple[int, float]:
    """Tokens and US dollars that recorded exchanges were paid with; what came from a cache was not.

    Raises UsageError if they are no exchanges.
    """
    replies = [reply for _, reply, paid in map(_read, exchanges) if paid and isinstance(reply, Reply)]
    return sum(reply.usage.total for reply in replies), sum(reply.money or 0.0 for reply in replies)


def _read(exchange: Mapping[str, Any]) -> tuple[Mapping[str, Any], Reply | MlAgentError, bool]:
    """What was asked, what came of it, and whether it was paid for."""
    try:
        stored = exchange["asked"]
        asked = {"digest": str(stored["digest"]), "messages": list(stored["messages"]), "tools": str(stored["tools"])}
        return asked, _outcome(exchange), bool(exchange.get("spent"))
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"the recording of the model is not whole: {type(error).__name__} {error}") from error


def _outcome(exchange: Mapping[str, Any]) -> Reply | MlAgentError:
    if "reply" in exchange:
        return from_json(exchange["reply"])
    raised = exchange["raised"]
    kind, text = str(raised["error"]), str(raised["text"])
    if kind == "LimitReached":
        return LimitReached(str(raised["limit"]), text)
    return ContextOverflow(text) if kind == "ContextOverflow" else InfrastructureError(text)


def _asked(name: str, messages: Sequence[Message], tools: Sequence[ToolLike], options: Options) -> dict[str, Any]:
    digests, offered = message_digests(messages), tools_digest(tools)
    return {
        "model": name,
        "digest": request_digest(name, digests, offered, options),
        "messages": [one[:_SHORT] for one in digests],
        "tools": offered[:_SHORT],
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
