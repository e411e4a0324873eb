"""langchain's chat models, by provider; what is missing for one is said in a line."""

import os
import re
from typing import TYPE_CHECKING, Any

from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.models.redaction import KEY_VARIABLES, redact

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def make_chat(provider: str, model: str, **settings: Any) -> "BaseChatModel":
    """langchain's model, without retries of its own. Raises UsageError if its package or key is missing."""
    variable = KEY_VARIABLES.get(provider)
    if variable and "api_key" not in settings and not os.environ.get(variable):
        raise UsageError(f"{provider} needs a key: set the environment variable {variable}")
    try:
        from langchain.chat_models import init_chat_model

        chat: BaseChatModel = init_chat_model(model, model_provider=provider, max_retries=0, **settings)
        return chat
    except ImportError as error:
        package = f"langchain-{provider.replace('_', '-')}" if error.name != "langchain" else "ml-agent[models]"
        said = re.search(r"pip install [\w.\-\[\]]+", str(error))
        raise UsageError(f"{provider} needs a package that is not installed: {said[0] if said else f'pip install {package}'}") from error
    except Exception as error:  # every provider's client refuses in its own way
        reason = redact(" ".join(str(error).split()))[:300]
        if "Unsupported provider" in reason:
            raise UsageError(
                f"there is no provider {provider!r}; for instance: {', '.join(sorted(KEY_VARIABLES))}, ollama, gguf"
            ) from error
        raise InfrastructureError(f"{provider}:{model} cannot be set up: {reason}") from error
