"""What is the same for all that stands in front of a model: it has the model's name and price, counts as it does and closes it."""

from collections.abc import Sequence

from ml_agent.models.messages import ChatModel, Message, ToolLike
from ml_agent.models.prices import Price


class Wrapped:
    """A ChatModel but for `complete`, which is where the wrappers differ."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def price(self) -> Price | None:
        return self._model.price

    @property
    def context(self) -> int | None:
        return self._model.context

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        """As ChatModel.count."""
        return self._model.count(messages, tools)

    def close(self) -> None:
        """As ChatModel.close."""
        self._model.close()
