"""From the data of observations back to the types of the repository's floor."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from ml_agent.policies.grounded.material import Material
from ml_agent.repo.callables import Callee
from ml_agent.repo.commands import Command
from ml_agent.repo.documents import CodeBlock, Section
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.trajectory import Observation

T = TypeVar("T")
_SHOWN_ALONE = 0.5
"""What an example in a docstring counts, beside a section of a document: it shows one thing, and seldom what to do with it."""


_adapters: dict[type, Any] = {}


def _adapter(kind: type) -> Any:
    if kind not in _adapters:
        from pydantic import TypeAdapter

        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def _scored(kind: type[T], rows: list[dict[str, Any]]) -> list[tuple[float, T]]:
    """Rows with a `score` beside the fields of `kind`."""
    adapter = _adapter(kind)
    return [(float(r["score"]), adapter.validate_python({k: v for k, v in r.items() if k != "score"})) for r in rows]


def _scaled(kind: type[T], rows: list[dict[str, Any]]) -> list[tuple[float, T]]:
    """The same, with scores from 0 to 1."""
    top = max((float(r["score"]) for r in rows), default=0.0) or 1.0
    return [(score / top, one) for score, one in _scored(kind, rows)]


def programs_of(observation: Observation) -> Material:
    """What the tool `entry_points` found."""
    programs, commands = (list(observation.data.get(name, ())) for name in ("entry_points", "commands"))
    return Material(_scaled(EntryPoint, programs), _scaled(Command, commands))


def callables_of(observation: Observation) -> list[tuple[float, Callee]]:
    """What the tool `search_symbols` found to call, with its own scores: 1 and more for a name that is said."""
    return _scored(Callee, list(observation.data.get("callables", ())))


def sections_of(observation: Observation) -> list[tuple[float, Section]]:
    """What the tool `read_readme` found."""
    found: list[tuple[float, Section]] = []
    rows = list(observation.data.get("sections", ()))
    top = max((float(r["score"]) for r in rows), default=0.0) or 1.0
    for row in rows:
        headings = tuple(row["headings"])
        blocks = tuple(CodeBlock(b["language"], b["code"], row["path"], b["line"], headings, b["intro"]) for b in row["blocks"])
        found.append((float(row["score"]) / top, Section(row["path"], row["line"], headings, row["text"], blocks)))
    return found


def examples_of(callables: Sequence[tuple[float, Callee]], have: Sequence[tuple[float, Section]]) -> list[tuple[float, Section]]:
    """What docstrings show of classes and functions, as sections of a document; but not what a document shows already.

    The import of a class is added where the example leaves it out.
    """
    shown = {line.strip() for _, s in have for b in s.blocks for line in b.code.splitlines()}
    found: list[tuple[float, Section]] = []
    for score, callee in callables:
        lines = [line.strip() for line in callee.example.splitlines() if "(" in line]
        if not callee.module or not lines or shown.issuperset(lines):
            continue
        known = re.search(rf"import\b.*\b{re.escape(callee.name)}\b|\.{re.escape(callee.name)}\b", callee.example)
        code = callee.example if known else f"from {callee.module} import {callee.name}\n{callee.example}"
        apart = ("#" * (len(found) + 1),)  # no words, but under one heading an example would go on from the one before
        block = CodeBlock("python", code, callee.path, callee.line, apart, callee.doc)
        found.append((_SHOWN_ALONE * min(1.0, score), Section(callee.path, callee.line, apart, callee.doc, (block,))))
    return found


def merged(found: list[tuple[float, Section]], whole: list[list[tuple[float, Section]]]) -> list[tuple[float, Section]]:
    """The sections found, and the others of documents read whole, which have no score."""
    have = {(s.path, s.line) for _, s in found}
    return [*found, *((0.0, s) for sections in whole for _, s in sections if (s.path, s.line) not in have)]


_ROOTS = ("src/", "python/", "lib/")
"""Folders that packages stand in, besides the root."""


def files_of(observation: Observation) -> tuple[str, ...]:
    """The paths that the tool `file_tree` listed."""
    return tuple(str(file["path"]) for file in observation.data.get("files", ()))


def own_modules(observation: Observation) -> frozenset[str]:
    """Names that can be imported from the root (or `src`), from the tool `file_tree` at depth 3 or more."""
    names = set()
    for file in observation.data.get("files", ()):
        path = str(file["path"])
        for root in _ROOTS:
            path = path.removeprefix(root)
        parts = path.split("/")
        if parts[-1].endswith(".py") and len(parts) <= 2:
            names.add(parts[0].removesuffix(".py"))
    return frozenset(names)
