"""What of the host must be shown for an interpreter to run: its installation, and nothing else of anyone's home."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ml_agent.sandbox.base import Mount
from ml_agent.sandbox.interpreter import Interpreter

_SYSTEM = tuple(Path(name) for name in ("/usr", "/bin", "/sbin", "/lib", "/lib64"))


def is_shared(folder: Path) -> bool:
    """Whether a folder holds more than an installation: a home folder, what stands above one, or ~/.local with its key rings."""
    home = Path(os.path.realpath(os.path.expanduser("~")))
    folder = Path(os.path.realpath(folder))
    return home.is_relative_to(folder) or folder == home / ".local" or str(folder.parent) in ("/home", "/Users")


def is_covered(path: Path, mounts: Iterable[Mount]) -> bool:
    """Whether a path stands in what is shown: the system's folders, or a mount."""
    return any(path.is_relative_to(place) for place in (*_SYSTEM, *(Path(mount.target) for mount in mounts)))


def _chain(path: Path) -> Iterator[Path]:
    """`path` and each further path on its chain of symbolic links."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / os.readlink(path)))


def brings_its_own(path: Path, repository: Path) -> bool:
    """Whether links of the repository lead from `path`, in it, to what came with it: by a way that holds wherever it is unpacked.

    Tools link an interpreter by its absolute path. A relative one that leaves the repository, or one by way of /proc, leads to the folder
    that the repository is a part of, or to one beside it.
    """
    here, parts = repository, list(path.relative_to(repository).parts)
    for _ in range(1000):
        if not parts:
            return False
        part = parts.pop(0)
        here = here.parent if part == ".." else here / part
        if not here.is_relative_to(repository):
            return True
        if here.is_symlink():
            target = Path(os.path.normpath(os.readlink(here))) if os.path.isabs(os.readlink(here)) else Path(os.readlink(here))
            if target.is_absolute() and not target.is_relative_to(repository):
                return depends_on_process(target)
            here = repository if target.is_absolute() else here.parent
            parts = [*(target.relative_to(repository) if target.is_absolute() else target).parts, *parts]
    return True


def depends_on_process(path: Path) -> bool:
    """Whether a path leads elsewhere for each process: `/proc/self/cwd/x`."""
    return os.path.normpath(path).lstrip("/").startswith(("proc/", "dev/"))


def _starts(said: Interpreter, home: Path | None) -> list[Path]:
    """Paths that the interpreter is started by."""
    starts = [Path(said.executable)]
    if home is not None:
        starts += [home / name for name in ("python", "python3", f"python{said.minor}")]
    real = os.path.realpath(said.executable)
    # `home` comes from a file that may be a stranger's: what does not lead to the interpreter that was asked is none of ours.
    return [start for start in starts if os.path.realpath(start) == real]


def show_installation(said: Interpreter, home: Path | None = None) -> tuple[list[Mount], dict[str, str]]:
    """Mounts, and symbolic links (path -> target), for a base interpreter. `home`: the folder that a pyvenv.cfg names.

    An installation stands in a prefix of its own and is shown whole, under each of its names. Where the prefix is
    shared with other things, only the standard library, site-packages, the interpreter's file and its library are.
    """
    starts = _starts(said, home)
    prefixes = [Path(said.base_prefix)]
    named = [start.parent.parent for start in starts]
    prefixes += [prefix for prefix in named if (prefix / "lib" / f"python{said.minor}" / "os.py").is_file()]
    wanted: list[Path] = []
    for prefix in prefixes:
        if not is_shared(prefix):
            wanted += [prefix, Path(os.path.realpath(prefix))]
            continue
        parts = [Path(part) for part in (*said.stdlib, *said.site_packages, said.library) if part]
        wanted += [part for part in parts if part.is_relative_to(prefix) and part.exists() and not is_shared(part)]
    hops = [hop for start in starts for hop in _chain(start)]
    wanted += [hop for hop in hops if not hop.is_symlink()]
    mounts: list[Mount] = []
    for path in sorted(dict.fromkeys(wanted), key=lambda path: len(path.parts)):
        if not is_covered(path, mounts):
            mounts.append(Mount(Path(os.path.realpath(path)), str(path)))
    links = {str(hop): os.readlink(hop) for hop in hops if hop.is_symlink() and not is_covered(hop, mounts)}
    return mounts, links
