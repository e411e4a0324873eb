"""What is seen of a Python file at a glance, without parsing it: whose words stand in it, and what it imports."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ml_agent.repo.entrypoints.signs import Way, may_run, ways_in

PYTHON = (".py", ".pyw")

_IMPORT = re.compile(
    r"[ \t\f]*(?:from[ \t]*([.\w]+)(?:[ \t]|\\\n)+import[ \t]*(\([^)]{0,20000}\)|(?:\\\n|[^\n#;])+)|import[ \t]+((?:\\\n|[^\n#;])+))"
)
_LOOKED_BACK, _MANY = 1_000, 5_000
"""Characters in front of an import that may belong to it, and imports of one file: more would be looked for without end."""
_COMMENT = re.compile(r"#[^\n]*")


class Import(NamedTuple):
    """What a name stands for: a module, or `name` of a module."""

    module: str
    level: int
    """Dots in front, of a relative import."""
    name: str | None


@dataclass(frozen=True, slots=True)
class Glance:
    """What a text shows before it is parsed. Nothing of it depends on another file."""

    ways: frozenset[Way]
    """Whose words stand in it."""
    imports: tuple[Import, ...]
    may_run: bool
    """It has a word of those without which a file does not say that it can be run."""

    @classmethod
    def at(cls, text: str) -> "Glance":
        """At a file's text."""
        imports = tuple(dict.fromkeys(_imports_in(text)))
        return cls(ways_in(text, (one.module for one in imports if not one.level)), imports, may_run(text))

    def as_data(self) -> list[Any]:
        """Lists, strings, numbers and None alone."""
        return [sorted(self.ways), self.may_run, [(i.module, i.level, i.name) for i in self.imports]]

    @classmethod
    def from_data(cls, data: Any) -> "Glance":
        ways, runs, imports = data
        return cls(frozenset(ways), tuple(Import(*one) for one in imports), runs)


def _imports_in(text: str) -> Iterator[Import]:
    """The imports of a file, without parsing it."""
    end = count = 0
    at = text.find("import")
    while at >= 0 and count < _MANY:
        first = max(end, at - _LOOKED_BACK)
        start = max(first, text.rfind("\n", first, at) + 1)
        while start > first and text.endswith("\\\n", 0, start):
            start = max(first, text.rfind("\n", first, start - 1) + 1)
        found = _IMPORT.match(text, start) or _behind(text, start, at)
        if found:
            count, end = count + 1, found.end()
            yield from _imports_of(found)
        at = text.find("import", max(at + 6, end))


def _behind(text: str, start: int, at: int) -> re.Match[str] | None:
    """An import behind another statement: `try: import x`, `a = 1; from b import c`."""
    front = max(text.rfind(":", start, at), text.rfind(";", start, at))
    return _IMPORT.match(text, front + 1) if front >= 0 else None


def _imports_of(match: re.Match[str]) -> Iterator[Import]:
    module = (match[1] or "").lstrip(".")
    listed = match[2] or match[3]
    if "#" in listed:
        listed = _COMMENT.sub("", listed)
    for part in listed.replace("\\\n", " ").strip("() ").split(","):
        name = part.split()[0] if part.split() else ""
        if match[1] is None:
            yield Import(name, 0, None)
        else:
            yield Import(module, len(match[1]) - len(module), name if name.isidentifier() else None)
