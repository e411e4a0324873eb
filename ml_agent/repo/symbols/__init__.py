"""Definitions and references of a repository's files, read with tree-sitter.

`parse_symbols` reads one file and depends on nothing else, so it can run in any process and its result can be stored. `SymbolTable`
answers questions about many of them; `repo_map` picks what matters to a task.
"""

from ml_agent.repo.symbols.collector import paused
from ml_agent.repo.symbols.files import SymbolFiles, packed
from ml_agent.repo.symbols.grammars import fingerprint
from ml_agent.repo.symbols.languages import language_of
from ml_agent.repo.symbols.model import Definition, Export, FileSymbols, Import, Problem, Reference, Symbol
from ml_agent.repo.symbols.outline import RepoMap, repo_map
from ml_agent.repo.symbols.parsing import parse_symbols
from ml_agent.repo.symbols.table import SymbolTable

__all__ = [
    "Definition", "Export", "FileSymbols", "Import", "Problem", "Reference", "RepoMap", "Symbol", "SymbolFiles", "SymbolTable",
    "fingerprint", "language_of", "packed", "parse_symbols", "paused", "repo_map",
]  # fmt: skip
