"""A chat model by name: `openai:gpt-4o`, `anthropic:...`, any provider that langchain knows, or `gguf:PATH` on this machine."""

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ml_agent.errors import UsageError
from ml_agent.models.messages import ChatModel
from ml_agent.models.redaction import KEY_VARIABLES
from ml_agent.models.retry import RetryRule

if TYPE_CHECKING:
    from ml_agent.models.langchain_model import ToolMode

TOOL_MODES = ("auto", "native", "json")
_NAME = re.compile(r"([a-z][a-z0-9_]*):(\S+)")
_NO_KEY = "none"
"""What a service of the user's own gets as a key, where the environment has none."""


def load_model(
    name: str,
    base_url: str | None = None,
    tool_mode: "ToolMode" = "auto",
    *,
    rule: RetryRule | None = None,
    trace: bool = False,
    context: int | None = None,
) -> ChatModel:
    """The model `provider:model`, ready to be asked; close it when done.

    With `base_url` a name without a provider is a model of the OpenAI-compatible service there. `gguf:PATH` starts a server on
    this machine. `context`: tokens that the model can hold, where that is not known of it; of `gguf:` the server's size. Keys are taken
    from the environment. `trace` lets langsmith's own settings decide; otherwise nothing is traced. Raises UsageError for a name, package
    or key that is missing, InfrastructureError if a model on this machine does not start.
    """
    if tool_mode not in TOOL_MODES:
        raise UsageError(f"the tool mode {tool_mode!r} is none of {', '.join(TOOL_MODES)}")
    if base_url is not None:
        _check_url(base_url)
    if name.startswith("gguf:"):
        if base_url is not None:
            raise UsageError("gguf: starts its own server; leave --base-url out")
        from ml_agent.models.local import local_model

        return local_model(name, tool_mode, rule=rule or RetryRule(), trace=trace, context=context)
    provider, model = _split(name, base_url)
    from ml_agent.models.langchain_model import LangchainModel
    from ml_agent.models.prices import price_of
    from ml_agent.models.providers import make_chat

    full = f"{provider}:{model}"
    settings = (
        {"base_url": base_url, "api_key": os.environ.get(KEY_VARIABLES[provider], _NO_KEY)}
        if base_url and provider in KEY_VARIABLES
        else {}
    )
    if base_url and not settings:
        settings = {"base_url": base_url}
    chat = make_chat(provider, model, **settings)
    elsewhere = base_url is not None or (
        provider == "openai" and bool(os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE"))
    )
    price = None if elsewhere else price_of(full)
    return LangchainModel(chat, name=full, mode=tool_mode, price=price, rule=rule or RetryRule(), trace=trace, context=context)


def _split(name: str, base_url: str | None) -> tuple[str, str]:
    """Provider and model. A service of the user's own may have colons in its models' names (`qwen2.5:7b`)."""
    match = _NAME.fullmatch(name)
    if match and (base_url is None or match[1] in KEY_VARIABLES or match[1] in ("ollama", "huggingface", "bedrock")):
        return match[1], match[2]
    if base_url is not None and re.fullmatch(r"\S+", name):
        return "openai", name
    raise UsageError(f"the model {name!r} is not of the form provider:model, such as openai:gpt-4o or gguf:model.gguf")


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise UsageError(f"the base URL {url!r} is not of the form http://host:port/v1")
    if parts.password or parts.username:
        raise UsageError("the base URL holds a name or password: leave them out and set the key in the environment")
