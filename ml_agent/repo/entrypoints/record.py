"""What the reading of a program has looked at: whose content, and which names in the listing of the files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.files import FileTable, Text

_MODULES = (".py", ".pyw", ".pyi", ".pyx", ".so", ".pyd", ".dll", ".dylib")
_PACKAGE = "__init__.py"


@dataclass(slots=True)
class Record:
    contents: set[str] = field(default_factory=set)
    """Paths of files."""
    glances: set[str] = field(default_factory=set)
    """Paths of files that were looked at as far as a glance goes."""
    targets: set[tuple[str, Import]] = field(default_factory=set)
    """Imports that were followed, with the folder that they start from."""
    paths: set[str] = field(default_factory=set)
    """Paths that were looked for."""

    @property
    def size(self) -> int:
        """Grows with whatever is looked at for the first time."""
        return len(self.contents) + len(self.glances) + len(self.targets) + len(self.paths)

    def names(self) -> set[str]:
        """What was looked for, as the names that `Listing` knows files by."""
        found = {name_of(path) for path in self.paths}
        for base, target in self.targets:
            found.update(part for part in target.module.split(".") if part)
            if target.name:
                found.add(target.name)
            if target.level:
                found.add(above(base, target.level - 1).rpartition("/")[2])
        return found


class RecordingFiles(FileTable):
    """The same files; what is asked of them goes into `record`, which may be exchanged."""

    def __init__(self, files: FileTable) -> None:
        self._inner, self.record = files, Record()
        self.root, self.files, self.folders, self.skipped = files.root, files.files, files.folders, files.skipped

    def is_file(self, path: str) -> bool:
        self.record.paths.add(path)
        return self._inner.is_file(path)

    def is_folder(self, path: str) -> bool:
        self.record.paths.add(path)
        return self._inner.is_folder(path)

    def find(self, name: str) -> tuple[str, ...]:
        self.record.paths.add(name)
        return self._inner.find(name)

    def read(self, path: str, limit: int | None = None) -> Text:
        self.record.contents.add(path)
        return self._inner.read(path) if limit is None else self._inner.read(path, limit)


class Listing:
    """The names of all that is there: what a reading found by a name is the same as long as nothing of that name comes or goes."""

    def __init__(self, paths: Iterable[str]) -> None:
        named: dict[str, list[str]] = {}
        folders: set[str] = set()
        for path in paths:
            folder, _, file = path.rpartition("/")
            if file.endswith(_MODULES):
                named.setdefault(name_of(path), []).append(path)
            else:
                named.setdefault(file, []).append(path)
            while folder and folder not in folders:
                folders.add(folder)
                folder, _, name = folder.rpartition("/")
                named.setdefault(name, []).append(f"{folder}/{name}/")
        self._named: Mapping[str, list[str]] = named

    def digest(self, names: Iterable[str], size: int) -> bytes:
        """Of everything with one of these names."""
        digest = blake2b(digest_size=size)
        for name in sorted(names):
            for path in sorted(self._named.get(name, ())):
                digest.update(path.encode("utf-8", "surrogatepass") + b"\0")
            digest.update(b"\1")
        return digest.digest()


def name_of(path: str) -> str:
    """The name that a file is imported by, its folder's for a package; that of another file or folder as it is."""
    folder, _, name = path.rstrip("/").rpartition("/")
    if name == _PACKAGE:
        return folder.rpartition("/")[2]
    return name.partition(".")[0] if name.endswith(_MODULES) else name


def above(folder: str, levels: int) -> str:
    """The folder so many levels up; empty for the root."""
    folder = "" if folder == "." else folder
    for _ in range(levels):
        folder = folder.rpartition("/")[0]
    return folder
