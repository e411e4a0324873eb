"""Which definitions of a tree matter most to a task: personalised PageRank over files and definitions.

Rank flows from a file to the definitions that it refers to, and from a definition to its file; it starts at what the words of the task
name. A name with several definitions shares its weight among those that it can mean.
"""

import builtins
import io
from collections import defaultdict
from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

from ml_agent.repo.lexical import tokenize
from ml_agent.repo.symbols.collector import paused
from ml_agent.repo.symbols.model import Symbol
from ml_agent.repo.symbols.table import SymbolTable

if TYPE_CHECKING:
    import numpy
    from scipy.sparse import csr_matrix

KINDS = frozenset(
    "function method constructor class struct union interface trait record enum type macro concept annotation declaration constant".split()
)
"""Kinds that are ranked."""
_SHARED_BY = 12
"""Definitions of one name from which on a reference to it says nothing about any of them."""
_DAMPING = 0.6
"""Part of a rank that is handed on; the less, the nearer to the words of the task what ranks high."""
_ROUNDS = 25
_EVERYWHERE = 0.1
"""Of the rank that starts anew, the part that starts at every file alike."""
_CALL, _USE = 1.0, 0.5
_GUESSED, _OWN = 0.2, 0.1
"""A reference whose meaning is guessed from the name alone; one to something in the same file, which says little to others."""
_CONSTANT = 0.3
"""What a constant counts beside a function or a class."""
_FAMILIES = {"cpp": "c", "cuda": "c", "tsx": "javascript", "typescript": "javascript"}
"""Languages that refer to each other's names."""
_PYTHONS_OWN = frozenset(dir(builtins)).union(*map(dir, (list, dict, set, str, bytes, int, float, io.TextIOWrapper)))
"""`x.append()` hardly means the `append` that some class of a repository defines."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The table as a graph. Node i is file i; behind the files come the definitions."""

    symbols: list[Symbol]
    names: list[str]
    """Of the definitions, each once."""
    name_of: "numpy.ndarray"
    """For each definition the place of its name in `names`."""
    file_of: "numpy.ndarray"
    """For each definition the place of its file."""
    paths: list[str]
    links: "csr_matrix"
    """`links[target, source]`: the part of a node's rank that goes there."""


def graph_of(table: SymbolTable) -> Graph:
    """Made once for a table; takes a second for some thousand files."""
    with paused():
        return _graph_of(table)


def _graph_of(table: SymbolTable) -> Graph:
    import numpy as np
    from scipy.sparse import csr_matrix

    paths = list(table.files)
    symbols: list[Symbol] = []
    file_of: list[int] = []
    by_name: dict[str, list[int]] = defaultdict(list)
    for i, (path, found) in enumerate(table.files.items()):
        for definition in found.definitions:
            if definition.kind in KINDS:
                by_name[definition.name].append(len(symbols))
                symbols.append(Symbol(path, definition))
                file_of.append(i)
    names = {name: i for i, name in enumerate(by_name)}
    sources: list[int] = []
    targets: list[int] = []
    weights: list[float] = []
    families = [_FAMILIES.get(found.language, found.language) for found in table.files.values()]
    for i, found in enumerate(table.files.values()):
        for references, worth in ((found.calls, _CALL), (found.uses, _USE)):
            for name in references.keys() & names.keys():
                candidates = [c for c in by_name[name] if families[file_of[c]] == families[i]]
                candidates, sure = _meant(table, paths[i], i, name, candidates, symbols, file_of)
                if candidates:
                    weight = worth * sqrt(len(references[name])) / len(candidates) * (1 if sure else _GUESSED)
                    sources += [i] * len(candidates)
                    targets += candidates
                    weights += [weight if file_of[target] != i else weight * _OWN for target in candidates]
    count = len(paths) + len(symbols)
    at = np.arange(len(symbols)) + len(paths)
    rows = np.concatenate([np.array(targets, dtype=np.int64) + len(paths), np.array(file_of, dtype=np.int64)])
    columns = np.concatenate([np.array(sources, dtype=np.int64), at])
    values = np.concatenate([np.array(weights), np.ones(len(symbols))])
    links = csr_matrix((values, (rows, columns)), shape=(count, count))
    given = np.asarray(links.sum(axis=0)).ravel()
    links = csr_matrix(links.multiply(1 / np.where(given > 0, given, 1)))
    name_of = np.fromiter((names[symbol.name] for symbol in symbols), dtype=np.int64, count=len(symbols))
    return Graph(symbols, list(names), name_of, np.array(file_of, dtype=np.int64), paths, links)


def _meant(
    table: SymbolTable, path: str, file: int, name: str, candidates: list[int], symbols: list[Symbol], file_of: list[int]
) -> tuple[list[int], bool]:
    """Those of the definitions of a name that a reference in a file can mean, and whether it surely does; none if it can be anything."""
    own = [c for c in candidates if file_of[c] == file]
    if own:
        return own, True
    symbols_of = table.files[path]
    if symbols_of.language == "python":
        if name in symbols_of.uses and (found := table.modules.resolve(path, name)[0]) is not None:
            return [c for c in candidates if symbols[c] == found], True
        if name in _PYTHONS_OWN:
            return [], False
    return (candidates, False) if len(candidates) <= _SHARED_BY else ([], False)


def ranked(graph: Graph, task: str) -> "numpy.ndarray":
    """What each definition is worth to a task in plain words; the more the better."""
    import numpy as np

    files, count = len(graph.paths), len(graph.paths) + len(graph.symbols)
    if not graph.symbols:
        return np.zeros(0)
    words = set(tokenize(task))
    named = _fit(graph.names, words)[graph.name_of] if words else np.zeros(len(graph.symbols))
    placed = _fit(graph.paths, words) if words else np.zeros(files)
    start = np.zeros(count)
    here = placed[graph.file_of]
    alike = np.bincount(graph.name_of)[graph.name_of]  # definitions of the same name
    many = np.bincount(graph.file_of)[graph.file_of]  # and of the same file
    start[files:] = named * named / np.sqrt(alike) + 0.3 * named * here + 0.2 * here * here / many
    start[:files] = 0.5 * placed * placed
    total = start.sum()
    even = np.zeros(count)
    even[:files] = 1 / files
    start = (1 - _EVERYWHERE) * start / total + _EVERYWHERE * even if total > 0 else even
    rank = start.copy()
    for _ in range(_ROUNDS):
        flow = graph.links @ rank
        rank = _DAMPING * flow + (1 - _DAMPING * flow.sum()) * start
    return np.asarray(rank[files:] * np.array([_CONSTANT if s.kind == "constant" else 1.0 for s in graph.symbols]))


def _fit(texts: list[str], words: set[str]) -> "numpy.ndarray":
    """How well each text fits the words, from 0 to 1: the rarer a shared word, and the fewer others there are, the better."""
    import numpy as np

    tokens = [set(tokenize(text)) for text in texts]
    often: dict[str, int] = defaultdict(int)
    for found in tokens:
        for word in found & words:
            often[word] += 1
    worth = {word: log(1 + len(texts) / often[word]) if often[word] else 0.0 for word in words}
    whole = sum(worth.values())
    if not whole:
        return np.zeros(len(texts))
    fits = []
    for found in tokens:
        shared = found & words
        fits.append(sum(worth[word] for word in shared) / whole * sqrt(len(shared) / len(found)) if shared else 0.0)
    return np.array(fits)
