"""A program of a repository by what one calls it: its path, the name of its file, its module, its installed command."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ml_agent.repo.entrypoints.base import EntryPoint, levels_of
from ml_agent.repo.entrypoints.console_scripts import console_scripts

if TYPE_CHECKING:
    from ml_agent.repo.index import RepoIndex

_FEW = 3


class NoSuchProgram(LookupError):
    """There is none, or several may be meant. The message is one line that says what would be right."""


def find_program(index: "RepoIndex", name: str) -> EntryPoint:
    """The one program that a name means; for the path of a file, whatever that is. Raises NoSuchProgram."""
    found = _fitting(index.entry_points, name)
    if not found:
        installed = console_scripts(index.files).get(name)
        path = installed.path if installed is not None else index.files.normalise(name)
        entry = index.entry_point(path) if path is not None and index.files.is_file(path) else None
        if entry is None:
            near = nearest_programs(index.entry_points, name)
            raise NoSuchProgram(f"no such program: {name}" + (f"; nearest: {', '.join(near)}" if near else ""))
        return entry
    paths = list(dict.fromkeys(entry.path for entry in found))
    if len(paths) > 1:
        more = f" and {len(paths) - _FEW} more" if len(paths) > _FEW else ""
        raise NoSuchProgram(f"{name} may be any of {', '.join(paths[:_FEW])}{more}: give the path")
    return found[0]


def find_command(entry: EntryPoint, name: str) -> str:
    """A sub-command of a program by one of its names, `add` or `remote add`. Raises NoSuchProgram."""
    known = commands_of(entry)
    words = name.split()
    command = entry.command_of(words)
    if command is not None and len(levels_of(command)) == len(words):
        return command
    if not known:
        raise NoSuchProgram(f"{entry.path} has no sub-commands")
    listed = ", ".join(known) if len(known) <= 4 * _FEW else f"{', '.join(known[: 4 * _FEW])}, ..."
    raise NoSuchProgram(f"{entry.path} has no sub-command {name}; there are {listed}")


def commands_of(entry: EntryPoint) -> tuple[str, ...]:
    """The names of its sub-commands, inner ones with their outer ones in front."""
    return tuple(dict.fromkeys(option.command for option in entry.options if option.command is not None))


def nearest_programs(programs: Sequence[EntryPoint], name: str) -> list[str]:
    """The paths of those that are spelled most like it: by the name of the file, else by all of it."""
    from rapidfuzz import fuzz, process

    stems = {p.path: _stem(p.path.rpartition("/")[2]) for p in programs}
    near = process.extract(_stem(name.rpartition("/")[2]), stems, scorer=fuzz.ratio, limit=_FEW, score_cutoff=60)
    near = near or process.extract(name, {path: path for path in stems}, scorer=fuzz.WRatio, limit=_FEW, score_cutoff=60)
    return [path for _, _, path in near]


def _fitting(programs: Sequence[EntryPoint], name: str) -> list[EntryPoint]:
    """By its path or how it is started; if there is none, by the end of that, with or without the suffix."""
    text = " ".join(name.split())
    path = text.removeprefix("./")
    exact = [p for p in programs if path == p.path or text == " ".join(p.run) or text == p.run[-1]]
    if exact or not path:
        return exact
    endings = (f"/{path}", f"/{path.replace('.', '/')}")
    return [p for p in programs if f"/{p.path}".endswith(endings[0]) or f"/{_stem(p.path)}".endswith(endings)]


def _stem(path: str) -> str:
    head, dot, end = path.rpartition(".")
    return head if dot and "/" not in end else path
