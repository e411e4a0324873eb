"""One small question to a model, and what becomes of its failures: the one place where they are caught."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from ml_agent.errors import InfrastructureError, NoAnswer
from ml_agent.limits import Remaining
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Fault, Message, Options, Reply
from ml_agent.models.patience import Patience, insist

T = TypeVar("T")

_REPLIES = 2
"""Unusable replies to one question, before the model is held to have failed."""
_SECONDS = 0.5
"""Of the time that is left, what the questions of one step may take: the answer has still to be checked, run and handed in."""
_LEAST_TOKENS = 100
"""For a reply: with fewer left nothing is asked."""
_MARGIN = 1.3
"""How much more tokens a request may have than were counted."""


class ModelFailed(Exception):
    """The model gives nothing that can be used."""


class Asker:
    """Asks so that something is left of the run's limits: a model that takes too long, or whose tokens run out, has failed.

    What it costs is known from its replies alone, so that a replay asks the same. A limit in money cannot be looked ahead to: it ends
    the run (LimitReached), as it does any other.
    """

    def __init__(self, model: ChatModel, system: str, options: Options) -> None:
        self._model, self._system, self._options = model, system, options
        self._left: Remaining | None = None
        self._replies: list[Reply] = []
        """Of the step that is being decided: what is left of the limits does not count them yet."""

    def ask(self, question: str, schema: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T | None], left: Remaining) -> T:
        """What `read` makes of the reply's object; None from it says that the object is not as asked. Raises ModelFailed.

        `left` is what remains as of the step that is being decided.
        """
        if left is not self._left:
            self._left, self._replies = left, []
        try:
            return insist(
                lambda messages: self._complete(messages, schema, left),
                [Message("system", self._system), Message("user", question)],
                lambda reply: read(reply.data) if reply.data is not None and not reply.faults else None,
                Fault("not_json", f"The JSON object has to fit this schema: {dict(schema)}"),
                Patience(_REPLIES),
            )
        except (InfrastructureError, ContextOverflow, NoAnswer) as error:
            raise ModelFailed(" ".join(str(error).split())[:200]) from error

    def _complete(self, messages: list[Message], schema: Mapping[str, Any], left: Remaining) -> Reply:
        options = replace(self._options, schema=schema)
        tokens = left.tokens - sum(reply.usage.total for reply in self._replies) - math.ceil(_MARGIN * self._model.count(messages))
        if tokens < _LEAST_TOKENS:
            raise ModelFailed("too few tokens are left")
        if math.isfinite(tokens):
            options = replace(options, max_tokens=min(options.max_tokens or int(tokens), int(tokens) - 1))
        seconds = max(1.0, _SECONDS * left.seconds - sum(reply.seconds for reply in self._replies))
        reply = self._model.complete(messages, options=options, seconds=seconds)
        self._replies.append(reply)
        return reply
