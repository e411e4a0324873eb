"""The files of a repository with the hash of their content; only what has changed since the last look is read."""

import hashlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

from ml_agent.repo.files import FileTable
from ml_agent.repo.store.database import Store

HASH_BYTES = 16
_LIMIT = 2 << 20
_NOTEBOOK_LIMIT = 20 << 20
"""Of a file that is hashed, as of one that is read."""
_FORM = 2
"""Of what is kept; another one is not believed."""
# A file that was written at the very moment it was read may have been written once more in the same tick of its clock.
_TICK_NS = 50_000_000

Signature = tuple[int, int, int, int]
"""Size, time of change, time of the inode's change, inode: all that a change of content changes."""


class Tree:
    """`hashes`: path -> hash of the content (of its first 2 MB, of a notebook 20, and its size), for every file of the table that can be
    read."""

    def __init__(self, files: FileTable, store: Store) -> None:
        self.files, self._store = files, store
        files.forget()  # a text that was read before may be older than its hash
        known = _as_known(store.load_tree(files.root))
        self.hashes: dict[str, bytes] = {}
        self.read = 0
        """How many files had to be read to know that."""
        self._kept = kept = dict[str, tuple[Signature, int, bytes]]()
        changed = False
        for path, signature in _signatures(files.root, (file.path for file in files.files)):
            entry = known.get(path)
            if entry is None or entry[0] != signature or max(signature[1:3]) + _TICK_NS > entry[1]:
                now = time.time_ns()
                found = _hash(files.root / path, signature[0])
                if found is None:
                    continue
                entry, changed = (signature, now, found), True
                self.read += 1
            kept[path] = entry
            self.hashes[path] = entry[2]
        if changed or kept.keys() != known.keys():
            store.save_tree(files.root, (_FORM, {os.fsencode(path): entry for path, entry in kept.items()}))

    def is_as_read(self) -> bool:
        """Whether its files still are what they were when they were hashed."""
        now = dict(_signatures(self.files.root, self._kept))
        return len(now) == len(self._kept) and all(now[path] == entry[0] for path, entry in self._kept.items())


def as_bytes(text: str) -> bytes:
    """A text as it goes into a hash; names may hold what is no UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def _as_known(stored: object) -> dict[str, tuple[Signature, int, bytes]]:
    if not isinstance(stored, tuple) or len(stored) != 2 or stored[0] != _FORM:
        return {}
    return {os.fsdecode(path): entry for path, entry in stored[1].items()}


def _signatures(root: Path, paths: Iterable[str]) -> Iterable[tuple[str, Signature]]:
    top = os.fspath(root)
    for path in paths:
        try:
            status = os.stat(f"{top}/{path}")
        except OSError:
            continue
        yield path, (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _hash(path: Path, size: int) -> bytes | None:
    try:
        with open(path, "rb") as file:
            data = file.read(_NOTEBOOK_LIMIT if path.name.lower().endswith(".ipynb") else _LIMIT)
    except OSError:
        return None
    digest = hashlib.blake2b(data, digest_size=HASH_BYTES)
    if size > len(data):
        digest.update(b"\0" + str(size).encode())
    return digest.digest()
