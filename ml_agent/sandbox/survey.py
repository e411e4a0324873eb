"""What of a repository goes into a private copy, and what is too large for one and is shown read-only."""

import os
import stat
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

FILE_BYTES = 64 << 20
COPY_BYTES = 512 << 20
COPY_FILES = 20_000
# So many large files in one folder, and the folder is shown as a whole.
_LARGE_FILES = 32
_LEFT_OUT = frozenset({".git", ".hg", ".svn"})


@dataclass(slots=True)
class Survey:
    """All paths are relative to the repository, with forward slashes."""

    folders: list[str] = field(default_factory=list)
    """Parents before children."""
    files: dict[str, int] = field(default_factory=dict)
    """Path -> size in bytes; those inside `shown` included."""
    links: dict[str, str] = field(default_factory=dict)
    """Path -> target, relative to the link's folder."""
    shown: list[str] = field(default_factory=list)
    """Files and folders that are not copied."""
    notes: list[str] = field(default_factory=list)

    def is_shown(self, path: str) -> bool:
        """Whether a path is one of `shown`, or stands in one."""
        return any(path == place or path.startswith(place + "/") for place in self.shown)


def survey(repository: Path, *, leave_out: Path | None = None) -> Survey:
    """Look through `repository`, whose links are resolved. `leave_out`: a folder of ours that may stand in it."""
    found = Survey()
    device = os.stat(repository).st_dev
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        for entry in _entries(repository, folder, found):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name in _LEFT_OUT or (leave_out is not None and entry.path == str(leave_out)):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISLNK(status.st_mode):
                _add_link(repository, path, found)
            elif stat.S_ISDIR(status.st_mode):
                found.folders.append(path)
                if status.st_dev != device or _is_environment(entry.path):
                    found.shown.append(path)
                else:
                    waiting.append(path)
            elif stat.S_ISREG(status.st_mode):
                found.files[path] = status.st_size
    found.folders.sort()
    _choose_shown(found)
    large = [path for path in found.shown if not _is_environment(f"{repository}/{path}")]
    found.notes += [f"{path} is large: it is shown to runs read-only, not copied" for path in large]
    return found


def _entries(repository: Path, folder: str, found: Survey) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(repository / folder if folder else repository) as entries:
            return list(entries)
    except OSError as error:
        found.notes.append(f"{folder or 'the repository'} cannot be read ({error.strerror}) and is left out")
        return []


def _is_environment(folder: str) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for name in ("pyvenv.cfg", "conda-meta"))


def _add_link(repository: Path, path: str, found: Survey) -> None:
    """A link that stays inside, made relative. One that leads out would show, or let a run write to, something else."""
    place = repository / path
    try:
        target = os.readlink(place)
        end = Path(os.path.realpath(place))
    except OSError:
        return
    straight = os.path.normpath(place.parent / target)
    if not end.is_relative_to(repository) or not Path(straight).is_relative_to(repository):
        found.notes.append(f"the link {path} leads out of the repository and is left out")
        return
    found.links[path] = os.path.relpath(straight, place.parent) if os.path.isabs(target) else target


def _choose_shown(found: Survey) -> None:
    """Large files, then the folders that hold most, until the rest is small enough to copy."""
    large = [path for path, size in found.files.items() if size > FILE_BYTES]
    per_folder = Counter(os.path.dirname(path) for path in large)
    crowded = {folder for folder, count in per_folder.items() if folder and count > _LARGE_FILES}
    found.shown += sorted(crowded)
    found.shown += sorted(path for path in large if os.path.dirname(path) not in crowded)
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for path, size in found.files.items():
        if not found.is_shown(path):
            for folder in _above(path):
                sizes[folder] += size
                counts[folder] += 1
    children: dict[str, list[str]] = {}
    for folder in found.folders:
        children.setdefault(os.path.dirname(folder), []).append(folder)

    def weight(folder: str) -> float:
        return max(sizes[folder] / COPY_BYTES, counts[folder] / COPY_FILES)

    while weight("") > 1:
        current = ""
        # Down to the folder where the data is: the most of the repository stays writable.
        while heaviest := max(children.get(current, ()), key=weight, default=None):
            if current and weight(heaviest) < weight(current) / 2:
                break
            current = heaviest
        if not weight(current) or not current:
            return
        size, count = sizes[current], counts[current]
        found.shown.append(current)
        for folder in (*_above(current), current):
            sizes[folder] -= size
            counts[folder] -= count
        for folder in [folder for folder in found.folders if folder.startswith(current + "/")]:
            sizes[folder] = counts[folder] = 0


def _above(path: str) -> list[str]:
    """Every folder that `path` stands in, the root as ''."""
    folders = []
    while path:
        path = os.path.dirname(path)
        folders.append(path)
    return folders
