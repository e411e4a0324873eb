"""What the programs of the suite's repositories take, looked up in their checkouts."""

from collections.abc import Mapping
from pathlib import Path

from ml_agent.repo.entrypoints import EntryPoint, read_entry_point
from ml_agent.repo.entrypoints.console_scripts import ConsoleScript, console_scripts
from ml_agent.repo.files import FileTable, walk


class ProgramsOf:
    """Callable, as the scorers want it. Each repository is listed at the first question about it, each program read once.

    `checkouts`: repository's name -> its folder. A name that is not there has no programs that are known.
    """

    def __init__(self, checkouts: Mapping[str, Path]) -> None:
        self._checkouts = dict(checkouts)
        self._files: dict[str, FileTable] = {}
        self._known: dict[tuple[str, str, str | None], EntryPoint | None] = {}
        self._installed: dict[str, dict[str, ConsoleScript]] = {}

    def __call__(self, repository: str, path: str) -> EntryPoint | None:
        return self._read(repository, path, None)

    def installed(self, repository: str, name: str) -> EntryPoint | None:
        """What the command `name`, which the repository installs, takes; None if it installs none of that name."""
        files = self._listed(repository)
        if files is None:
            return None
        if repository not in self._installed:
            self._installed[repository] = console_scripts(files)
        script = self._installed[repository].get(name)
        return self._read(repository, script.path, script.function) if script is not None else None

    def _read(self, repository: str, path: str, function: str | None) -> EntryPoint | None:
        files = self._listed(repository)
        if files is None:
            return None
        key = repository, path, function
        if key not in self._known:
            self._known[key] = read_entry_point(files, path, function)
        return self._known[key]

    def _listed(self, repository: str) -> FileTable | None:
        if repository not in self._files and repository in self._checkouts:
            self._files[repository] = walk(self._checkouts[repository])
        return self._files.get(repository)
