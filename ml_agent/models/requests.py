"""A request to a model in one canonical form, so that it can be recognised when it comes again."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from ml_agent.models.messages import Message, Options, ToolLike, clean
from ml_agent.models.redaction import known_secrets, redacted

_KNOWN = 1024
"""Messages whose digests are kept: a conversation is sent again with each request."""


def message_digests(messages: Sequence[Message]) -> list[str]:
    """SHA-256 of all of each message, keys redacted as they are where it is stored.

    The ids of calls, which a service draws anew each time, do not count.
    """
    secrets = known_secrets()
    return [_message_digest(m.role, m.text, _calls(m), secrets) for m in messages]


@lru_cache(maxsize=_KNOWN)
def _message_digest(role: str, text: str, calls: str, secrets: tuple[str, ...]) -> str:
    return _digest(redacted({"role": role, "text": text, "calls": json.loads(calls)}, secrets))


def _calls(message: Message) -> str:
    return json.dumps([{"tool": call.tool, "arguments": dict(call.arguments)} for call in message.calls], default=str)


def tools_digest(tools: Sequence[ToolLike]) -> str:
    """SHA-256 of all that a model is told of the tools."""
    return _digest([{"name": tool.name, "description": tool.description, "schema": dict(tool.schema)} for tool in tools])


def request_digest(name: str, messages: Sequence[str], tools: str, options: Options) -> str:
    """SHA-256 of all that a reply depends on, of the digests of the messages and of the tools."""
    return _digest({"model": name, "messages": list(messages), "tools": tools, "options": asdict(options)})


def _digest(value: Any) -> str:
    """Of a JSON-able value, whatever the order of its keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(clean(text).encode()).hexdigest()
