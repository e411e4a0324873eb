"""Reads programs one after another and says what each was read from; runs in a worker process where there are many (see pool.py)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.glance import Glance
from ml_agent.repo.entrypoints.record import Record, RecordingFiles
from ml_agent.repo.files import FileTable, walk

if TYPE_CHECKING:
    from ml_agent.repo.entrypoints import ConsoleScript

_FIELDS = tuple(field.name for field in fields(EntryPoint))
_ENTRY, _OPTION = attrgetter(*_FIELDS), attrgetter(*(field.name for field in fields(Option)))

Seen = tuple[frozenset[str], frozenset[str], frozenset[str]]
"""Files whose content was read, others at which a glance was taken, and names that were looked for."""


class ProgramReader:
    """Programs of one folder share what their readers keep: what one was read from may have told the next one something too. So what
    was read from grows with each program of a folder."""

    def __init__(self, files: FileTable, known: Callable[[str], Glance | None], scripts: "Mapping[str, Sequence[ConsoleScript]]") -> None:
        from ml_agent.repo.entrypoints.sources import Sources

        self._files = RecordingFiles(files)
        self._sources = Sources(self._files, known)
        self._scripts = scripts
        self._records: dict[str, Record] = {}
        self._seen: dict[str, tuple[int, Seen]] = {}

    def read(self, path: str) -> tuple[Any, Seen]:
        """The program's data, None where there is no program, and what all of its folder were read from so far."""
        from ml_agent.repo.entrypoints import read_programs

        folder = path.rpartition("/")[0]
        self._sources.record = self._files.record = record = self._records.setdefault(folder, Record())
        ((_, entry),) = read_programs(self._sources, [path], self._scripts)
        if folder not in self._seen or self._seen[folder][0] != record.size:
            contents = frozenset(record.contents)
            self._seen[folder] = record.size, (contents, frozenset(record.glances - contents), frozenset(record.names()))
        return None if entry is None else data_of(entry), self._seen[folder][1]

    def forget(self) -> None:
        """Let go of what was kept for the next program."""
        self._sources.forget()


def reader(root: Path, given: Any) -> Callable[[str], Any]:
    """In a worker process. `given`: the data of the glances at files, by path."""
    from ml_agent.repo.entrypoints.console_scripts import by_path, console_scripts

    def known(path: str) -> Glance | None:
        return Glance.from_data(given[path]) if path in given else None

    files = walk(root)
    return ProgramReader(files, known, by_path(console_scripts(files))).read


def unread(path: str, why: str) -> tuple[Any, Seen]:
    """In place of what a reader gives that did not live to give it."""
    from ml_agent.repo.entrypoints import reading

    return data_of(reading.unread(path, "python", why)), (frozenset((path,)), frozenset(), frozenset())


def data_of(entry: EntryPoint) -> Any:
    """In the form that marshal takes: the fields in their order, an option as a tuple of its own."""
    data = dict(zip(_FIELDS, _ENTRY(entry), strict=True))
    data["options"] = [_OPTION(option) for option in entry.options]
    data["settings"] = [(name, [_OPTION(option) for option in inner]) for name, inner in entry.settings]
    data["environment"] = [_OPTION(option) for option in entry.environment]
    return data


def from_data(data: Any) -> EntryPoint:
    options = tuple([Option(*option) for option in data["options"]])
    settings = tuple([(name, tuple([Option(*option) for option in inner])) for name, inner in data["settings"]])
    environment = tuple([Option(*option) for option in data["environment"]])
    return EntryPoint(**{**data, "options": options, "settings": settings, "environment": environment})
