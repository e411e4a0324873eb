"""Do the folders exist that an answer runs in?"""

import posixpath
import shlex

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.modules import nearest_names
from ml_agent.repo.modules.roots import join, split
from ml_agent.repo.shell import ShellCommand
from ml_agent.verify.findings import Finding
from ml_agent.verify.made import Made


def check_workdir(workdir: str, index: RepoIndex) -> Finding | None:
    """A finding if an answer's folder is none of the repository's."""
    if index.files.is_folder(workdir or "."):
        return None
    return Finding("folder", f"there is no folder {workdir!r} in the repository", workdir, suggestion=nearest_folder(workdir, index))


def check_cd(command: ShellCommand, workdir: str, index: RepoIndex, made: Made) -> Finding | None:
    """A finding if a `cd` goes to a folder that is not there."""
    target = next((w for w in command.words[1:] if w.text != "--" and not (w.text.startswith("-") and len(w.text) > 1)), None)
    here = join(workdir, command.cwd) if command.cwd is not None else None
    if target is None or here is None or target.dynamic or target.text in ("-", "") or target.text.startswith(("/", "~")):
        return None
    folder = join(here, target.text)
    if folder is None:
        return Finding("folder", f"`cd {target.text}` leaves the repository", command.text[:80], severity="warning")
    if index.files.is_folder(folder) or made.may_hold(folder):
        return None
    if not index.files.is_folder(here):
        return None  # said already
    message = f"there is no folder {folder!r} in the repository"
    if here == "." and folder.lower() == index.files.root.name.lower():
        return Finding("folder", message + ": the answer starts inside it", command.text[:80], suggestion="cd .")
    near = nearest_folder(folder, index)
    suggestion = f"cd {shlex.quote(posixpath.relpath(near, here))}" if near else None
    return Finding("folder", message, command.text[:80], suggestion=suggestion, severity="warning" if made.ran else "error")


def nearest_folder(path: str, index: RepoIndex) -> str | None:
    """The folder with the same last name, else the one that is spelled most like it; None if none is near."""
    from rapidfuzz import fuzz

    folders = index.files.folders
    same = [f for f in folders if split(f)[1].lower() == split(path.rstrip("/"))[1].lower()]
    near = same or nearest_names(path, folders, 1)
    return max(near, key=lambda f: (fuzz.ratio(f, path), -len(f)), default=None)
