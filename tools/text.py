"""Text of observations: capped for a model, and data made plain for JSON."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from ml_agent.tools.base import TEXT_LIMIT


def cap(text: str, limit: int = TEXT_LIMIT, hint: str = "") -> str:
    """`text` in at most `limit` characters, the note included that says what was cut and, as `hint`, how to see it.

    It is cut at the end of a line where one is near.
    """
    if len(text) <= limit:
        return text
    note = "\n[cut here: {characters} characters, {lines} lines more" + (f"; {hint}]" if hint else "]")
    room = max(0, limit - len(note.format(characters=len(text), lines=len(text))))
    newline = text.rfind("\n", room - room // 4, room)
    end = newline if newline > 0 else room
    rest = text[end:].removeprefix("\n")
    return text[:end] + note.format(characters=len(rest), lines=rest.count("\n") + (not rest.endswith("\n")))


def plain(value: Any) -> Any:
    """Dataclasses as dicts and tuples as lists, all the way down: what JSON gives back after a round trip."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def numbered(lines: Iterable[str], start: int) -> str:
    """Lines with their numbers in front."""
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines, start))


def shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
