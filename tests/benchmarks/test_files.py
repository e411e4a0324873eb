import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.benchmarks.files import write_whole
from ml_agent.errors import InfrastructureError


def test_it_is_there_whole_or_as_before(tmp_path: Path) -> None:
    def breaking() -> Iterator[str]:
        yield "a"
        raise KeyboardInterrupt

    path = tmp_path / "out"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, breaking())
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"out": "before"}
    write_whole(path, ["a\n", "é\ud800"])
    assert path.read_bytes() == "a\né\ud800".encode("utf-8", "surrogatepass")
    assert os.listdir(tmp_path) == ["out"]


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"cannot write .*out: No such file or directory"):
        write_whole(tmp_path / "none" / "out", ["a"])
    (tmp_path / "folder" / "x").mkdir(parents=True)
    with pytest.raises(InfrastructureError, match=r"cannot write .*folder"):
        write_whole(tmp_path / "folder", ["a"])
    assert os.listdir(tmp_path) == ["folder"]
