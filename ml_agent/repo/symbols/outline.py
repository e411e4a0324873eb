"""A map of a repository: what matters to a task, as an outline that fits a budget of tokens."""

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from ml_agent.repo.symbols.model import Symbol
from ml_agent.repo.symbols.ranking import Graph, graph_of, ranked
from ml_agent.repo.symbols.table import SymbolTable

CHARACTERS_A_TOKEN = 4
"""The estimate that the budget is counted with: no tokenizer of a model is asked. Code has some 3 to 4 characters a token."""
_SIGNATURE = 120
_LOOKED_AT = 50
"""Definitions in a row that do not fit the budget any more after which it is full."""

_graphs: WeakKeyDictionary[SymbolTable, Graph] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class RepoMap:
    text: str
    """Files, the most important one first, each with its definitions as `line: signature`, indented below what they stand in."""
    symbols: tuple[Symbol, ...]
    """The definitions that were chosen, most important first."""
    tokens: int
    """Estimated: characters / 4."""
    left_out: int
    """Definitions that did not fit."""


def repo_map(table: SymbolTable, task_text: str, token_budget: int) -> RepoMap:
    """The definitions that matter most to a task, ranked by what refers to them, within a budget of estimated tokens."""
    import numpy as np

    graph = _graphs.get(table)
    if graph is None:
        graph = _graphs[table] = graph_of(table)
    order = np.argsort(-ranked(graph, task_text), kind="stable")
    room = token_budget * CHARACTERS_A_TOKEN
    chosen: list[Symbol] = []
    shown: dict[str, dict[str, Symbol]] = {}
    refused = 0
    for i in order:
        symbol = graph.symbols[i]
        lines = _with_parents(table, symbol)
        known = shown.get(symbol.path, {})
        new = {key: one for key, one in lines.items() if key not in known}
        cost = sum(len(_line(one)) + 1 for one in new.values()) + (0 if known else len(symbol.path) + 2)
        if cost > room:
            refused += 1
            if refused >= _LOOKED_AT:
                break
            continue
        refused = 0
        if new:
            room -= cost
            shown.setdefault(symbol.path, {}).update(new)
            chosen.append(symbol)
    text = _rendered(shown)
    return RepoMap(text, tuple(chosen), -(-len(text) // CHARACTERS_A_TOKEN), len(graph.symbols) - len(chosen))


def _with_parents(table: SymbolTable, symbol: Symbol) -> Mapping[str, Symbol]:
    """The symbol and what it stands in, outermost first, by what tells them apart in a file."""
    found = {f"{symbol.line} {symbol.qualified}": symbol}
    parent = symbol.definition.parent
    if parent:
        for definition in table.files[symbol.path].definitions:
            if definition.line > symbol.line:
                break
            if definition.end_line >= symbol.end_line and (f"{parent}.").startswith(f"{definition.qualified}."):
                found[f"{definition.line} {definition.qualified}"] = Symbol(symbol.path, definition)
    return found


def _rendered(shown: Mapping[str, Mapping[str, Symbol]]) -> str:
    parts = []
    for path, symbols in shown.items():
        in_order = sorted(symbols.values(), key=lambda s: (s.line, -s.end_line))
        parts.append("\n".join(dict.fromkeys((f"{path}:", *map(_line, in_order)))))
    return "\n".join(parts)


def _line(symbol: Symbol) -> str:
    depth = symbol.qualified.count(".") + 1
    signature = symbol.definition.signature
    if len(signature) > _SIGNATURE:
        signature = signature[: _SIGNATURE - 3] + "..."
    return f"{'  ' * depth}{symbol.line}: {signature}"
