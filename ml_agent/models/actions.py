"""Tool calls as JSON in the text, for models without calls of their own: the schema, the words, the reading."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ml_agent.models.messages import Message, ToolLike
from ml_agent.trajectory import ToolCall

_TRIED = 50
"""Opening braces in a text at which an object may begin."""


def action_schema(tools: Sequence[ToolLike]) -> dict[str, Any]:
    """JSON schema of one action: a thought, the tool's name, its arguments. Definitions that tools share a name of keep apart."""
    kinds, definitions = [], {}
    for tool in tools:
        schema, own = _hoisted(tool)
        definitions.update(own)
        kinds.append(
            {
                "type": "object",
                "properties": {"thought": {"type": "string"}, "tool": {"const": tool.name}, "arguments": schema},
                "required": ["thought", "tool", "arguments"],
                "additionalProperties": False,
            }
        )
    whole: dict[str, Any] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {**whole, "$defs": definitions} if definitions else whole


def _hoisted(tool: ToolLike) -> tuple[dict[str, Any], dict[str, Any]]:
    """A tool's schema, and its definitions under names of their own: a reference counts from the root of the whole schema."""

    def renamed(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: _reference(tool.name, v) if key == "$ref" and isinstance(v, str) else renamed(v) for key, v in value.items()}
        return [renamed(v) for v in value] if isinstance(value, list) else value

    schema = dict(tool.schema)
    definitions = schema.pop("$defs", {})
    return renamed(schema), {f"{tool.name}.{name}": renamed(value) for name, value in definitions.items()}


def _reference(tool: str, reference: str) -> str:
    return reference.replace("#/$defs/", f"#/$defs/{tool}.", 1)


def action_messages(messages: Sequence[Message], tools: Sequence[ToolLike]) -> list[Message]:
    """The conversation as texts alone: the tools in the system message, calls as JSON, results as the user's words."""
    told = _instructions(tools)
    rendered: list[Message] = []
    names: dict[str, str] = {}
    for message in messages:
        names.update({call.id: call.tool for call in message.calls})
        if message.role == "system" and told:
            rendered.append(Message("system", f"{message.text}\n\n{told}"))
            told = ""
        elif message.role == "assistant" and message.calls:
            rendered.append(Message("assistant", "\n".join(_action(call, message.text) for call in message.calls)))
        elif message.role == "tool":
            rendered.append(Message("user", f"Result of {names.get(message.call_id, 'the call')}:\n{message.text}"))
        else:
            rendered.append(message)
    return merged_words([Message("system", told), *rendered] if told else rendered)


def _action(call: ToolCall, thought: str) -> str:
    return json.dumps({"thought": thought, "tool": call.tool, "arguments": dict(call.arguments)}, ensure_ascii=False, default=str)


def merged_words(messages: Iterable[Message]) -> list[Message]:
    """The user's words in a row as one message: chat templates want the roles to take turns."""
    merged: list[Message] = []
    for message in messages:
        if merged and message.role == merged[-1].role == "user":
            merged[-1] = Message("user", f"{merged[-1].text}\n\n{message.text}")
        else:
            merged.append(message)
    return merged


def _instructions(tools: Sequence[ToolLike]) -> str:
    lines = [f"- {tool.name}: {tool.description}\n  arguments: {json.dumps(dict(tool.schema), ensure_ascii=False)}" for tool in tools]
    return (
        'Reply with one JSON object and nothing else: {"thought": why, "tool": name of the tool, "arguments": its arguments}.\n'
        "The tools:\n" + "\n".join(lines)
    )


def object_request(messages: Sequence[Message], schema: Mapping[str, Any]) -> list[Message]:
    """The messages with the request for an object of this schema, for services that cannot enforce one."""
    asked = f"Reply with one JSON object and nothing else. Its JSON schema: {json.dumps(dict(schema), ensure_ascii=False)}"
    if messages and messages[0].role == "system":
        return [Message("system", f"{messages[0].text}\n\n{asked}"), *messages[1:]]
    return [Message("system", asked), *messages]


def find_object(text: str) -> dict[str, Any] | None:
    """The first whole JSON object in a text, in a fence or among words."""
    decoder, at = json.JSONDecoder(), -1
    for _ in range(_TRIED):
        at = text.find("{", at + 1)
        if at < 0:
            return None
        try:
            value, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def looks_like_action(text: str, tools: Sequence[ToolLike]) -> bool:
    """Whether a model that was offered tools wrote its call into the text."""
    found = find_object(text) or {}
    names = [tool.name for tool in tools]
    return found.get("name") in names or found.get("tool") in names
