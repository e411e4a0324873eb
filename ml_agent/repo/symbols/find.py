"""Symbols by name, however it is given: exactly, qualified, by its beginning, or misspelled."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from ml_agent.repo.symbols.model import Export, Reference, Symbol
from ml_agent.repo.symbols.modules import dotted
from ml_agent.repo.symbols.table import SymbolTable

Match = Literal["exact", "qualified", "prefix", "fuzzy"]

_DATA = frozenset({"key", "field", "variable", "table"})
"""Kinds that come last: many share a name with what one looks for."""
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Found:
    match: Match
    """How the symbols were found."""
    symbols: tuple[Symbol, ...]
    """Best first."""
    more: bool
    """There are others."""


def find_symbols(table: SymbolTable, text: str, match: Match | None = None, kinds: Collection[str] = (), k: int = 20) -> Found:
    """At most `k` symbols of these kinds (none given: all) that a name means.

    Without `match` it is found exactly (a name with dots: qualified), else by its beginning, else by its spelling.
    """
    name = text.strip().removesuffix("()")
    last = name.replace("::", ".").replace("/", ".").rpartition(".")[2]
    exact: Match = "exact" if last == name else "qualified"
    ways: tuple[Match, ...] = (exact, "prefix", "fuzzy") if match is None else (match,)
    for way in ways:
        if way == "fuzzy":
            found = [symbol for _, symbol in table.fuzzy(last, _ALL if kinds else k + 1)]
        elif way == "prefix":
            found = list(table.prefix(last, _ALL)) if last else []
        else:
            found = list(table.exact(name) if way == "exact" else table.qualified(name))
        if way != "fuzzy":  # there the best spelling comes first
            found.sort(key=lambda s: (s.name.lower() != last.lower(), s.kind in _DATA))
        if found := [symbol for symbol in found if not kinds or symbol.kind in kinds]:
            return Found(way, tuple(found[:k]), len(found) > k)
    return Found(ways[-1], (), False)


def find_references(table: SymbolTable, text: str, found: Found, k: int = 50) -> tuple[Reference, ...]:
    """Who calls or uses what was found for a name; of a name that is not defined in the tree all that is spelled so."""
    by_name = found.match in ("exact", "qualified") or not found.symbols
    name = text.strip().removesuffix("()")
    if not by_name and (outside := table.references(name, k)):
        return outside
    return table.references(name.replace("::", ".") if by_name else found.symbols[0], k)


def find_exports(table: SymbolTable, module: str) -> tuple[Export, ...] | None:
    """What a module, given as a path or a dotted name, offers to others; None if there is no such module."""
    return None if table.modules.find(module) is None else table.exports(module)


def nearest_modules(table: SymbolTable, module: str, k: int = 3) -> list[str]:
    """Names of modules that are spelled most like this one."""
    names = [dotted(path) for path in table.files if table.files.language(path) == "python"]
    return _nearest(module.replace("/", ".").removesuffix(".py"), names, k)


def nearest_names(table: SymbolTable, name: str, k: int = 3) -> list[str]:
    """Names that are spelled most like this one."""
    return list(dict.fromkeys(symbol.name for _, symbol in table.fuzzy(name, 10 * k)))[:k]


def kinds_of(table: SymbolTable) -> tuple[str, ...]:
    """The kinds that there are, the most frequent first."""
    from collections import Counter

    return tuple(kind for kind, _ in Counter(symbol.kind for symbol in table.symbols()).most_common())


def _nearest(name: str, known: Iterable[str], k: int) -> list[str]:
    from rapidfuzz import fuzz, process

    return [match[0] for match in process.extract(name, list(dict.fromkeys(known)), scorer=fuzz.WRatio, limit=k, score_cutoff=60)]
