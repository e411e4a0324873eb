"""Jupyter notebooks: the source of code and text cells, each with its line in the file. Outputs are passed over."""

import json
import re
from collections.abc import Callable
from typing import Any

from ml_agent.repo.documents.builder import Builder, language_of
from ml_agent.repo.documents.markdown import read_markdown

MAX_CELLS = 5_000
MAX_TRIES = 20
_CELLS = re.compile(r'"cells"\s*:\s*\[')
_SOURCE = re.compile(r'"(?:source|input)"\s*:\s*')  # `input` in the format before 2015
_LANGUAGE_INFO = re.compile(r'"(language_info|kernelspec)"\s*:\s*(?=\{)')
_LIST = re.compile(r"\[\s*")
_BETWEEN = re.compile(r"[\s,]*")
_CELL_MAGIC = re.compile(r"%%\s*(!|\w+)")
_MAGIC_LANGUAGES = {
    "bash": "bash",
    "sh": "bash",
    "shell": "bash",
    "!": "bash",
    "script": "bash",
    "html": "html",
    "javascript": "javascript",
}
_MAGIC_LANGUAGES |= {name: name for name in ("js", "latex", "markdown", "perl", "ruby", "r", "sql", "cython", "svg")}
_DECODER = json.JSONDecoder(strict=False)


def read_notebook(builder: Builder, text: str) -> None:
    """Feed a notebook's JSON to the builder. What is malformed ends the reading with a note."""
    start = _CELLS.search(text)
    if start is None:
        builder.note("not a notebook: no list of cells")
        return
    language = _language(text)
    at, lines = start.end(), _LineCounter(text)
    for _ in range(MAX_CELLS):
        found = _BETWEEN.match(text, at)
        at = found.end() if found else at
        if text.startswith("]", at):
            return
        try:
            cell, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            builder.note(f"malformed JSON after line {lines.at(at)}: the cells up to there were read")
            return
        if isinstance(cell, dict):
            _cell(builder, cell, language, _positions(text, cell, at, end, lines))
        at = end
    builder.note(f"more than {MAX_CELLS:,} cells: the rest was dropped")


def _cell(builder: Builder, cell: dict[str, Any], language: str, line_of: Callable[[int], int]) -> None:
    source = _joined(_source(cell))
    outer = builder.line_of
    builder.line_of = line_of
    if cell.get("cell_type") == "markdown":
        read_markdown(builder, source)
    elif cell.get("cell_type") == "code":
        _code(builder, source, language)
    builder.line_of = outer


def _code(builder: Builder, source: str, language: str) -> None:
    """A code cell as it stands; one that a magic hands to another language is without the magic's line."""
    first, _, rest = source.partition("\n")
    magic = _CELL_MAGIC.match(first)
    other = _MAGIC_LANGUAGES.get(magic[1].lower()) if magic else None
    if other is not None:
        builder.code(other, rest, 2)
    else:
        builder.code(language, source, 1)


def _positions(text: str, cell: dict[str, Any], start: int, end: int, lines: "_LineCounter") -> Callable[[int], int]:
    """From a line of the cell's source to the line of the file."""
    keys = list(_SOURCE.finditer(text, start, end))
    # The cell's own key is the first, or the last after the outputs', which may hold keys of the same name.
    for key in [*keys[:1], *reversed(keys[1:])][:MAX_TRIES]:
        try:
            value, after = _DECODER.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            continue
        if value != _source(cell):
            continue
        at = key.end()
        found = _LIST.match(text, at)
        spread = isinstance(value, list) and text.count("\n", at, after) >= len(value) and all(str(part).count("\n") <= 1 for part in value)
        return _counting(lines.at(found.end() if found else at), 1 if spread else 0)
    return _counting(lines.at(start), 0)


def _counting(first: int, step: int) -> Callable[[int], int]:
    return lambda line: first + step * (line - 1)


def _source(cell: dict[str, Any]) -> object:
    return cell.get("source", cell.get("input"))


def _joined(source: object) -> str:
    parts = source if isinstance(source, list) else [source]
    return "".join(part for part in parts if isinstance(part, str)).replace("\r\n", "\n").replace("\r", "\n")


def _language(text: str) -> str:
    for key in _LANGUAGE_INFO.finditer(text):
        try:
            info, _ = _DECODER.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            continue
        name = info.get("name" if key[1] == "language_info" else "language")
        if isinstance(name, str) and name:
            return language_of(name)
    return "python"


class _LineCounter:
    """Line numbers of positions that only grow, without counting from the beginning each time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position, self._line = 0, 1

    def at(self, position: int) -> int:
        if position >= self._position:
            self._line += self._text.count("\n", self._position, position)
            self._position = position
            return self._line
        return self._line - self._text.count("\n", position, self._position)
