"""Programs that worker processes read: what they would be without."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ml_agent.repo.store import Store, program_reader, programs
from ml_agent.repo.store.program_reader import ProgramReader
from tests.repo.store.support import write
from tests.repo.store.test_programs import CHANGES, PARSER, START, fresh, kept


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "repository").mkdir()
    return tmp_path / "repository"


@pytest.mark.parametrize("change", ["the imported module", "a file moves", "the place of packages", "a command is installed"])
def test_in_worker_processes_it_is_the_same(root: Path, store: Store, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MANY", 1)
    write(root, START)
    assert kept(root, store) == fresh(root)
    CHANGES[change](root)
    monkeypatch.setattr(programs, "MANY", 1000)
    assert kept(root, store) == fresh(root)


def test_what_workers_read_is_known_afterwards(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MANY", 1)
    write(root, START)
    kept(root, store)
    monkeypatch.setattr(programs, "MANY", 1000)
    read: list[str] = []
    monkeypatch.setattr(ProgramReader, "read", lambda self, path: read.append(path))
    write(root, {"lib/helper.py": "x = 3\n"})
    assert kept(root, store) == fresh(root)
    assert read == []
    monkeypatch.undo()
    write(root, {"pkg/base.py": PARSER.format(option="breadth")})
    assert kept(root, store) == fresh(root)


def crashing(root: Path, given: Any) -> Callable[[str], Any]:
    """In a worker: one program takes its reader with it."""
    read = program_reader.reader(root, given)
    return lambda path: os.kill(os.getpid(), signal.SIGSEGV) if path == "own.py" else read(path)


def test_a_program_that_crashes_its_reader_costs_itself(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.setattr(programs, "MANY", 1)
    monkeypatch.setattr(programs, "_READER", "tests.repo.store.test_program_reader:crashing")
    write(root, START)
    found = {entry.path: entry for entry in kept(root, store)}
    wanted = {entry.path: entry for entry in fresh(root)}
    assert found.pop("own.py").unread == ("own.py:1 the reader crashed on it",)
    assert wanted.pop("own.py").options
    assert found == wanted
