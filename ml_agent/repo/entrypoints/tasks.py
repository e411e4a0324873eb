"""What a repository can be told to do by a tool beside it: targets of make, environments of tox, sessions of nox, notebooks."""

from ml_agent.repo.entrypoints.base import EntryPoint
from ml_agent.repo.entrypoints.makefile import NAMES, read_makefile
from ml_agent.repo.entrypoints.notebook_reader import read_notebook
from ml_agent.repo.entrypoints.sessions import read_nox, read_tox
from ml_agent.repo.files import FileTable

_TOX = ("tox.ini", "setup.cfg", "tox.toml", "pyproject.toml")


def read_tasks(files: FileTable) -> tuple[EntryPoint, ...]:
    """All of them, in the order of their paths."""
    return tuple(e for f in files.files if (e := read_task(files, f.path)) is not None)


def read_task(files: FileTable, path: str) -> EntryPoint | None:
    """That of one file; None if it is of no such kind."""
    name = path.rpartition("/")[2]
    if name in NAMES:
        return read_makefile(files, path)
    if name == "noxfile.py":
        return read_nox(files, path)
    if name in _TOX:
        return read_tox(files, path)
    return read_notebook(files, path) if name.endswith(".ipynb") else None
