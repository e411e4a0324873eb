"""Definitions of Python code and the calls that fit them, as data."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

ParameterKind = Literal["positional_only", "positional", "args", "keyword_only", "kwargs"]
DefinitionKind = Literal["function", "class", "variable", "module", "import"]


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: ParameterKind
    default: str | None = None
    """As source text, at most 80 characters; None if it has none."""
    annotation: str | None = None

    @property
    def required(self) -> bool:
        return self.default is None and self.kind not in ("args", "kwargs")


@dataclass(frozen=True, slots=True)
class Misfit:
    """One way in which a call does not fit a signature."""

    kind: Literal["unknown", "missing", "too_many", "twice"]
    name: str = ""
    """The parameter or keyword; empty for too many positional arguments."""
    allowed: int = 0
    given: int = 0


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a call, without `self` or `cls`."""

    parameters: tuple[Parameter, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What can be given by keyword."""
        return tuple(p.name for p in self.parameters if p.kind in ("positional", "keyword_only"))

    def misfits(self, positionals: int, keywords: Collection[str]) -> tuple[Misfit, ...]:
        """What Python would raise a TypeError for, given this many positional arguments and these keywords."""
        takers = [p for p in self.parameters if p.kind in ("positional_only", "positional")]
        takes_args = any(p.kind == "args" for p in self.parameters)
        takes_kwargs = any(p.kind == "kwargs" for p in self.parameters)
        found = []
        if positionals > len(takers) and not takes_args:
            found.append(Misfit("too_many", allowed=len(takers), given=positionals))
        filled = {p.name for p in takers[:positionals]}
        by_keyword = set(self.names)
        for keyword in keywords:
            if keyword not in by_keyword:
                if not takes_kwargs:
                    found.append(Misfit("unknown", keyword))
            elif keyword in filled:
                found.append(Misfit("twice", keyword))
        given = filled | (set(keywords) & by_keyword)
        found.extend(Misfit("missing", p.name) for p in self.parameters if p.required and p.name not in given)
        return tuple(found)

    def __str__(self) -> str:
        parts: list[str] = []
        starred = False
        for i, p in enumerate(self.parameters):
            if p.kind == "keyword_only" and not starred:
                parts.append("*")
                starred = True
            starred = starred or p.kind == "args"
            text = {"args": "*", "kwargs": "**"}.get(p.kind, "") + p.name
            if p.annotation is not None:
                text += f": {p.annotation}"
            if p.default is not None:
                text += f" = {p.default}" if p.annotation is not None else f"={p.default}"
            parts.append(text)
            following = self.parameters[i + 1].kind if i + 1 < len(self.parameters) else None
            if p.kind == "positional_only" and following != "positional_only":
                parts.append("/")
        return f"({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name of the repository's Python code comes from."""

    name: str
    kind: DefinitionKind
    """`import` stands for something that comes from outside the repository."""
    path: str
    """The file, relative to the repository's root; a folder for a package without `__init__.py`."""
    line: int
    module: str = ""
    """The dotted name under which the file is imported; empty if no import root reaches it."""
    signature: Signature | None = None
    """None if a call cannot be judged: decorated by something unknown, inherited from outside, defined twice ..."""

    @property
    def source(self) -> str:
        return f"{self.path}:{self.line}"
