"""What is seen of a Python file at a glance, without parsing it: whose words stand in it, and what it imports."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.entrypoints.signs import Way, may_run, ways_in

_IMPORTS = re.compile(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Import:
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
        return cls(ways_in(text), tuple(_imports_in(text)), may_run(text))

    def as_data(self) -> list[Any]:
        """Lists, strings, numbers and None alone."""
        return [sorted(self.ways), [(i.module, i.level, i.name) for i in self.imports], self.may_run]

    @classmethod
    def from_data(cls, data: Any) -> "Glance":
        ways, imports, runs = data
        return cls(frozenset(ways), tuple(Import(*one) for one in imports), runs)


def _imports_in(text: str) -> Iterator[Import]:
    """The imports of a file, without parsing it."""
    for match in _IMPORTS.finditer(text):
        module = (match[1] or "").lstrip(".")
        for part in (match[2] or match[3]).strip("()\\ ").split(",")[:20]:
            name = part.split()[0] if part.split() else ""
            if match[1] is None:
                yield Import(name, 0, None)
            else:
                yield Import(module, len(match[1]) - len(module), name if name.isidentifier() else None)
