"""Facts of all files together: documents, documented commands. They hold as long as nothing of the listing and no content changes.

A reader may also look for a file that the walk left out (in a folder that git ignores, behind a link), which no listing tells of: such
questions are kept with their answers, and asked again before the fact is believed.
"""

from collections.abc import Callable
from functools import cached_property
from hashlib import blake2b
from typing import Any

from ml_agent.repo.files import FileTable, Text
from ml_agent.repo.files.listing import SILENT
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.tree import HASH_BYTES, Tree, as_bytes

Question = tuple[str, bool]
"""A path, and whether a folder is meant."""


class Whole:
    """Reads and keeps what is a function of the whole tree."""

    def __init__(self, tree: Tree, store: Store) -> None:
        self._tree, self._store = tree, store

    def kept(self, kind: str, read: Callable[[FileTable], Any]) -> Any:
        """What `read` gives for the files, in the form that marshal takes."""
        known = self._store.load(kind, [self.key]).get(self.key)
        if known is not None and all(self._ask(path, folder) == answer for path, folder, answer in known[0]):
            return known[1]
        files = _WatchedFiles(self._tree.files)
        data = read(files)
        # What was read from a file or folder that nobody watches, or while files changed, is not kept.
        watched = len(self._tree.hashes) == len(files.files) and not files.is_beyond and self._tree.is_as_read()
        if watched:
            self._store.save(kind, {self.key: ([(*question, answer) for question, answer in files.asked.items()], data)})
        return data

    @cached_property
    def key(self) -> bytes:
        """Of the root's name, which people write before paths, and of all that the walk found."""
        files, digest = self._tree.files, blake2b(digest_size=HASH_BYTES)
        digest.update(as_bytes(files.root.name))
        for file in files.files:
            digest.update(b"\0" + as_bytes(file.path) + b"\0" + self._tree.hashes.get(file.path, b""))
        for parts in ((), *((one.path, one.reason) for one in files.skipped), (), *((folder,) for folder in files.folders)):
            digest.update(b"\1" + b"\0".join(map(as_bytes, parts)))
        return digest.digest()

    def _ask(self, path: str, folder: bool) -> bool:
        files = self._tree.files
        return files.is_folder(path) if folder else files.is_file(path)


class _WatchedFiles(FileTable):
    """The same files; `asked` are questions that the listing does not answer, with their answers."""

    def __init__(self, files: FileTable) -> None:
        self._inner = files
        self.root, self.files, self.folders, self.skipped = files.root, files.files, files.folders, files.skipped
        self.asked: dict[Question, bool] = {}
        self.is_beyond = False
        """Something was found that the walk left out and whose content may have been looked at."""
        self._listed = frozenset(file.path for file in files.files)
        self._left_out = frozenset(one.path for one in files.skipped)

    def is_file(self, path: str) -> bool:
        return self._answer(path, False, self._inner.is_file(path))

    def is_folder(self, path: str) -> bool:
        answer = self._answer(path, True, self._inner.is_folder(path))
        self.is_beyond |= answer and (path, True) in self.asked
        return answer

    def find(self, name: str) -> tuple[str, ...]:
        return self._inner.find(name)

    def read(self, path: str, limit: int | None = None) -> Text:
        self.is_beyond |= path not in self._listed
        return self._inner.read(path) if limit is None else self._inner.read(path, limit)

    def _answer(self, path: str, folder: bool, answer: bool) -> bool:
        known = self.normalise(path)
        if known is not None and (path, folder) not in self.asked and not self._is_listed(known):
            self.asked[path, folder] = answer
        return answer

    def _is_listed(self, path: str) -> bool:
        """Whether the listing tells if it is there: no part of the way was left out."""
        parts = path.split("/")
        if "." in self._left_out or not SILENT.isdisjoint(parts):
            return False
        return all("/".join(parts[:end]) not in self._left_out for end in range(1, len(parts) + 1))
