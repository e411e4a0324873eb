"""Where a command that names a program was meant to be run: which file it is, and from which folder."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ml_agent.repo.files import FileTable
from ml_agent.repo.shell.launchers import Target

UNKNOWN_FOLDERS = r"\$\([^()]*\)|`[^`]*`|<[^<>]*>|~|/(?:path[_/-]to|your)[\w.\-]*"
"""Folders that only a run, or the reader, knows: a regular expression, of those that are no variable."""
_UNKNOWN_FRONT = re.compile(rf"^(?:\$\{{?\w+\}}?|{UNKNOWN_FOLDERS})/")
_SOURCE_FOLDERS = (".", "src", "lib", "python")


def locate(
    files: FileTable, target: Target, cwds: Sequence[str | None], folder: str, packages: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, str] | None:
    """The program's file and the folder to run it from, both relative to the root; None if it is not of the repository.

    `folder` is that of the text that holds the command; `cwds` are where its `cd`s may lead from there, the likeliest first.
    People write from the folder of the text, from the repository's root, from a folder above the checkout or from somewhere
    between; the first place that makes the program exist is taken, and at last the only file whose path ends as written.
    `packages`: folders of packages that are installed under another name, by that name.
    """
    paths = _paths(target)
    if not paths:
        return None
    package, _, module = target.value.rpartition(".")
    if target.kind == "module" and package in packages and files.is_file(path := f"{packages[package]}/{module}.py"):
        return posixpath.normpath(path), "."
    places = list(dict.fromkeys(_places(cwds, folder)))
    for path, exact in paths:
        for place in places:
            for base in (".",) if exact else _SOURCE_FOLDERS:
                found = posixpath.normpath(posixpath.join(place, base, path))
                if not found.startswith("../") and files.is_file(found):
                    return found, place
    for path, _ in paths:
        if only := _only(files, path, folder):
            return only, posixpath.normpath(only[: len(only) - len(path)] or ".")
    for path, exact in paths:
        head, _, rest = path.partition("/")
        if exact and head == files.root.name and files.is_file(rest):  # written from above the checkout
            return rest, "."
    return None


def _paths(target: Target) -> list[tuple[str, bool]]:
    """The paths that the program may have from its folder; False where a folder for sources may stand in front."""
    if target.kind == "module":
        if not re.fullmatch(r"\w+(?:\.\w+)*", target.value):
            return []
        path = target.value.replace(".", "/")
        return [(f"{path}.py", False), (f"{path}/__main__.py", False)]
    path = target.value.replace("\\", "/") if re.fullmatch(r"[\w.-]+(?:\\[\w.-]+)+", target.value) else target.value
    path = _UNKNOWN_FRONT.sub("", path)
    if not path or path.startswith("/") or re.search(r"[$`*\n]", path) or "://" in path:
        return []
    normal = posixpath.normpath(path)
    return [] if normal in (".", "..") else [(normal, True)]


def _places(cwds: Sequence[str | None], folder: str) -> Iterator[str]:
    for cwd in cwds:
        if cwd is None:
            continue
        parts = [p for p in cwd.split("/") if p]
        # From the second part on: `cd repository/examples`, `cd /home/me/repository`
        for first in range(1 if cwd.startswith("/") else 0, len(parts)):
            for base in (folder, "."):
                yield from _inside(base, "/".join(parts[first:]))
    while folder != ".":
        yield folder
        yield "."
        folder = posixpath.dirname(folder) or "."
    yield "."


def _inside(base: str, path: str) -> Iterator[str]:
    place = posixpath.normpath(posixpath.join(base, path))
    if place != ".." and not place.startswith("../"):
        yield place


def _only(files: FileTable, path: str, folder: str) -> str | None:
    """The only file whose path ends so, below `folder` if there are others elsewhere."""
    tail = "/" + path
    found = [f for f in files.find(path.rpartition("/")[2]) if f.endswith(tail)]
    if len(found) > 1 and folder != ".":
        found = [f for f in found if f.startswith(folder + "/")]
    return found[0] if len(found) == 1 else None
