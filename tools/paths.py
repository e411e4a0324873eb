"""Paths as a policy gives them: relative to the root of the repository, with forward slashes."""

import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.errors import ToolError
from ml_agent.repo.files import FileTable, Text

if TYPE_CHECKING:
    from ml_agent.workspace import Workspace


def relative(path: str) -> str:
    """The path without `.` and `//`; "." for the root. Raises ToolError if it is absolute or leaves the repository by `..`."""
    clean = posixpath.normpath(path or ".")
    if clean.startswith("/") or "\0" in clean:
        raise ToolError(f"{path!r}: give a path relative to the root of the repository")
    if clean == ".." or clean.startswith("../"):
        raise ToolError(f"{path!r} leaves the repository")
    return clean


def under(path: str, folder: str) -> bool:
    """Whether a path is the folder or lies in it."""
    return folder == "." or path == folder or path.startswith(folder + "/")


def no_such_file(files: FileTable, path: str) -> ToolError:
    """The error for a file that is not there, naming those with the same name, else with a similar one."""
    from rapidfuzz import fuzz, process

    name = posixpath.basename(path)
    near = list(files.find(name)[:5])
    if not near:
        names = dict.fromkeys(posixpath.basename(f.path) for f in files.files)
        similar = process.extract(name, list(names), scorer=fuzz.ratio, limit=3, score_cutoff=70)
        near = [files.find(found)[0] for found, _, _ in similar]
    return ToolError(f"there is no file {path!r}" + (f"; did you mean {' or '.join(near)}?" if near else "; file_tree lists what there is"))


def read_text(workspace: "Workspace", path: str) -> Text:
    """A file as the workspace has it now: from the private copy if there is one, else from the repository.

    Raises ToolError if it is no file, or lies outside.
    """
    files, path = workspace.index.files, relative(path)
    place = workspace.resolve(path)
    if place.is_dir():
        raise ToolError(f"{path!r} is a folder; file_tree lists it")
    try:
        if place != Path(os.path.realpath(workspace.repository / path)):
            files = FileTable(Path(os.path.realpath(workspace.root)), (), (), ())
        return files.read(path)
    except FileNotFoundError:
        raise no_such_file(workspace.index.files, path) from None
    except OSError as error:
        raise ToolError(f"cannot read {path!r}: {error.strerror or error}") from error
