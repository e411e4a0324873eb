"""Symbols, kept by the content of their file; what is new is read in worker processes."""

from hashlib import blake2b
from typing import Any

from ml_agent.repo.entrypoints.glance import PYTHON, Glance
from ml_agent.repo.files import FileTable
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.pool import read_all
from ml_agent.repo.store.tree import HASH_BYTES, Tree
from ml_agent.repo.symbols.collector import paused
from ml_agent.repo.symbols.files import SymbolFiles, packed
from ml_agent.repo.symbols.grammars import fingerprint
from ml_agent.repo.symbols.languages import may_be_read
from ml_agent.repo.symbols.model import FileSymbols, Problem
from ml_agent.repo.symbols.table import SymbolTable

_READER = "ml_agent.repo.store.symbols:read"
_SAVED_AT_ONCE = 1000


def read(files: FileTable, path: str) -> Any:
    """Symbols of one file in their packed form and, while its text is at hand, what a glance at it tells; runs in a worker process."""
    from ml_agent.repo.symbols.parsing import parse_symbols

    try:
        text = files.read(path).text
    except OSError:
        return packed(FileSymbols()), None
    return packed(parse_symbols(path, text)), Glance.at(text).as_data() if path.endswith(PYTHON) else None


def kept_symbols(tree: Tree, store: Store) -> SymbolTable:
    """The symbols of all files, of which only those are parsed that are not known by their content.

    What is read is kept as it comes, so a build that is killed has not been in vain. Raises InfrastructureError if files cannot be read
    in worker processes at all.
    """
    mark = fingerprint().encode()
    keys = {path: _key(path, known, mark) for path, known in tree.hashes.items() if may_be_read(path)}
    with paused():
        found = store.load("symbols", keys.values())
        size = {file.path: file.size for file in tree.files.files}
        missing = {key: path for path, key in keys.items() if key not in found}  # of equal files one is read
        longest_first = sorted(missing.values(), key=lambda path: -size[path])  # so that no worker is left with a long one at the end
        new: dict[bytes, Any] = {}
        glances: dict[bytes, Any] = {}
        for path, (symbols, glance) in read_all(_READER, tree.files.root, longest_first, failed=_failed):
            new[keys[path]] = found[keys[path]] = symbols
            if glance is not None:
                glances[tree.hashes[path]] = glance
            if len(new) >= _SAVED_AT_ONCE:
                store.save("symbols", new)
                store.save("glance", glances)
                new, glances = {}, {}
        store.save("symbols", new)
        store.save("glance", glances)
        return SymbolTable(SymbolFiles({path: found[key] for path, key in keys.items()}))


def _key(path: str, content: bytes, mark: bytes) -> bytes:
    """The name tells the language, so it counts as far as it does that."""
    name = path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    kind = (suffix if dot else name).encode("utf-8", "surrogatepass")
    return blake2b(kind + b"\0" + content + mark, digest_size=HASH_BYTES).digest()


def _failed(why: str) -> Any:
    return packed(FileSymbols(problems=(Problem(1, why),))), None
