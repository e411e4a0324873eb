"""Keys never reach a disk or a model: known values, and whatever looks like a key, are replaced."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

KEY_VARIABLES: Mapping[str, str] = {
    "anthropic": "ANTHROPIC_API_KEY",
    "azure_openai": "AZURE_OPENAI_API_KEY",
    "cohere": "COHERE_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "fireworks": "FIREWORKS_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "groq": "GROQ_API_KEY",
    "mistralai": "MISTRAL_API_KEY",
    "nvidia": "NVIDIA_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "perplexity": "PPLX_API_KEY",
    "together": "TOGETHER_API_KEY",
    "xai": "XAI_API_KEY",
}
"""Provider -> the environment variable that holds its key."""

REDACTED = "[redacted]"
_SHORTEST = 8
"""Characters; a shorter value of a variable is no key, and would be found in ordinary text."""
_SECRET_NAME = re.compile(r"(?:^|_)(?:API_?KEY|ACCESS_?KEY|SECRET(?:_?KEY)?|TOKEN|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
_KEY_LIKE = re.compile(
    r"""(?<![A-Za-z0-9])(?:
        sk-[A-Za-z0-9_-]{16,} | sk_(?:live|test)_[A-Za-z0-9]{16,}   # OpenAI, Anthropic, OpenRouter, Stripe
      | gh[pousr]_[A-Za-z0-9]{30,} | github_pat_[A-Za-z0-9_]{30,} | glpat-[A-Za-z0-9_-]{20,}
      | hf_[A-Za-z0-9]{30,} | gsk_[A-Za-z0-9]{30,} | xai-[A-Za-z0-9]{30,} | pplx-[A-Za-z0-9]{30,} | nvapi-[A-Za-z0-9_-]{30,}
      | AIza[A-Za-z0-9_-]{35} | (?:AKIA|ASIA)[A-Z0-9]{16} | xox[abprs]-[A-Za-z0-9-]{10,} | lsv2_[A-Za-z0-9_]{30,}
      | eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}   # a JSON web token
      | -----BEGIN\ (?:[A-Z]+\ )*PRIVATE\ KEY-----[\s\S]*?(?:-----END\ (?:[A-Z]+\ )*PRIVATE\ KEY-----|\Z)
    )""",
    re.VERBOSE,
)
_BEARER = re.compile(r"(?i)(\bbearer\s+|\b[\w-]*api[_-]?key[\"']?\s*[:=]\s*[\"']?)([A-Za-z0-9._~+/-]{16,}=*)")


def redact(text: str, *, environment: Mapping[str, str] | None = None) -> str:
    """`text` with the values of the environment's keys, and what looks like a key of any service, replaced by `[redacted]`."""
    for value in _secrets(os.environ if environment is None else environment):
        text = text.replace(value, REDACTED)
    return _BEARER.sub(rf"\1{REDACTED}", _KEY_LIKE.sub(REDACTED, text))


def redacted(value: Any) -> Any:
    """A JSON-able value with the keys in its texts redacted."""
    whole = "\0".join(_texts(value))
    if redact(whole) == whole:  # as nearly always: one look at all of it
        return value
    return _each(value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _texts(key)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def _each(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {_each(key): _each(one) for key, one in value.items()}
    return [_each(one) for one in value] if isinstance(value, list | tuple) else value


def _secrets(environment: Mapping[str, str]) -> list[str]:
    known = set(KEY_VARIABLES.values())
    values = {v for name, v in environment.items() if len(v) >= _SHORTEST and (name in known or _SECRET_NAME.search(name))}
    return sorted((v for v in values if not os.path.isabs(v)), key=len, reverse=True)  # a path to a file of credentials is no secret
