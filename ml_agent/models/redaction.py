"""Keys never reach a disk or a model: known values, and whatever looks like a key, are replaced."""

import os
import re
from collections.abc import Mapping
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
# A repository can hold any text: each pattern takes time that grows with the text alone, never with its square.
_KEY_LIKE = re.compile(
    r"""(?<![A-Za-z0-9])(?:
        sk-(?=[A-Za-z0-9_-]{0,32}?[A-Za-z0-9]{16})[A-Za-z0-9_-]{16,}   # not sk-learn-of-my-own
      | sk_(?:live|test)_[A-Za-z0-9]{16,}   # OpenAI, Anthropic, OpenRouter, Stripe
      | gh[pousr]_[A-Za-z0-9]{30,} | github_pat_[A-Za-z0-9_]{30,} | glpat-[A-Za-z0-9_-]{20,}
      | hf_[A-Za-z0-9]{30,} | gsk_[A-Za-z0-9]{30,} | xai-[A-Za-z0-9]{30,} | pplx-[A-Za-z0-9]{30,} | nvapi-[A-Za-z0-9_-]{30,}
      | AIza[A-Za-z0-9_-]{35,} | (?:AKIA|ASIA)[A-Z0-9]{16}[A-Za-z0-9]* | xox[abprs]-[A-Za-z0-9-]{10,} | lsv2_[A-Za-z0-9_]{30,}
      | eyJ[A-Za-z0-9_-]{10,1000}+\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}   # a JSON web token
    ) | -----BEGIN\ (?:[A-Z]+\ )*PRIVATE\ KEY-----[\s\S]*?(?:-----END\ (?:[A-Z]+\ )*PRIVATE\ KEY-----|\Z)
    """,
    re.VERBOSE,
)
_BEARER = re.compile(r"(?i)(\bbearer\s+|api[_-]?key[\"']?\s*[:=]\s*[\"']?)([A-Za-z0-9._~+/-]{16,}=*)")
_MARKS = (
    *("sk-", "sk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_", "gsk_", "xai-", "pplx-", "nvapi-"),
    *("AIza", "AKIA", "ASIA", "xox", "lsv2_", "eyJ", "-----BEGIN "),
)
"""One of them is in every text that _KEY_LIKE finds something in: looking for them is thirty times as fast."""
_WORDS = ("bearer", "apikey", "api_key", "api-key")
"""Likewise for _BEARER, in small letters."""


def redact(text: str, *, environment: Mapping[str, str] | None = None) -> str:
    """`text` with the values of the environment's keys, and what looks like a key of any service, replaced by `[redacted]`."""
    return _redact(text, known_secrets(environment))


def redacted(value: Any, secrets: tuple[str, ...] | None = None) -> Any:
    """A JSON-able value with the keys in its texts redacted; `secrets` are the `known_secrets`, where they are at hand."""
    secrets = known_secrets() if secrets is None else secrets
    whole = "\0".join(_texts(value, []))
    if _redact(whole, secrets) == whole:  # as nearly always: one look at all of it
        return value
    return _each(value, secrets)


def known_secrets(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The values of the environment's keys, longest first."""
    known = set(KEY_VARIABLES.values())
    variables = (os.environ if environment is None else environment).items()
    values = {v for name, v in variables if (name in known or _SECRET_NAME.search(name)) and len(v) >= _SHORTEST}
    values = {v for v in values if v not in REDACTED}  # else what is redacted would be again
    return tuple(sorted((v for v in values if not os.path.isabs(v)), key=len, reverse=True))  # a path to a file of credentials is no secret


def _redact(text: str, secrets: tuple[str, ...]) -> str:
    for value in secrets:
        text = text.replace(value, REDACTED)
    if any(mark in text for mark in _MARKS):
        text = _KEY_LIKE.sub(REDACTED, text)
    small = text.lower()
    return _BEARER.sub(rf"\1{REDACTED}", text) if any(word in small for word in _WORDS) else text


def _texts(value: Any, found: list[str]) -> list[str]:
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            _texts(key, found)
            _texts(one, found)
    elif isinstance(value, list | tuple):
        for one in value:
            _texts(one, found)
    return found


def _each(value: Any, secrets: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        return _redact(value, secrets)
    if isinstance(value, Mapping):
        return {_each(key, secrets): _each(one, secrets) for key, one in value.items()}
    return [_each(one, secrets) for one in value] if isinstance(value, list | tuple) else value
