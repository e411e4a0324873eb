"""A request to a model in one canonical form, so that it can be recognised when it comes again."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ml_agent.models.messages import Message, Options, ToolLike, clean
from ml_agent.models.redaction import redact


def message_digest(message: Message) -> str:
    """SHA-256 of all of a message, keys redacted. The ids of calls, which a service draws anew each time, do not count."""
    calls = [{"tool": call.tool, "arguments": dict(call.arguments)} for call in message.calls]
    return digest({"role": message.role, "text": message.text, "calls": calls})


def request_digest(name: str, messages: Sequence[Message], tools: Sequence[ToolLike], options: Options) -> str:
    """SHA-256 of all that a reply depends on."""
    offered = [{"name": tool.name, "description": tool.description, "schema": dict(tool.schema)} for tool in tools]
    return digest({"model": name, "messages": [message_digest(m) for m in messages], "tools": offered, "options": asdict(options)})


def digest(value: Mapping[str, Any]) -> str:
    """SHA-256 of a JSON-able value, whatever the order of its keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(redact(clean(text)).encode()).hexdigest()
