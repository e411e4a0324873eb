"""What Python files say about themselves, kept: those that an import was followed into, and the names of all that they define."""

from hashlib import blake2b
from typing import Any

from ml_agent.repo.modules.packed import pack, unpack
from ml_agent.repo.modules.source import ModuleSource
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.tree import HASH_BYTES, Tree


class KeptSources:
    """Of the files of one folder, each as long as it has the same content. All in one row: a question needs many of them."""

    def __init__(self, tree: Tree, store: Store) -> None:
        self._tree, self._store = tree, store
        self._place = blake2b(str(tree.files.root).encode("utf-8", "surrogateescape"), digest_size=HASH_BYTES).digest()
        self._known: dict[str, tuple[bytes, Any]] = store.load("sources", [self._place]).get(self._place, {})
        self._new: dict[str, ModuleSource] = {}

    def get(self, path: str) -> ModuleSource | None:
        """What an earlier reading of the file as it is now has told."""
        content, data = self._known.get(path, (b"", None))
        return unpack(data) if content and content == self._tree.hashes.get(path) else None

    def add(self, path: str, source: ModuleSource) -> None:
        """What was just read."""
        self._new[path] = source

    def save(self) -> None:
        """Keep what is new, unless files have changed since they were hashed."""
        hashes = self._tree.hashes
        new = {path: (hashes[path], pack(source)) for path, source in self._new.items() if path in hashes}
        if new and self._tree.is_as_read():
            self._known = {path: entry for path, entry in (self._known | new).items() if entry[0] == hashes.get(path)}
            self._store.save("sources", {self._place: self._known})
        self._new = {}
