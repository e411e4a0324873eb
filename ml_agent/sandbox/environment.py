"""The Environment: which interpreter and which packages a run sees, the same in every sandbox.

It is found without running anything of the repository. A virtual environment is read (`pyvenv.cfg`, links, folders),
and only its base interpreter, which stands elsewhere, is asked about itself.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from ml_agent.errors import UsageError
from ml_agent.sandbox import interpreter
from ml_agent.sandbox.base import Mount
from ml_agent.sandbox.interpreter import Interpreter
from ml_agent.sandbox.prefixes import brings_its_own, depends_on_process, is_covered, is_shared, show_installation

# Where `python` and `python3` are given the right meaning when the interpreter's own folder does not.
LINKS = "/run/ml-agent/bin"
_PYTHON = re.compile(r"(python|pypy)[0-9.]*t?")
HOW = "give --python the path of a Python 3 interpreter or of a virtual environment"
"""How every UsageError of `find_environment` ends."""


@dataclass(frozen=True, slots=True)
class Environment:
    """An interpreter and its packages."""

    python: str
    """Path of the interpreter, the same inside a sandbox and outside."""
    version: str
    """Such as `3.11.7`."""
    mounts: tuple[Mount, ...] = ()
    """What of the host a sandbox has to show, read-only, besides /usr."""
    path: tuple[str, ...] = ()
    """Folders that packages are installed in, in the order of `sys.path`; they exist."""
    bin: str = "/usr/bin"
    """Folder of its programs, first on PATH."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Symbolic links to make inside: path -> target."""
    variables: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What is not as a user might expect, one line each."""

    def packages(self) -> dict[str, str]:
        """Installed distributions, normalised name (PEP 503) -> version, read from their metadata."""
        found: dict[str, str] = {}
        for folder in self.path:
            for name, version in _distributions(Path(folder)):
                found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), version)
        return found


def _open(path: Path) -> TextIO:
    """To read a stranger's file: a pipe in its place is empty, rather than waited for."""
    return open(path, encoding="utf-8", errors="replace", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))


def _distributions(folder: Path) -> Iterator[tuple[str, str]]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        file = {".dist-info": entry / "METADATA", ".egg-info": entry / "PKG-INFO" if entry.is_dir() else entry}.get(entry.suffix)
        if file is None:
            continue
        try:
            with _open(file) as lines:
                head = lines.read(20_000).partition("\n\n")[0]
        except OSError:
            continue
        fields = dict(re.findall(r"^(Name|Version):[ \t]*(\S+)", head, re.MULTILINE))
        if "Name" in fields:
            yield fields["Name"], fields.get("Version", "")


def find_environment(repository: Path, python: str | None) -> Environment:
    """`python` (a path, a name on PATH, a virtual environment), else the repository's .venv, else $VIRTUAL_ENV, else python3 on PATH.

    Raises UsageError if what was asked for is no Python, or if there is none at all.
    """
    inside = Path(os.path.realpath(repository))
    if python is not None:
        if not python.strip() or "\0" in python or len(python) > 4000:
            raise UsageError(f"--python is empty or no path: {HOW}")
        found = _from_name(python, inside)
        if isinstance(found, str):
            raise UsageError(f"--python {python!r} cannot be used: {found}; {HOW}")
        return found
    notes: list[str] = []
    candidates = [("the repository's .venv", inside / ".venv")] if (inside / ".venv").is_dir() else []
    if os.environ.get("VIRTUAL_ENV"):
        candidates.append(("$VIRTUAL_ENV", Path(os.environ["VIRTUAL_ENV"])))
    for name, folder in candidates:
        result = _from_folder(folder.absolute(), inside)
        if isinstance(result, Environment):
            return _with_notes(result, notes)
        notes.append(f"{name} is not used: {result}")
    for path in _on_path("python3", inside):
        result = _from_file(path, inside)
        if isinstance(result, Environment):
            return _with_notes(result, notes)
        notes.append(f"{path} is not used: {result}")
    raise UsageError(f"there is no python3 on PATH: {HOW}")


def _with_notes(environment: Environment, notes: list[str]) -> Environment:
    return replace(environment, notes=(*notes, *environment.notes))


def _on_path(name: str, inside: Path) -> Iterator[Path]:
    """Programs of that name on PATH, relative entries left out: those depend on where one stands, in a repository perhaps."""
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = Path(entry, name)
        if path.is_absolute() and os.path.isfile(path) and os.access(path, os.X_OK):
            yield path


def _from_name(name: str, inside: Path) -> Environment | str:
    if os.sep not in name:
        for path in _on_path(name, inside):
            return _from_file(path, inside)
    try:
        path = Path(os.path.abspath(os.path.expanduser(name)))
        if path.is_dir():
            return _from_folder(path, inside)
        if not path.exists():
            return "there is no such file" if os.sep in name else "there is no such file, and no such program on PATH"
    except OSError as error:
        return f"it is no path ({error.strerror})"
    return _from_file(path, inside)


def _from_folder(folder: Path, inside: Path) -> Environment | str:
    for name in ("python", "python3"):
        if os.path.lexists(folder / "bin" / name):
            return _from_file(folder / "bin" / name, inside)
    return "there is no bin/python in this folder"


