"""Reading in worker processes: each file is answered for, whatever one of them does to its reader."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.repo.files import FileTable
from ml_agent.repo.store import pool
from ml_agent.repo.store.pool import read_all
from tests.pace import within

READER = "tests.repo.store.test_pool:reader"


def reader(files: FileTable, path: str) -> Any:
    """In the worker: does what the file says."""
    text = files.read(path).text
    if text == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if text == "hang":
        time.sleep(100)
    if text == "grow":
        return len("x" * (5 << 30))
    if text == "fail":
        raise KeyError("what a file makes of its reader")
    if text == "grammar":
        raise InfrastructureError("reinstall the grammar")
    if text == "print":
        print("this must not come between the frames")
    return [path, len(text)]


def maker(root: Path, given: Any) -> Callable[[str], Any]:
    """In the worker: what all of them were given is told with each file."""
    return lambda path: [(root / path).read_text(), len(given["nests"]), given["owls"]]


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def write(root: Path, texts: dict[str, str]) -> list[str]:
    for name, text in texts.items():
        (root / name).write_text(text)
    return list(texts)


def failed(why: str) -> Any:
    return f"failed: {why}"


def test_all_are_answered(tmp_path: Path) -> None:
    paths = write(tmp_path, {f"{number}.txt": "x" * number for number in range(200)} | {"print": "print"})
    found = dict(read_all(READER, tmp_path, paths, failed=failed))
    assert found == {path: [path, len((tmp_path / path).read_text())] for path in paths}


def test_a_reader_is_made_of_what_all_workers_are_given(tmp_path: Path) -> None:
    """More than a pipe holds before anybody reads from it."""
    paths = write(tmp_path, {f"{number}.txt": str(number) for number in range(60)})
    given = {"nests": "x" * 3_000_000, "owls": [1, None]}
    with within(20):
        found = dict(read_all("tests.repo.store.test_pool:maker", tmp_path, paths, given=given, failed=failed))
    assert found == {f"{number}.txt": [str(number), 3_000_000, [1, None]] for number in range(60)}


def test_a_limit_of_its_own(tmp_path: Path) -> None:
    found = dict(read_all(READER, tmp_path, write(tmp_path, {"a": "hang", "b": "x"}), seconds=0.5, failed=failed))
    assert found == {"a": "failed: it was not read within 0.5 seconds", "b": ["b", 1]}


def test_nothing_to_read_starts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    assert list(read_all(READER, tmp_path, [], failed=failed)) == []


def test_a_crash_a_hang_and_a_memory_hog_cost_their_own_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "FILE_SECONDS", 1.0)
    texts = {f"{number}.txt": "fine" for number in range(100)}
    texts |= {"0.txt": "fail", "30.txt": "crash", "31.txt": "crash", "50.txt": "hang", "70.txt": "grow"}
    paths = write(tmp_path, texts)
    with within(20):
        found = dict(read_all(READER, tmp_path, paths, failed=failed))
        bad = {path: value for path, value in found.items() if isinstance(value, str)}
        assert len(found) == 100
        assert set(bad) == {"0.txt", "30.txt", "31.txt", "50.txt", "70.txt"}
        assert "KeyError" in bad["0.txt"]
        assert "crashed" in bad["30.txt"]
        assert "within 1 seconds" in bad["50.txt"]


def test_what_is_left_when_the_reading_is_given_up(tmp_path: Path) -> None:
    paths = write(tmp_path, {f"{number}.txt": "x" for number in range(50)})
    reading = read_all(READER, tmp_path, paths, failed=failed)
    next(reading)
    reading.close()
    children = subprocess.run(["ps", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True).stdout
    assert "store.worker" not in children


def test_workers_that_cannot_start_are_infrastructure(tmp_path: Path) -> None:
    paths = write(tmp_path, {"a": "x"})
    with pytest.raises(InfrastructureError, match="do not start"):
        list(read_all("nosuch.module:reader", tmp_path, paths, failed=failed))


def test_what_is_wrong_for_all_files_is_said_once(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="reinstall the grammar"):
        list(read_all(READER, tmp_path, write(tmp_path, {"a": "x", "b": "grammar"}), failed=failed))


def test_a_module_of_the_repository_is_not_imported(tmp_path: Path) -> None:
    paths = write(tmp_path, {"marshal.py": "", "json.py": "crash", "tree_sitter.py": "x", "a": "x"})
    (tmp_path / "json.py").write_text("import os; os._exit(1)")
    assert len(dict(read_all(READER, tmp_path, paths, failed=failed))) == 4
