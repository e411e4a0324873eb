"""Which chat model, and how it is spoken to: plain values that can be written down, and the model made of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.limits import Limits
from ml_agent.models.messages import ChatModel

if TYPE_CHECKING:
    from ml_agent.models.langchain_model import ToolMode


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A chat model by name, see models.load."""

    name: str
    base_url: str | None = None
    tool_mode: "ToolMode" = "auto"
    context_tokens: int | None = None
    """What it can hold, where that is not known of it."""
    cache: str | None = None
    """The file of a cache of replies."""

    def open(self) -> ChatModel:
        """The model, ready to be asked; close it when done. Raises as models.load.load_model does."""
        from ml_agent.models.load import load_model

        model = load_model(self.name, self.base_url, self.tool_mode, context=self.context_tokens)
        if self.cache is None:
            return model
        from ml_agent.models.cache import Cached

        try:
            return Cached(model, Path(self.cache))
        except BaseException:
            model.close()
            raise


def held(model: ChatModel, limits: Limits, write: Callable[[Mapping[str, Any]], None]) -> ChatModel:
    """The model for one run: paid for from its limits, each exchange handed to `write`."""
    from ml_agent.models.budget import Budgeted
    from ml_agent.models.recording import Recorder

    return Recorder(Budgeted(model, limits), write)
