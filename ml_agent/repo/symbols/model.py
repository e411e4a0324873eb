"""Symbols as data: what one file defines, what it refers to, and what a question about a whole tree is answered with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

SCHEMA = 1
"""Of the plain form that `FileSymbols.as_data` gives; a stored one of another number is of no use."""


class Definition(NamedTuple):
    """One definition, as its file alone tells."""

    kind: str
    """function, method, class, field, constant, variable, struct, enum, interface, type, namespace, macro, key, ..."""
    name: str
    parent: str
    """The qualified name of what it stands in, with dots whatever the language; empty at the top of its file."""
    line: int
    end_line: int
    signature: str
    """Its head as the source has it, on one line: `def f(self, x: int = 1) -> str`; at most 300 characters."""
    doc: str
    """The first paragraph of its docstring, else of the comment above it, on one line; at most 300 characters."""

    @property
    def qualified(self) -> str:
        return f"{self.parent}.{self.name}" if self.parent else self.name


class Import(NamedTuple):
    """A name that a Python file binds at its top by importing."""

    name: str
    """As bound; `*` for all that the module exports."""
    module: str
    """As written, with the dots in front."""
    original: str
    """The name within the module; empty where the module itself is bound."""
    line: int


class Problem(NamedTuple):
    """Something of a file that was not read."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class FileSymbols:
    """What one file defines and refers to. Nothing of it depends on other files. Lines count from 1."""

    language: str = ""
    """Empty for a file of no language that is read."""
    definitions: tuple[Definition, ...] = ()
    """In the order of the file."""
    calls: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Names that are called (of `a.b.c()` it is `c`), each with its lines."""
    uses: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Names that are referred to in another way: imported, inherited from, annotated with, handed over. Local variables are left out."""
    imports: tuple[Import, ...] = ()
    exported: tuple[str, ...] | None = None
    """What the file says that it exports (`__all__`, `export`, `pub`); None if it says nothing or it cannot be read."""
    problems: tuple[Problem, ...] = ()

    def as_data(self) -> list[Any]:
        """Lists, strings, integers and None alone: fit for JSON and msgpack."""
        return [
            SCHEMA, self.language, list(map(list, self.definitions)), {n: list(v) for n, v in self.calls.items()},
            {n: list(v) for n, v in self.uses.items()}, list(map(list, self.imports)),
            None if self.exported is None else list(self.exported), list(map(list, self.problems)),
        ]  # fmt: skip

    @classmethod
    def from_data(cls, data: Any) -> "FileSymbols":
        """The other way. Raises ValueError for data of another schema or shape."""
        try:
            schema, language, definitions, calls, uses, imports, exported, problems = data
            if schema != SCHEMA:
                raise ValueError(f"symbols of schema {schema}, not {SCHEMA}")
            return cls(
                language,
                tuple(map(Definition._make, definitions)),
                {name: tuple(lines) for name, lines in calls.items()},
                {name: tuple(lines) for name, lines in uses.items()},
                tuple(map(Import._make, imports)),
                None if exported is None else tuple(exported),
                tuple(map(Problem._make, problems)),
            )
        except (TypeError, AttributeError) as error:
            raise ValueError(f"not the symbols of a file: {error}") from error


class Symbol(NamedTuple):
    """A definition and the file it stands in."""

    path: str
    definition: Definition

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def kind(self) -> str:
        return self.definition.kind

    @property
    def qualified(self) -> str:
        return self.definition.qualified

    @property
    def line(self) -> int:
        return self.definition.line

    @property
    def end_line(self) -> int:
        return self.definition.end_line

    @property
    def source(self) -> str:
        return f"{self.path}:{self.definition.line}"


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that refers to a name."""

    path: str
    line: int
    name: str
    called: bool
    """False where it is imported, inherited from, annotated with or handed over."""
    inside: Symbol | None
    """The innermost definition around it; None at the top of a file."""
    bound: bool
    """The file defines what was asked for or imports it (of a method, its class), so that this most likely means it; else the names are
    merely the same."""

    @property
    def source(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Export:
    """A name that a module offers."""

    name: str
    symbol: Symbol | None
    """Where it is defined; None if that is outside the tree or cannot be told (a submodule, a computed name)."""
    through: str
    """`path:line` of the import that hands it on; empty if the module defines it itself."""
