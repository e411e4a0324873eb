"""All symbols of a tree, and the questions that can be asked about them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Set
from functools import cached_property

from ml_agent.repo.symbols.collector import paused
from ml_agent.repo.symbols.files import SymbolFiles
from ml_agent.repo.symbols.model import Export, FileSymbols, Reference, Symbol
from ml_agent.repo.symbols.modules import Modules, dotted

_FUZZY_FROM = 70.0
_MANY = 100
"""Definitions of one name from which on nobody can mean one of them by the name alone."""


class SymbolTable:
    """The symbols of many files. It does not change; a tree with other files is another table."""

    def __init__(self, files: SymbolFiles | Iterable[tuple[str, FileSymbols]]) -> None:
        self.files = files if isinstance(files, SymbolFiles) else SymbolFiles(dict(files))
        """By path, in the order of the paths."""
        self.modules = Modules(self.files)

    @cached_property
    def _places(self) -> dict[str, list[tuple[str, int]]]:
        """Name -> the paths of its definitions, each with its place among those of the file."""
        places: dict[str, list[tuple[str, int]]] = {}
        with paused():
            for path, names in self.files.names():
                for i, name in enumerate(names):
                    places.setdefault(name, []).append((path, i))
        return places

    @cached_property
    def _in_order(self) -> tuple[list[str], list[str]]:
        """All names in lower case and in the order of that, and as they are written."""
        pairs = sorted((name.lower(), name) for name in self._places)
        return [lower for lower, _ in pairs], [name for _, name in pairs]

    def symbols(self) -> Iterator[Symbol]:
        """Every definition, file by file."""
        for path, symbols in self.files.items():
            for definition in symbols.definitions:
                yield Symbol(path, definition)

    def exact(self, name: str) -> tuple[Symbol, ...]:
        """The definitions of that name."""
        return tuple(Symbol(path, self.files[path].definitions[i]) for path, i in self._places.get(name, ()))

    def prefix(self, text: str, k: int = 50) -> tuple[Symbol, ...]:
        """Definitions whose name begins so, upper and lower case alike; in the order of their names, at most `k`."""
        lower = text.lower()
        found: list[Symbol] = []
        lowers, names = self._in_order
        for i in range(bisect_left(lowers, lower), len(lowers)):
            if len(found) >= k or not lowers[i].startswith(lower):
                break
            found += self.exact(names[i])
        return tuple(found[:k])

    def fuzzy(self, text: str, k: int = 10) -> tuple[tuple[float, Symbol], ...]:
        """Definitions whose name is spelled most like it, best first, with the likeness from 70 to 100."""
        from rapidfuzz import fuzz, process

        lowers, names = self._in_order
        found = process.extract(text.lower(), lowers, scorer=fuzz.ratio, limit=k, score_cutoff=_FUZZY_FROM)
        best = [(score, symbol) for _, score, i in found for symbol in self.exact(names[i])]
        return tuple(best[:k])

    def qualified(self, path: str) -> tuple[Symbol, ...]:
        """The definitions that a qualified name may mean: `Class.method`, `package.module.Class`, `module::name`.

        Its front may be left out. A name that a module only hands on is followed to where it is defined.
        """
        parts = path.strip().removesuffix("()").replace("::", ".").replace("/", ".").strip(".")
        front, _, name = parts.rpartition(".")
        ending = f".{parts}"
        found = [s for s in self.exact(name) if f".{dotted(s.path)}.{s.qualified}".endswith(ending)]
        if not found and front and (module := self.modules.find(front)):
            symbol, _ = self.modules.resolve(module, name)
            found = [symbol] if symbol else []
        return tuple(found)

    def references(self, target: str | Symbol, k: int = 200) -> tuple[Reference, ...]:
        """Who calls or uses this: first the files that define or import it, then those with the same name alone; at most `k`.

        A target in words is a name or a qualified name. What surely means another definition than that asked for is left out.
        """
        meant = (target,) if isinstance(target, Symbol) else self.qualified(target) if "." in target else self.exact(target)
        name = meant[0].name if meant else str(target).rpartition(".")[2]
        at = {symbol.path for symbol in meant}
        places = {(symbol.path, symbol.line) for symbol in meant}
        tops = {(symbol.path, symbol.qualified.partition(".")[0]) for symbol in meant} if len(meant) <= _MANY else set()
        owners = {owner for _, owner in tops} - {name}
        plain = {symbol.path for symbol in self.exact(name) if not symbol.definition.parent}
        bound: list[tuple[str, int, bool]] = []
        other: list[tuple[str, int, bool]] = []
        for path, symbols in self.files.referring(name):
            calls, uses = symbols.calls.get(name, ()), symbols.uses.get(name, ())
            if not calls and not uses:
                continue
            means = self.modules.resolve(path, name)[0] if path in plain or (plain and uses) else None
            if means is not None and (means.path, means.line) not in places:
                continue
            near = means is not None or path in at or any(self._is_one_of(tops, path, owner) for owner in owners.intersection(symbols.uses))
            found = bound if near else other
            if len(found) < k:
                found.extend(sorted((path, line, called) for lines, called in ((calls, True), (uses, False)) for line in lines))
        chosen = [(place, True) for place in bound] + [(place, False) for place in other]
        return tuple(Reference(p, line, name, called, self.enclosing(p, line, name), near) for (p, line, called), near in chosen[:k])

    def _is_one_of(self, tops: Set[tuple[str, str]], path: str, name: str) -> bool:
        found = self.modules.resolve(path, name)[0]
        return found is not None and (found.path, found.name) in tops

    def exports(self, module: str) -> tuple[Export, ...]:
        """What a module, given as a path or a dotted name, offers to others; empty if there is no such module."""
        path = self.modules.find(module)
        return self.modules.exports(path) if path else ()

    def enclosing(self, path: str, line: int, but: str = "") -> Symbol | None:
        """The innermost definition around a line of a file; not a definition of the name `but` that begins there."""
        symbols = self.files.get(path)
        if symbols is None:
            return None
        definitions = symbols.definitions
        for i in range(bisect_right(definitions, line, key=lambda d: d.line) - 1, -1, -1):
            found = definitions[i]
            if found.end_line >= line and not (found.name == but and found.line == line):
                return Symbol(path, found)
        return None
