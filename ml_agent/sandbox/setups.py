"""Setups: a command that gets a repository ready, run once, and what it did kept for later.

It runs in the sandbox over a copy of the repository, with a virtual environment of its own over the Environment: that shows the packages
of the base and takes what the command installs. Copy and environment are kept in the user's cache folder under the hash of all that
they are made from: the command, the interpreter and its packages, the repository's place and its content. So an unchanged repository is
set up once, a changed one anew.

What is kept was written by untrusted code: nothing of it is ever executed, or believed, outside a sandbox.
"""

import fcntl
import hashlib
import json
import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ml_agent.errors import InfrastructureError, SandboxUnavailable, UsageError
from ml_agent.sandbox.base import ExecResult, Mount, Sandbox
from ml_agent.sandbox.environment import LINKS, Environment
from ml_agent.sandbox.outcome import output_tail, record
from ml_agent.sandbox.private_copy import copy_repository
from ml_agent.sandbox.removal import remove_tree
from ml_agent.sandbox.survey import Survey

SECONDS = 3600.0
"""For a setup command; it does not count as time of the solve."""
_VERSION = 1
_DONE = "done.json"
_KEPT_SECONDS = 30 * 86400.0
_VENV_SECONDS = 120.0

Opener = Callable[[Path, Sequence[Mount]], Sandbox]
"""Opens a sandbox over that folder, with these mounts as well."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A repository that is ready, and the Environment for it."""

    repository: Path
    environment: Environment


def provide(
    command: str,
    repository: Path,
    found: Survey,
    environment: Environment,
    open_sandbox: Opener,
    *,
    network: bool,
    seconds: float = SECONDS,
) -> Setup:
    """The kept setup, made first if there is none. Several processes may ask at once: one makes it.

    Raises UsageError if the command fails, what the sandbox raises, and InfrastructureError if nothing can be kept.
    """
    parent, packages = _parent(), environment.packages()
    folder = parent / _key(command, repository, found, environment, packages, network)
    has_pip = "pip" in packages
    try:
        parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(parent / f"{folder.name}.lock"):
            _remove_old(parent, folder.name)
            if not (folder / _DONE).exists():
                remove_tree(folder)
                for place in (folder, folder / "repository", folder / "venv"):
                    place.mkdir()
                try:
                    copy_repository(repository, found, folder / "repository")
                    _connect(folder / "venv", environment, has_pip)
                    _make(command, folder, environment, has_pip, open_sandbox, network, seconds)
                except BaseException:
                    for place in (folder / "repository", folder / "venv"):  # what it said stays
                        remove_tree(place)
                    raise
            os.utime(folder / _DONE)
    except OSError as error:
        raise InfrastructureError(f"cannot keep the setup in {parent}: {error.strerror or error}") from error
    return Setup(folder / "repository", _over(environment, folder / "venv"))


def _parent() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("ml-agent") / "setups"


def _key(command: str, repository: Path, found: Survey, environment: Environment, packages: Mapping[str, str], network: bool) -> str:
    digest = hashlib.sha256()
    made_from = [
        _VERSION,
        command,
        network,
        str(repository),
        environment.python,
        environment.version,
        sorted(packages.items()),
    ]
    digest.update(json.dumps(made_from).encode())
    for path, size in sorted(found.files.items()):
        digest.update(f"\0{path}\0{size}\0".encode("utf-8", errors="surrogateescape"))
        try:
            if found.is_shown(path):
                digest.update(str(os.lstat(repository / path).st_mtime_ns).encode())
            else:
                with open(repository / path, "rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError:
            continue  # left out of the copy as well
    return digest.hexdigest()[:32]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _make(command: str, folder: Path, environment: Environment, has_pip: bool, open_sandbox: Opener, network: bool, seconds: float) -> None:
    venv = folder / "venv"
    inside = _over(environment, venv)
    with open_sandbox(folder / "repository", [Mount(venv, str(venv), writable=True)]) as sandbox:
        options = ["--system-site-packages", *(["--without-pip"] if has_pip else [])]
        if sandbox.name == "none":
            raise SandboxUnavailable(sandbox.notes[0] if sandbox.notes else "there is no sandbox to run the setup command in")
        made = sandbox.exec([environment.python, "-I", "-m", "venv", *options, str(venv)], timeout=_VENV_SECONDS)
        if not made.ok:
            raise InfrastructureError(f"cannot make a virtual environment over {environment.python}: {_why(made)}")
        ended = sandbox.exec(["bash", "-c", command], timeout=seconds, env=_variables(inside))
    (folder / "log").write_text(f"{ended.stdout}\n{ended.stderr}", encoding="utf-8", errors="replace")
    if not ended.ok:
        missing = record(ended).missing or ""
        hint = "; --network setup gives it the network" if missing.startswith("network") and not network else ""
        raise UsageError(f"the setup command failed: {_why(ended)}{hint} (all that it said: {folder / 'log'})")
    (folder / f"{_DONE}.new").write_text(json.dumps({"command": command, "at": time.time()}))
    os.replace(folder / f"{_DONE}.new", folder / _DONE)


def _why(result: ExecResult) -> str:
    ended = record(result)
    return ended.reason or output_tail(result)[-300:]


def _variables(environment: Environment) -> Mapping[str, str]:
    """Its programs come first: the sandbox's own variables are those of the base."""
    path = dict.fromkeys((environment.bin, "/usr/local/bin", "/usr/bin", "/bin"))
    return {**environment.variables, "PATH": ":".join(path), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def _connect(venv: Path, base: Environment, has_pip: bool) -> None:
    """Show the base's packages where `venv` will not: a virtual environment over another one sees only their common interpreter's.

    And give pip its name, if it is the base's. This is written while the folder is empty: later, a link in it may lead anywhere.
    """
    packages = venv / "lib" / f"python{_minor(base)}" / "site-packages"
    packages.mkdir(parents=True)
    lines = [f"import site; site.addsitedir({folder!r})" for folder in base.path]
    (packages / "_base.pth").write_text("\n".join(lines) + "\n")
    (venv / "bin").mkdir()
    for name in ("pip", "pip3") if has_pip else ():
        file = venv / "bin" / name
        file.write_text(f'#!/bin/sh\nexec {shlex.quote(str(venv / "bin" / "python"))} -m pip "$@"\n')
        file.chmod(0o755)


def _minor(environment: Environment) -> str:
    return ".".join(environment.version.split(".")[:2])


def _over(base: Environment, venv: Path) -> Environment:
    """The Environment of `venv`, as it was made: what stands in it is not asked, a setup command may have written it."""
    return replace(
        base,
        python=str(venv / "bin" / "python"),
        mounts=(*base.mounts, Mount(venv, str(venv))),
        path=(str(venv / "lib" / f"python{_minor(base)}" / "site-packages"), *base.path),
        bin=str(venv / "bin"),
        links={path: target for path, target in base.links.items() if not path.startswith(LINKS)},
        variables={**base.variables, "VIRTUAL_ENV": str(venv)},
    )


def _remove_old(parent: Path, own: str) -> None:
    """What no solve has asked for in a month, or was never finished, unless somebody is at it."""
    for folder in parent.iterdir():
        if not folder.is_dir() or folder.name == own:
            continue
        try:
            is_old = time.time() - (folder / _DONE).stat().st_mtime > _KEPT_SECONDS
        except FileNotFoundError:
            is_old = True
        if not is_old:
            continue
        descriptor = os.open(parent / f"{folder.name}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_tree(folder)
            (parent / f"{folder.name}.lock").unlink(missing_ok=True)
        except BlockingIOError:
            continue
        finally:
            os.close(descriptor)
