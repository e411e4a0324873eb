"""Symbols, kept by the content of their file; what is new is read in worker processes."""

from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any

from ml_agent.repo.entrypoints.glance import Glance
from ml_agent.repo.entrypoints.sources import PYTHON
from ml_agent.repo.files import FileTable
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.pool import read_all
from ml_agent.repo.store.tree import HASH_BYTES, Tree
from ml_agent.repo.symbols import FileSymbols, Problem, SymbolTable, fingerprint, paused
from ml_agent.repo.symbols.languages import may_be_read

_READER = "ml_agent.repo.store.symbols:read"
_SAVED_AT_ONCE = 1000


def read(files: FileTable, path: str) -> Any:
    """FileSymbols of one file as plain data and, while its text is at hand, what a glance at it tells; runs in a worker process."""
    from ml_agent.repo.symbols import parse_symbols

    try:
        text = files.read(path).text
    except OSError:
        return FileSymbols().as_data(), None
    return parse_symbols(path, text).as_data(), Glance.at(text).as_data() if path.endswith(PYTHON) else None


def kept_symbols(tree: Tree, store: Store) -> SymbolTable:
    """The symbols of all files, of which only those are parsed that are not known by their content.

    What is read is kept as it comes, so a build that is killed has not been in vain. Raises InfrastructureError if files cannot be read
    in worker processes at all.
    """
    mark = fingerprint().encode()
    keys = {path: _key(path, known, mark) for path, known in tree.hashes.items() if may_be_read(path)}
    with paused():
        found = store.load("symbols", keys.values())
        missing = [path for path, key in keys.items() if key not in found]
        new: dict[bytes, Any] = {}
        glances: dict[bytes, Any] = {}
        for path, (data, glance) in read_all(_READER, tree.files.root, missing, failed=_failed):
            new[keys[path]] = found[keys[path]] = data
            if glance is not None:
                glances[tree.hashes[path]] = glance
            if len(new) >= _SAVED_AT_ONCE:
                store.save("symbols", new)
                new = {}
        store.save("symbols", new)
        store.save("glance", glances)
        return SymbolTable((path, FileSymbols.from_data(found[key])) for path, key in keys.items())


def _key(path: str, content: bytes, mark: bytes) -> bytes:
    """The name tells the language, so it counts as far as it does that."""
    name = PurePosixPath(path)
    kind = (name.suffix or name.name).encode("utf-8", "surrogatepass")
    return blake2b(kind + b"\0" + content + mark, digest_size=HASH_BYTES).digest()


def _failed(why: str) -> Any:
    return FileSymbols(problems=(Problem(1, why),)).as_data(), None
