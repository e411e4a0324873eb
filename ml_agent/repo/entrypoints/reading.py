"""Reading programs: one reader a framework, asked in turn."""

from collections.abc import Callable, Iterable

from ml_agent.repo.entrypoints import absl, argparse_reader, assignments, frameworks, plain, shell_reader
from ml_agent.repo.entrypoints.base import EntryPoint
from ml_agent.repo.entrypoints.compared import with_compared
from ml_agent.repo.entrypoints.held_settings import with_held_settings
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.files import FileTable
from ml_agent.repo.symbols.collector import paused

READERS: tuple[Callable[[Program], EntryPoint | None], ...] = (
    frameworks.read,
    argparse_reader.read,
    absl.read,
    assignments.read,
    plain.read,
)


def read_entry_points(files: FileTable) -> tuple[EntryPoint, ...]:
    """Every program: Python files that parse a command line or have a main guard, and shell scripts. In the order of their paths."""
    return tuple(entry for _, entry in read_programs(Sources(files), (file.path for file in files.files)) if entry is not None)


def read_programs(sources: Sources, paths: Iterable[str]) -> list[tuple[str, EntryPoint | None]]:
    """For each path the program there; None for a file that does not say that it can be run."""
    with paused():  # syntax trees are many small objects that live until the end
        return [(path, _read(sources, path, sure=False)) for path in paths]


def read_entry_point(files: FileTable, path: str, function: str | None = None) -> EntryPoint | None:
    """One program, which may also be a Python file that does not say that it can be run. None if it cannot be read.

    With `function`, the program is that function of the file, which an installed command calls.
    """
    return _read(Sources(files), path, sure=True, function=function) if files.is_file(path) else None


def _read(sources: Sources, path: str, *, sure: bool, function: str | None = None) -> EntryPoint | None:
    if path.endswith(shell_reader.SUFFIXES):
        return shell_reader.read(sources.files, path) or (_unread(path, "bash", "cannot be read") if sure else None)
    if not path.endswith((".py", ".pyw")):
        return None
    if not sure and not _may_run(sources, path):
        return None
    module = sources.module(path)
    if module is None:
        return _unread(path, "python", sources.faults.get(path, "")) if sure else None
    program = Program(sources, module, function)
    try:
        found = next((e for reader in READERS if (e := reader(program)) is not None), None)
        found = with_held_settings(with_compared(found, program), program) if found is not None else None
    except RecursionError:  # modules or values nested in one another as nobody writes them
        return _unread(path, "python", "too deeply nested to be read")
    return found or (plain.describe(program) if sure else None)


def _unread(path: str, interpreter: str, fault: str) -> EntryPoint:
    return EntryPoint(path, "plain", (interpreter, path), open_ended=True, prefixes=False, unread=(f"{path}:1 {fault}",))


def _may_run(sources: Sources, path: str) -> bool:
    glance = sources.glance(path)
    return (
        path.endswith("__main__.py")
        or glance.may_run
        or "others" in glance.ways
        or sources.near_parser(path, path.rpartition("/")[0] or ".", 1)
    )