def _from_file(path: Path, inside: Path) -> Environment | str:
    """The environment of the interpreter at `path`: absolute, not resolved, as a virtual environment is known by where its link stands."""
    if not path.is_file():
        return "its interpreter is a broken link" if path.is_symlink() else "it is not a file"
    if not os.access(path, os.X_OK):
        return "it is not an executable file"
    settings = _pyvenv(path.parent.parent)
    if settings is not None:
        return _virtual(path, settings, inside)
    if _is_inside(path, inside):
        return "it stands inside the repository, and nothing of a repository runs outside the sandbox"
    said = interpreter.ask(str(path), _path_outside(inside))
    if isinstance(said, str):
        return said
    if _pyvenv(Path(said.executable).parent.parent) is not None and said.executable != str(path):
        return _from_file(Path(said.executable), inside)  # a wrapper script that starts a virtual environment
    return _plain(said, inside)


def _path_outside(inside: Path) -> str:
    """The caller's PATH without what is the repository's: with an environment of it activated, its programs would come first."""
    entries = (Path(entry) for entry in os.environ.get("PATH", os.defpath).split(os.pathsep))
    return os.pathsep.join(str(entry) for entry in entries if entry.is_absolute() and not _is_inside(entry / "program", inside))


def _is_inside(path: Path, inside: Path) -> bool:
    """Whether the file that would be executed, or a link on the way to it, stands in the repository."""
    return Path(os.path.realpath(path)).is_relative_to(inside) or Path(os.path.realpath(path.parent)).is_relative_to(inside)


def _pyvenv(prefix: Path) -> dict[str, str] | None:
    try:
        with _open(prefix / "pyvenv.cfg") as file:
            text = file.read(100_000)
    except OSError:
        return None
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _base_of(path: Path, settings: dict[str, str], inside: Path) -> Interpreter | str:
    """The interpreter that a virtual environment was made from. Its file is never taken from inside the repository."""
    home = Path(settings.get("home", ""))
    if path.is_relative_to(inside) and (brings_its_own(path, inside) or depends_on_process(home)):
        return "its interpreter is one that came with the repository, and nothing of a repository runs outside the sandbox"
    candidates = [Path(os.path.realpath(path))]
    if home.is_absolute():
        candidates += [home / path.resolve().name, home / "python3", home / "python"]
    for candidate in candidates:
        if (
            _PYTHON.fullmatch(candidate.name)
            and candidate.is_file()
            and not _is_inside(candidate, inside)
            and _pyvenv(candidate.parent.parent) is None
        ):
            return interpreter.ask(str(candidate), _path_outside(inside))
    return f"the interpreter it was made from is gone or stands inside the repository ({home})"


def _virtual(path: Path, settings: dict[str, str], inside: Path) -> Environment | str:
    prefix = path.parent.parent
    if is_shared(prefix):
        return f"it would show all of {os.path.realpath(prefix)} to what runs"
    base = _base_of(path, settings, inside)
    if isinstance(base, str):
        return base
    own = [str(folder) for name in ("lib", "lib64") if (folder := prefix / name / f"python{base.minor}" / "site-packages").is_dir()]
    folders = list({os.path.realpath(folder): folder for folder in reversed(own)}.values())
    shared = settings.get("include-system-site-packages", "").lower() == "true"
    variables = {"VIRTUAL_ENV": str(prefix)}
    home = Path(settings.get("home", ""))
    mounts, links = show_installation(base, home if home.is_absolute() and not _is_inside(home / "python", inside) else None)
    if shared:
        folders += [folder for folder in base.site_packages if os.path.isdir(folder)]
        mounts += _user_site(base, folders, variables)
    mounts += [Mount(Path(os.path.realpath(prefix)), str(target)) for target in dict.fromkeys((prefix, Path(os.path.realpath(prefix))))]
    notes = _outside(folders, mounts, inside)
    return Environment(str(path), base.version, tuple(mounts), tuple(folders), str(path.parent), links, variables, notes)


def _plain(said: Interpreter, inside: Path) -> Environment:
    folders = [folder for folder in said.site_packages if os.path.isdir(folder)]
    variables: dict[str, str] = {}
    mounts, links = show_installation(said)
    mounts += _user_site(said, folders, variables)
    folder = os.path.dirname(said.executable)
    wanted = os.path.realpath(said.executable)
    if folder in ("/usr/bin", "/bin") or any(os.path.realpath(os.path.join(folder, name)) != wanted for name in ("python", "python3")):
        links |= {f"{LINKS}/{name}": said.executable for name in ("python", "python3")}
    notes = _outside(folders, mounts, inside)
    return Environment(said.executable, said.version, tuple(mounts), tuple(folders), folder, links, variables, notes)


def _user_site(said: Interpreter, folders: list[str], variables: dict[str, str]) -> list[Mount]:
    """The packages of `pip install --user`, of this version alone: nothing else of ~/.local."""
    if not said.user_site or not os.path.isdir(said.user_site):
        return []
    folders.insert(0, said.user_site)
    # The base is three folders above BASE/lib/pythonX.Y/site-packages.
    variables["PYTHONUSERBASE"] = str(Path(said.user_site).parents[2])
    return [Mount(Path(os.path.realpath(said.user_site)), said.user_site)]


def _outside(folders: list[str], mounts: list[Mount], inside: Path) -> tuple[str, ...]:
    """A note for each .pth file that names a folder which a run does not see: an editable install, mostly."""
    notes = []
    for folder in folders:
        for file in sorted(Path(folder).glob("*.pth")):
            try:
                with _open(file) as text:
                    lines = text.read(100_000).splitlines()
            except OSError:
                continue
            for line in lines:
                path = Path(line.strip())
                if path.is_absolute() and path.is_dir() and not path.is_relative_to(inside) and not is_covered(path, mounts):
                    notes.append(f"{file.name} points to {path}, which runs do not see")
    return tuple(notes)
