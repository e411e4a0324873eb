"""The table of a repository's files: look up, suggest, read. Follows no link out, opens nothing but regular files."""

import os
import stat
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from posixpath import normpath
from threading import Lock

from ml_agent.repo.files.text import Text, decode

TEXT_LIMIT = 2 * 1024 * 1024
"""How many bytes of a file are read at most, unless the reader asks for more."""
CACHE_LIMIT = 64 * 1024 * 1024
VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})
_SUGGEST_FROM = 60.0


@dataclass(frozen=True, slots=True)
class RepoFile:
    path: str
    """Relative to the root, forward slashes. Holds lone surrogates where the name does not decode (`os.fsdecode`)."""
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that is on the disk but not in `FileTable.files`."""

    path: str
    reason: str


class FileTable:
    """What `walk` found. The listing is of that moment; `read` goes to the disk."""

    def __init__(
        self,
        root: Path,
        files: Iterable[RepoFile] = (),
        folders: Iterable[str] = (),
        skipped: Iterable[Skipped] = (),
        *,
        cache_bytes: int | None = None,
    ) -> None:
        """`cache_bytes`: of texts that are kept for the next time they are read; by default 64 MB."""
        self.root = root
        self._cache_bytes = cache_bytes
        self.files = tuple(sorted(files, key=lambda file: os.fsencode(file.path)))
        self.folders = tuple(sorted(folders, key=os.fsencode))
        """Every folder that was walked, without the root itself."""
        self.skipped = tuple(sorted(skipped, key=lambda entry: os.fsencode(entry.path)))
        self._paths = frozenset(file.path for file in self.files)
        self._folders = frozenset(self.folders) | {"."}
        self._cache: OrderedDict[str, Text] = OrderedDict()
        self._cached = 0
        self._lock = Lock()

    def is_file(self, path: str) -> bool:
        """Whether there is such a file. `./a/../b` is normalised; False for what leaves the root.

        Files that are not listed (ignored ones, those behind a link to a folder) count too: they are there to be run.
        """
        known = self.normalise(path)
        if known is None or path.endswith("/"):
            return False
        return known in self._paths or self._on_disk(known, stat.S_ISREG)

    def is_folder(self, path: str) -> bool:
        """Whether there is such a folder; a link to a folder inside the repository is one."""
        known = self.normalise(path)
        return known is not None and (known in self._folders or self._on_disk(known, stat.S_ISDIR))

    def normalise(self, path: str) -> str | None:
        """`path` without `.`, `..` and doubled slashes; `.` for the root; None if it is absolute, empty or leaves the root."""
        if not path or path.startswith("/") or "\0" in path:
            return None
        known = normpath(path)
        return None if known == ".." or known.startswith("../") else known

    def find(self, name: str) -> tuple[str, ...]:
        """The paths of the listed files with that base name."""
        return self._by_name.get(name, ())

    def nearest(self, path: str) -> str | None:
        """The listed file whose path is most like this one: same base name first, then similar spelling. None if none is near."""
        from rapidfuzz import fuzz, process

        known = self.normalise(path) or path
        same = self.find(known.rpartition("/")[2])
        best = process.extractOne(known, same or list(self._paths_in_order), scorer=fuzz.ratio, score_cutoff=0 if same else _SUGGEST_FROM)
        return best[0] if best else None

    def read(self, path: str, limit: int = TEXT_LIMIT) -> Text:
        """The text of a file, at most its first `limit` bytes. Any file of the repository, listed or not.

        Raises OSError: there is no such file inside the repository, it is no regular file, or it cannot be read.
        """
        known = self.normalise(path)
        if known is None:
            raise FileNotFoundError(f"{path!r} is not a path inside the repository")
        with self._lock:
            cached = self._cache.get(known)
            # A text that was cut at another limit is not the one that was asked for.
            if cached is not None and (not cached.cut or limit == TEXT_LIMIT):
                self._cache.move_to_end(known)
                return cached
        data, cut = self._bytes(known, limit)
        text = decode(data, python=known.endswith((".py", ".pyi", ".pyw")), cut=cut)
        if limit == TEXT_LIMIT or (not cut and len(data) <= TEXT_LIMIT):
            self._keep(known, text)
        return text

    def forget(self) -> None:
        """Read everything anew from now on."""
        with self._lock:
            self._cache.clear()
            self._cached = 0

    def _bytes(self, path: str, limit: int) -> tuple[bytes, int]:
        """The first `limit` bytes of a file, and how many follow."""
        real = self._inside(path)
        if real is None:
            raise FileNotFoundError(f"{path!r} is not a file inside the repository")
        # Without O_NONBLOCK, opening a FIFO that took the file's place would wait for ever.
        with os.fdopen(os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise OSError(f"{path!r} is not a regular file")
            data = file.read(limit)
            return data, max(0, status.st_size - len(data))

    def _keep(self, path: str, text: Text) -> None:
        with self._lock:
            if path not in self._cache:
                self._cache[path] = text
                self._cached += len(text.raw)
            limit = CACHE_LIMIT if self._cache_bytes is None else self._cache_bytes
            while self._cached > limit:
                self._cached -= len(self._cache.popitem(last=False)[1].raw)

    def _on_disk(self, path: str, kind: Callable[[int], bool]) -> bool:
        real = self._inside(path)
        try:
            return real is not None and kind(Path(real).stat().st_mode)
        except OSError:
            return False

    def _inside(self, path: str) -> str | None:
        """The real path; None if links lead it out of the root or into the version control's own folder, or there is none."""
        return real_inside(self.root, self.root / path)

    @cached_property
    def _by_name(self) -> dict[str, tuple[str, ...]]:
        names: dict[str, list[str]] = {}
        for file in self.files:
            names.setdefault(file.path.rpartition("/")[2], []).append(file.path)
        return {name: tuple(paths) for name, paths in names.items()}

    @cached_property
    def _paths_in_order(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files)


def real_inside(root: Path, path: Path) -> str | None:
    """The real path of `path`, if it exists inside `root` (a real path) and outside the version control's own folders."""
    try:
        real = Path(os.path.realpath(path, strict=True))
    except (OSError, ValueError):
        return None
    if not real.is_relative_to(root) or not VERSION_CONTROL.isdisjoint(real.relative_to(root).parts):
        return None
    return os.fspath(real)
