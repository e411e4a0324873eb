"""Where the repositories of a suite are: a folder of checkouts or archives, or a clone at the pinned commit in the cache."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ml_agent.benchmarks.archives import SUFFIXES, unpack
from ml_agent.benchmarks.base import Repository, Suite
from ml_agent.benchmarks.suites import smoke
from ml_agent.errors import UsageError
from ml_agent.git import cloning
from ml_agent.git.making import Making, cache_folder
from ml_agent.git.state import head_commit


class Checkouts(dict[str, Path]):
    """Repository's name -> its folder."""

    notes: tuple[str, ...] = ()
    """What could not be checked, a line each."""


def find_checkouts(
    suite: Suite, repos: Path | None = None, *, names: Iterable[str] | None = None, clone: bool = False, cache: Path | None = None
) -> Checkouts:
    """The repositories of the suite, or those of `names` alone.

    `repos` holds a folder or an archive for each, under its name (case ignored). With `clone`, what is not there is cloned from its URL at
    its pinned commit into `cache` (the user's by default), once. Raises UsageError for one that is missing or at another commit,
    InfrastructureError if git fails.
    """
    place = cache or cache_folder()
    entries = _entries(repos) if repos is not None else {}
    folders, notes = Checkouts(), list[str]()
    for name in sorted(set(names) if names is not None else suite.repositories):
        repository = suite.repositories[name]
        folder, commit = _find(repository, suite, repos, entries, place, clone=clone)
        folders[name] = folder
        if not repository.commit or folder == smoke.REPOSITORY:
            continue
        if commit is None:
            notes.append(f"{folder} does not say at which commit it is; the suite pins {repository.commit[:12]}")
        elif commit != repository.commit:
            raise UsageError(
                f"{folder} is at commit {commit[:12]}, and the suite pins {repository.commit}: check that one out, or clone it anew"
            )
    folders.notes = tuple(notes)
    return folders


def _entries(repos: Path) -> dict[str, Path]:
    """Name in lower case, of an archive without its suffix -> the folder or file; a folder wins."""
    found: dict[str, Path] = {}
    try:
        entries = sorted(os.scandir(repos), key=lambda entry: entry.name)
    except OSError as error:
        raise UsageError(f"cannot read the folder of checkouts {repos}: {error.strerror}") from error
    for entry in entries:
        name = entry.name.lower()
        path = Path(entry.path)
        if path.is_dir():
            if name in found and found[name].is_dir():
                raise UsageError(f"{found[name]} and {path} differ in case alone, which is ignored: keep one of the two")
            found[name] = path
            continue
        suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)
        if suffix is not None and path.is_file():
            found.setdefault(name.removesuffix(suffix), path)
    return found


def _find(
    repository: Repository, suite: Suite, repos: Path | None, entries: Mapping[str, Path], cache: Path, *, clone: bool
) -> tuple[Path, str | None]:
    """The folder, and its commit if that can be told."""
    found = entries.get(repository.name.lower())
    if found is not None:
        return (found, head_commit(found)) if found.is_dir() else _unpacked(found, cache)
    if suite.name == "smoke" and repository.name == smoke.NAME:
        return smoke.REPOSITORY, None
    if clone and repository.url and repository.commit:
        folder = cloning.clone(repository.url, repository.commit, name=repository.name, cache=cache)
        return folder, head_commit(folder)
    where = f"in {repos}" if repos is not None else "(--repos DIR, the folder of checkouts)"
    raise UsageError(f"{suite.name} needs a checkout of {repository.name} {where}: `git clone {repository.url or 'URL'}`")


def _unpacked(archive: Path, cache: Path) -> tuple[Path, str | None]:
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = cache / f"archive-{digest[:32]}"
    said = folder / ".commit"
    if not folder.is_dir():
        with Making(folder) as made:
            commit = unpack(archive, made.path / "repository")
            (made.path / ".commit").write_text(commit or "")
    return folder / "repository", said.read_text() or None
