"""What the programs of the suite's repositories take, looked up in their checkouts."""

from collections.abc import Mapping
from pathlib import Path

from ml_agent.repo.entrypoints import EntryPoint, read_entry_point
from ml_agent.repo.files import FileTable, walk


class ProgramsOf:
    """Callable, as the scorers want it. Each repository is listed at the first question about it, each program read once.

    `checkouts`: repository's name -> its folder. A name that is not there has no programs that are known.
    """

    def __init__(self, checkouts: Mapping[str, Path]) -> None:
        self._checkouts = dict(checkouts)
        self._files: dict[str, FileTable] = {}
        self._known: dict[tuple[str, str], EntryPoint | None] = {}

    def __call__(self, repository: str, path: str) -> EntryPoint | None:
        if repository not in self._checkouts:
            return None
        if (repository, path) not in self._known:
            if repository not in self._files:
                self._files[repository] = walk(self._checkouts[repository])
            self._known[repository, path] = read_entry_point(self._files[repository], path)
        return self._known[repository, path]
