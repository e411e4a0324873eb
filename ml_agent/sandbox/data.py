"""Data of the user's that runs see, read-only, at a place in the repository."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ml_agent.errors import UsageError


@dataclass(frozen=True, slots=True)
class Data:
    """A folder or file, and its name in the repository: a relative path with forward slashes."""

    source: Path
    name: str


def find_data(given: Sequence[str], repository: Path) -> tuple[Data, ...]:
    """Each is `PATH[:NAME]`; without a name it is the last part of the path. Raises UsageError for what cannot be shown.

    A colon belongs to the path if there is one of that whole name.
    """
    found: list[Data] = []
    for text in given:
        if not isinstance(text, str) or not text or "\0" in text:
            raise UsageError("--data is empty: give PATH or PATH:NAME")
        path, name = (text, "") if os.path.lexists(text) else (text.rpartition(":")[0] or text, text.rpartition(":")[2])
        if not os.path.exists(path):
            raise UsageError(
                f"--data {text!r}: there is no {path!r}; give the path of a folder or a file, and after a colon its name in the repository"
            )
        if not os.access(path, os.R_OK):
            raise UsageError(f"--data {text!r}: {path!r} cannot be read")
        source = Path(os.path.realpath(path))
        clean = os.path.normpath(name or source.name)
        if os.path.isabs(clean) or clean in (".", "..") or clean.startswith("../"):
            raise UsageError(f"--data {text!r}: {name!r} is no place in the repository: give a relative path such as data/{source.name}")
        _check_free(repository, clean, text)
        for other in found:
            if _overlaps(other.name, clean):
                raise UsageError(f"--data {text!r}: {clean!r} and {other.name!r} are one place: give each a name of its own")
        found.append(Data(source, clean))
    return tuple(found)


def _check_free(repository: Path, name: str, text: str) -> None:
    """The place must be free, or an empty folder; none of the folders above may be a file or a link."""
    place = repository
    for part in name.split("/"):
        place /= part
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise UsageError(
                f"--data {text!r}: the repository has {str(place.relative_to(repository))!r} already: give another name after the colon"
            )
    try:
        has_files = place.is_dir() and any(not entry.name.startswith(".") for entry in os.scandir(place))
    except OSError as error:
        raise UsageError(f"--data {text!r}: {name!r} cannot be looked at: {error.strerror}") from error
    if has_files:
        raise UsageError(f"--data {text!r}: the folder {name!r} of the repository is not empty: give another name after the colon")


def _overlaps(one: str, other: str) -> bool:
    return one == other or one.startswith(other + "/") or other.startswith(one + "/")


def make_places(data: Sequence[Data], copy: Path) -> None:
    """An empty file or folder for each in a private copy, for the mount to stand on. Raises OSError."""
    for one in data:
        place = copy / one.name
        if one.source.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
