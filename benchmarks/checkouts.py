"""Where the repositories of a suite are: a folder of checkouts or archives, or a clone at the pinned commit in the cache."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from ml_agent.benchmarks.archives import SUFFIXES, unpack
from ml_agent.benchmarks.base import Repository, Suite
from ml_agent.benchmarks.git_state import head_commit
from ml_agent.benchmarks.suites import smoke
from ml_agent.errors import InfrastructureError, UsageError

CLONE_SECONDS = 1_800.0
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_URL = re.compile(r"(?:https|ssh|file)://\S+")
# Neither this user's nor the system's configuration counts: no hooks, no filters, no templates, no helpers that are programs.
_GIT = (
    *("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never"),
    *("-c", "protocol.https.allow=always", "-c", "protocol.ssh.allow=always", "-c", "protocol.file.allow=always"),
    *("-c", "submodule.recurse=false", "-c", "credential.helper=", "-c", "core.askPass=true", "-c", "advice.detachedHead=false"),
)
_ENVIRONMENT = ("PATH", "HOME", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSH_AUTH_SOCK")


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
    place = cache or _cache()
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


def _cache() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("ml-agent") / "repositories"


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
        folder = _cloned(repository, cache)
        return folder, head_commit(folder)
    where = f"in {repos}" if repos is not None else "(--repos DIR, the folder of checkouts)"
    raise UsageError(f"{suite.name} needs a checkout of {repository.name} {where}: `git clone {repository.url or 'URL'}`")


def _unpacked(archive: Path, cache: Path) -> tuple[Path, str | None]:
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = cache / f"archive-{digest[:32]}"
    said = folder / ".commit"
    if not folder.is_dir():
        with _making(folder) as made:
            commit = unpack(archive, made.path / "repository")
            (made.path / ".commit").write_text(commit or "")
    return folder / "repository", said.read_text() or None


class _making:  # noqa: N801 - reads as what it does
    """A folder that is there whole or not at all, whoever else makes it at the same time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> "_making":
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.path = Path(tempfile.mkdtemp(prefix=".making-", dir=self._folder.parent))
            (self.path / "repository").mkdir()
        except OSError as error:
            raise InfrastructureError(f"cannot write to {self._folder.parent}: {error.strerror}") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.path.rename(self._folder)
        except OSError as error:
            if not self._folder.is_dir():  # else another process was first, with the same
                raise InfrastructureError(f"cannot make {self._folder}: {error.strerror}") from error
        finally:
            shutil.rmtree(self.path, ignore_errors=True)


def _cloned(repository: Repository, cache: Path) -> Path:
    url, commit = repository.url, repository.commit.lower()
    if not _URL.fullmatch(url) or not _COMMIT.fullmatch(commit):
        raise UsageError(f"cannot clone {url[:200]!r} at {commit[:80]!r}: an https, ssh or file URL and a whole commit are wanted")
    folder = cache / f"{repository.name}-{commit}"
    if not folder.is_dir():
        with _making(folder) as made:
            target = str(made.path / "repository")
            _git("init", "--quiet", "--template=", target)
            _git("-C", target, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, commit)
            _git("-C", target, "checkout", "--quiet", "--detach", commit)
    return folder / "repository"


def _git(*words: str) -> None:
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    environment = kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
        "GIT_LFS_SKIP_SMUDGE": "1",
    }
    try:
        done = subprocess.run(
            [*_GIT, *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=CLONE_SECONDS,
        )
    except FileNotFoundError as error:
        raise InfrastructureError("git is not installed: install it, or give --repos a folder of checkouts") from error
    except subprocess.TimeoutExpired as error:
        raise InfrastructureError(f"git did not end within {CLONE_SECONDS:g} seconds: give --repos a folder of checkouts") from error
    if done.returncode != 0:
        why = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), f"exit code {done.returncode}")
        raise InfrastructureError(f"git cannot fetch the repository: {why.strip()[:300]}")
