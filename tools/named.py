"""Symbols by name, what refers to them, and what modules offer, as data: for the tool `search_symbols` and the command line alike."""

from collections.abc import Collection
from typing import TYPE_CHECKING, TypedDict

from ml_agent.repo.symbols import Symbol, SymbolTable
from ml_agent.repo.symbols.find import Match, find_exports, find_references, find_symbols, kinds_of, nearest_modules
from ml_agent.tools.facts import ExportData, ReferenceData, SymbolData, export_data, reference_data, symbol_data

if TYPE_CHECKING:
    from ml_agent.repo.chunks import Kind
    from ml_agent.repo.index import RepoIndex
    from ml_agent.repo.retrieval import Hit

REFERENCES = 100
_SYMBOL: "tuple[Kind, ...]" = ("symbol",)
_PER_FILE = 3


class NotThere(LookupError):
    """A kind or a module that the repository does not have; the message is one line that says what there is."""


class SymbolsData(TypedDict):
    match: str
    """How the symbols were found: exact, qualified, prefix, fuzzy, or words; empty if none was."""
    symbols: list[SymbolData]
    """Best first."""
    more: bool
    """There are others."""
    references: list[ReferenceData]
    """Empty unless asked for. Those that surely mean it first."""
    exports: list[ExportData]
    """Empty unless asked for."""


def symbols_data(
    index: "RepoIndex", query: str, match: Match | None = None, kinds: Collection[str] = (), limit: int = 20, *, references: bool = False
) -> SymbolsData:
    """What a name means; without `match` also by several words for what it does. Raises NotThere for a kind that there is not."""
    table = index.symbols
    if kinds and (unknown := [kind for kind in kinds if kind not in kinds_of(table)]):
        raise NotThere(f"there are no symbols of kind {unknown[0]}; there are {', '.join(kinds_of(table)) or 'none at all'}")
    found = find_symbols(table, query, match, kinds, limit)
    symbols, way = found.symbols, str(found.match)
    if not symbols and match is None and len(query.split()) > 1:
        symbols, way = _by_words(index, query, kinds, limit), "words"
    used = find_references(table, query, found, REFERENCES) if references else ()
    return {
        "match": way if symbols else "",
        "symbols": [symbol_data(symbol, index.modules) for symbol in symbols],
        "more": found.more,
        "references": [reference_data(reference) for reference in used],
        "exports": [],
    }


def exports_data(index: "RepoIndex", module: str) -> SymbolsData:
    """What a module, as a path or a dotted name, offers. Raises NotThere if there is no such module."""
    exports = find_exports(index.symbols, module)
    if exports is None:
        near = nearest_modules(index.symbols, module)
        raise NotThere(f"no such module: {module}" + (f"; nearest: {', '.join(near)}" if near else ""))
    return {"match": "", "symbols": [], "more": False, "references": [], "exports": [export_data(e, index.modules) for e in exports]}


def _by_words(index: "RepoIndex", query: str, kinds: Collection[str], limit: int) -> tuple[Symbol, ...]:
    hits = index.search(query, _SYMBOL, limit, per_file=_PER_FILE)
    found = (_symbol_of(index.symbols, hit) for hit in hits)
    return tuple(symbol for symbol in found if symbol is not None and (not kinds or symbol.kind in kinds))


def _symbol_of(table: SymbolTable, hit: "Hit") -> Symbol | None:
    """The definition that a piece of kind `symbol` shows."""
    file, chunk = table.files.get(hit.chunk.path), hit.chunk
    definitions = file.definitions if file is not None else ()
    fits = (d for d in definitions if d.line == chunk.line and f" {chunk.title}".endswith((f" {d.name}", f".{d.name}")))
    return next((Symbol(chunk.path, d) for d in fits), None)
