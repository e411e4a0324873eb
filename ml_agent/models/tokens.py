"""Counting tokens without a download: exactly for OpenAI's models (bpe-openai carries its encodings), else four characters a token."""

import importlib
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ml_agent.models.messages import Message, ToolLike, clean

CHARACTERS_A_TOKEN = 4
_OLDER = re.compile(r"gpt-(?:4(?!o|\.|\d)|3\.5)")
"""Models of OpenAI before the encoding that all have had since."""
_A_MESSAGE = 4
"""Tokens that a message costs beside its text, about."""


def count_tokens(text: str, name: str) -> int:
    """Tokens of a text for the model `provider:model`."""
    counter, _ = _counter(name)
    return counter(clean(text))


def how_counted(name: str) -> str:
    """How tokens of this model are counted, in a few words."""
    return _counter(name)[1]


def count_request(messages: Sequence[Message], tools: Sequence[ToolLike], name: str) -> int:
    """Tokens of a request, about: its texts, calls and tools' schemas, and a few for each message."""
    texts = [message.text for message in messages]
    texts += [f"{call.tool} {json.dumps(dict(call.arguments), default=str)}" for message in messages for call in message.calls]
    texts += [f"{tool.name} {tool.description} {json.dumps(dict(tool.schema))}" for tool in tools]
    return sum(count_tokens(text, name) for text in texts) + _A_MESSAGE * len(messages)


@cache
def _counter(name: str) -> tuple[Callable[[str], int], str]:
    provider, _, model = name.partition(":")
    if provider in ("openai", "azure_openai"):
        try:
            bpe_openai: Any = importlib.import_module("bpe_openai")  # without types
        except ImportError:
            pass
        else:
            encoding = bpe_openai.get_encoding("cl100k_base" if _OLDER.match(model) else "o200k_base")
            return (lambda text: len(encoding.encode_ordinary(text))), str(encoding.name)
    return (lambda text: -(-len(text) // CHARACTERS_A_TOKEN)), "four characters a token, about"
