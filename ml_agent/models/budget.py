"""A model that is held to a run's limits."""

import math
from collections.abc import Sequence

from ml_agent.errors import InfrastructureError, LimitReached, UsageError
from ml_agent.limits import Limits
from ml_agent.models.messages import ChatModel, Message, OnText, Options, Reply, ToolLike
from ml_agent.models.wrapped import Wrapped


class Budgeted(Wrapped):
    """Every reply is paid for from `limits`; the time left bounds each request.

    Raises UsageError if money is limited and the model's price is not known: such a limit could not be kept.
    """

    def __init__(self, model: ChatModel, limits: Limits) -> None:
        if model.price is None and math.isfinite(limits.money):
            raise UsageError(f"the price of {model.name} is not known, so a limit in money cannot be kept: limit tokens instead")
        super().__init__(model)
        self._limits = limits

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        """As ChatModel.complete. Raises LimitReached where tokens, money or seconds are spent."""
        self._limits.check("seconds", "tokens", "money")
        within = min(seconds, self._limits.remaining().seconds)
        try:
            reply = self._model.complete(messages, tools, options=options, seconds=within, on_text=on_text)
        except InfrastructureError as error:
            if self._limits.remaining().seconds <= 0:
                raise LimitReached("seconds", f"the limit of {self._limits.seconds:g} seconds is spent ({error})") from error
            raise
        if not reply.cached:
            self._limits.spend(tokens=reply.usage.total, money=reply.money or 0.0)
        return reply
