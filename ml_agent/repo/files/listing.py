"""The files of a repository: `walk` lists them into a `FileTable`, which reads them.

The walk goes breadth first, so that its cap cuts the deepest folders.
"""

import os
import stat
from collections import deque
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ml_agent.errors import UsageError
from ml_agent.repo.files.ignore import IgnoreRules, tracked_paths
from ml_agent.repo.files.table import TEXT_LIMIT, VERSION_CONTROL, FileTable, RepoFile, Skipped, real_inside
from ml_agent.repo.files.text import decode

MAX_ENTRIES = 200_000
_INDEX_LIMIT = 64 * 1024 * 1024
SILENT = VERSION_CONTROL | {"__pycache__"}
"""What is left out without a word."""


def walk(root: Path) -> FileTable:
    """List the files of a repository.

    Left out, each with its reason in `FileTable.skipped`: what .gitignore rules name and git does not track, links, pipes
    and devices, what cannot be read, virtual environments and node_modules, what lies past the caps. Left out silently:
    `.git`, `.hg`, `.svn` and `__pycache__`.

    Raises UsageError if `root` is not a folder that can be read.
    """
    return _Walk(root).table()


@dataclass(frozen=True, slots=True)
class _Folder:
    path: str
    """Relative to the root; empty for the root."""
    rules: tuple[tuple[str, IgnoreRules], ...]
    """Innermost first, each with the folder (with a slash at its end) that its patterns are relative to."""
    ignored: bool = False
    """Only what git tracks is listed."""


class _Walk:
    def __init__(self, root: Path) -> None:
        self._root = Path(os.path.realpath(root))
        if not self._root.is_dir():
            raise UsageError(f"{str(root)!r} is not a folder: give the folder of a repository")
        self._files: list[RepoFile] = []
        self._folders: list[str] = []
        self._skipped: list[Skipped] = []
        self._tracked, self._tracked_folders = self._read_index()

    def table(self) -> FileTable:
        exclude = IgnoreRules(self._small_file(".git/info/exclude", TEXT_LIMIT).decode("utf-8", "surrogateescape").splitlines())
        queue = deque([_Folder("", (("", exclude),) if exclude else ())])
        while queue:
            queue.extend(self._folder(queue.popleft()))
            if self._full():
                self._skipped.append(Skipped(".", f"more than {MAX_ENTRIES:,} entries: the rest was not listed"))
                break
        return FileTable(self._root, self._files, self._folders, self._skipped)

    def _full(self) -> bool:
        return len(self._files) + len(self._folders) + len(self._skipped) >= MAX_ENTRIES

    def _folder(self, folder: _Folder) -> list[_Folder]:
        """List one folder; returns the folders in it that are to be walked."""
        try:
            with os.scandir(self._root / folder.path) as scan:
                entries = sorted(islice(scan, MAX_ENTRIES), key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            if not folder.path:
                raise UsageError(f"{str(self._root)!r} cannot be read: {error.strerror}") from error
            self._skip(folder.path, f"unreadable: {error.strerror}")
            return []
        names = {entry.name for entry in entries}
        if folder.path and "pyvenv.cfg" in names:
            self._skip(folder.path, "virtual environment")
            return []
        if folder.path:
            self._folders.append(folder.path)
        prefix = f"{folder.path}/" if folder.path else ""
        if ".gitignore" in names and (own := self._rules(prefix + ".gitignore")):
            folder = _Folder(folder.path, ((prefix, own), *folder.rules), folder.ignored)
        below = []
        for entry in entries:
            if self._full():
                break
            if entry.name in SILENT:
                continue
            try:
                found = self._entry(entry, prefix + entry.name, folder)
            except OSError as error:  # gone since it was listed, or not to be looked at
                self._skip(prefix + entry.name, f"unreadable: {error.strerror}")
                continue
            if found:
                below.append(found)
        return below

    def _entry(self, entry: os.DirEntry[str], path: str, folder: _Folder) -> _Folder | None:
        """List one file; or return the folder, if it is one to be walked."""
        if entry.is_dir(follow_symlinks=False):
            if entry.name == "node_modules":
                self._skip(path, "node_modules")
                return None
            ignored = folder.ignored or self._ignored(path, True, folder)
            if ignored and path not in self._tracked_folders:
                self._skip(path, "ignored")
                return None
            return _Folder(path, folder.rules, ignored)
        if path not in self._tracked and (folder.ignored or self._ignored(path, False, folder)):
            self._skip(path, "ignored")
        elif entry.is_symlink():
            self._link(path)
        else:
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                self._files.append(RepoFile(path, status.st_size))
            else:
                self._skip(path, "not a regular file")
        return None

    def _link(self, path: str) -> None:
        """List a link to a file of the repository as a file; anything else that a link leads to is skipped."""
        full = self._root / path
        real = real_inside(self._root, full)
        if real is None:
            reason = "link that leaves the repository" if full.exists() else "link to nothing, or a loop of links"
            self._skip(path, reason)
            return
        status = Path(real).stat()
        if stat.S_ISREG(status.st_mode):
            self._files.append(RepoFile(path, status.st_size))
        elif stat.S_ISDIR(status.st_mode):
            self._skip(path, "link to a folder of the repository")
        else:
            self._skip(path, "not a regular file")

    def _ignored(self, path: str, is_folder: bool, folder: _Folder) -> bool:
        for prefix, rules in folder.rules:
            verdict = rules.ignored(path[len(prefix) :], is_folder)
            if verdict is not None:
                return verdict
        return False

    def _rules(self, path: str) -> IgnoreRules:
        return IgnoreRules(decode(self._small_file(path, TEXT_LIMIT)).lines)

    def _read_index(self) -> tuple[frozenset[str], frozenset[str]]:
        """The files that git tracks, and the folders above them: an ignore rule does not apply to those."""
        git = ".git"
        pointer = self._small_file(git, 4096)  # a worktree or submodule has a file in place of the folder
        if pointer.startswith(b"gitdir:"):
            git = os.fsdecode(pointer[7:].strip())
        tracked = frozenset(map(os.fsdecode, tracked_paths(self._small_file(f"{git}/index", _INDEX_LIMIT))))
        folders: set[str] = set()
        for path in tracked:
            parent = path.rpartition("/")[0]
            while parent and parent not in folders:
                folders.add(parent)
                parent = parent.rpartition("/")[0]
        return tracked, frozenset(folders)

    def _small_file(self, path: str, limit: int) -> bytes:
        """The content of a file that steers the walk; empty if it is no regular file, cannot be read or is larger."""
        try:
            # git follows no link to these files, and opening a FIFO would wait for ever.
            flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(self._root / path, flags), "rb") as file:
                status = os.fstat(file.fileno())
                return file.read(limit) if stat.S_ISREG(status.st_mode) and status.st_size <= limit else b""
        except OSError:
            return b""

    def _skip(self, path: str, reason: str) -> None:
        self._skipped.append(Skipped(path, reason))
