"""Reading programs: one reader a framework, asked in turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ml_agent.repo.entrypoints import absl, argparse_reader, assignments, c_reader, frameworks, plain, shell_reader
from ml_agent.repo.entrypoints.base import EntryPoint
from ml_agent.repo.entrypoints.compared import with_compared
from ml_agent.repo.entrypoints.console_scripts import ConsoleScript, by_path, console_scripts
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
    """Every program: Python files that parse a command line or have a main guard, those that installed commands call, and shell
    scripts. In the order of their paths."""
    scripts = by_path(console_scripts(files))
    return tuple(entry for _, entry in read_programs(Sources(files), (file.path for file in files.files), scripts) if entry is not None)


def read_programs(
    sources: Sources, paths: Iterable[str], scripts: Mapping[str, Sequence[ConsoleScript]]
) -> list[tuple[str, EntryPoint | None]]:
    """For each path the program there; None for a file that does not say that it can be run. `scripts`: installed commands, by path."""
    with paused():  # syntax trees are many small objects that live until the end
        return [(path, _installed(sources, _read(sources, path, sure=False), scripts.get(path, ()))) for path in paths]


def read_entry_point(files: FileTable, path: str, function: str | None = None) -> EntryPoint | None:
    """One program, which may also be a Python file that does not say that it can be run. None if it cannot be read.

    With `function`, the program is that function of the file, which an installed command calls.
    """
    return _read(Sources(files), path, sure=True, function=function) if files.is_file(path) else None


def read_started(files: FileTable, path: str, scripts: Sequence[ConsoleScript]) -> EntryPoint | None:
    """The same for a file that installed commands call."""
    found = read_programs(Sources(files), [path], {path: scripts})[0][1] if scripts and files.is_file(path) else None
    return found or read_entry_point(files, path)


def _installed(sources: Sources, found: EntryPoint | None, scripts: Sequence[ConsoleScript]) -> EntryPoint | None:
    """What takes no options as a file is what its installed command calls. Commands that take different options are not one program.

    It is started by that command, from any folder; a module with `__main__.py` as such.
    """
    if not scripts:
        return found
    called = [_read(sources, s.path, sure=True, function=s.function) for s in scripts]
    taken = [e for e in called if e is not None and _takes_something(e)]
    same = bool(taken) and len(taken) == len(called) and all(e.options == taken[0].options for e in taken)
    if found is not None and _takes_something(found):
        named = same and len(scripts) == 1 and found.options == taken[0].options and found.run[-1:] == (found.path,)
        return replace(found, run=(scripts[0].name,)) if named else found
    return replace(taken[0], run=(scripts[0].name,) if found is None else found.run) if same else found


def _takes_something(entry: EntryPoint) -> bool:
    return any(option.action != "help" for option in entry.options)


def _read(sources: Sources, path: str, *, sure: bool, function: str | None = None) -> EntryPoint | None:
    if path.endswith(shell_reader.SUFFIXES):
        return shell_reader.read(sources.files, path) or (unread(path, "bash", "cannot be read") if sure else None)
    if path.endswith(c_reader.SUFFIXES):
        return c_reader.read(sources.files, path)
    if not path.endswith((".py", ".pyw")):
        return None
    if not sure and not _may_run(sources, path):
        return None
    module = sources.module(path)
    if module is None:
        return unread(path, "python", sources.faults.get(path, "")) if sure else None
    program = Program(sources, module, function)
    try:
        sources.begin(module)
        found = next((e for reader in READERS if (e := reader(program)) is not None), None)
        found = with_held_settings(with_compared(found, program), program) if found is not None else None
    except RecursionError:  # modules or values nested in one another as nobody writes them
        return unread(path, "python", "too deeply nested to be read")
    except Exception as error:  # noqa: BLE001 - a reader's fault costs the program that it fails on, and is said there
        return _failed(path, error)
    return found or (plain.describe(program) if sure else None)


def unread(path: str, interpreter: str, fault: str) -> EntryPoint:
    """In place of a program that cannot be read; `fault` says why."""
    return EntryPoint(path, "plain", (interpreter, path), open_ended=True, prefixes=False, unread=(f"{path}:1 {fault}",))


def _failed(path: str, error: Exception) -> EntryPoint:
    return unread(path, "python", f"ml-agent's own reader fails on it, please report it: {type(error).__name__}: {error}")


def _may_run(sources: Sources, path: str) -> bool:
    glance = sources.glance(path)
    return (
        path.endswith("__main__.py")
        or glance.may_run
        or "others" in glance.ways
        or sources.near_parser(path, path.rpartition("/")[0] or ".", 1)
    )
