"""Texts of a conversation cut shorter. Each cut says what was left out and, of a call's result, how to read it again."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ml_agent.models.messages import Message
from ml_agent.trajectory import ToolCall

_FIRST_LINE = 120
"""Characters that are kept of a result's first line: it often says how the call went."""
_CALL = 160
"""Characters of a call that are repeated in a note."""
_END = 3
"""Of what is kept of a long text one part in so many is its end."""


def result_note(text: str, call: ToolCall | None) -> str:
    """A result reduced to its first line and a note."""
    first, _, rest = text.partition("\n")
    head = first[:_FIRST_LINE]
    whole = len(first) == len(head) and bool(rest)
    left_out = f"{len(rest.splitlines())} more lines" if whole else f"{len(text) - len(head)} more characters"
    return f"{head}\n[{left_out} were left out here to make room{_again(call)}]"


def shortened(text: str, tokens: int, count: Callable[[str], int], call: ToolCall | None = None) -> str:
    """The beginning and the end of a text around a note, in at most so many tokens, or the note alone where that is too long."""
    total = count(text)
    if total <= tokens:
        return text
    kept = max(0, len(text) * tokens // total - len(_middle(text, 0, call)))
    while True:
        made = _middle(text, kept, call)
        size = count(made)
        if kept == 0 or size <= tokens:
            return made
        kept = max(0, min(kept - 1, int(0.99 * kept * tokens / size)))


def shortened_words(message: Message, characters: int) -> Message:
    """What a model said, with no text and no argument of a call longer than about so many characters."""

    def cut(call: ToolCall) -> ToolCall:
        return replace(call, arguments={name: _cut(value, characters) for name, value in call.arguments.items()})

    return replace(message, text=_cut(message.text, characters), calls=tuple(map(cut, message.calls)))


def _middle(text: str, kept: int, call: ToolCall | None) -> str:
    end = kept // _END
    note = f"[{len(text) - kept} characters were left out here to make room{_again(call)}]"
    return "\n".join(part for part in (text[: kept - end], note, text[len(text) - end :] if end else "") if part)


def _again(call: ToolCall | None) -> str:
    """How a result is read again, in the words of the call that brought it."""
    if call is None:
        return ""
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
    return f"; to see them again: {call.tool} {arguments if len(arguments) <= _CALL else 'with the same arguments'}"


def _cut(value: Any, characters: int) -> Any:
    """A string, or what is not one as JSON, if it is longer than that: its beginning and a note."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    if len(text) <= characters:
        return value
    note = f" [{len(text) - characters} characters were left out here]"
    return text[:characters] + note if len(text) > characters + len(note) else value
