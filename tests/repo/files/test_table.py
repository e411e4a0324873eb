"""Looking up, suggesting and reading files."""

from pathlib import Path

import pytest

from ml_agent.repo.files import FileTable, walk
from ml_agent.repo.files import table as filetable
from ml_agent.repo.files.table import TEXT_LIMIT


@pytest.fixture
def table(tmp_path: Path) -> FileTable:
    for path in ("train.py", "examples/arma/train.py", "examples/arma/model.py", "src/data/loader.py", "ignored/made.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"# {path}\n")
    (tmp_path / ".gitignore").write_text("ignored/\n")
    return walk(tmp_path)


@pytest.mark.parametrize("path", ["train.py", "./train.py", "examples/../train.py", "examples//arma/./train.py", "ignored/made.py"])
def test_is_file(table: FileTable, path: str) -> None:
    assert table.is_file(path)


@pytest.mark.parametrize(
    "path",
    ["", ".", "examples", "train.py/", "../train.py", "examples/../../train.py", "/train.py", "no.py", "a\0b", "train.py/x", "\ud800"],
)
def test_is_no_file(table: FileTable, path: str) -> None:
    assert not table.is_file(path)


def test_a_path_out_of_the_root_and_back_is_no_path_of_the_repository(table: FileTable) -> None:
    assert not table.is_file(f"../{table.root.name}/train.py")
    assert not table.is_file(str(table.root / "train.py"))


def test_is_folder(table: FileTable) -> None:
    for path in (".", "./", "examples", "examples/arma/", "examples/arma/../../src", "ignored"):
        assert table.is_folder(path), path
    for path in ("..", "", "/", "train.py", "nope", "examples/../..", "a\0"):
        assert not table.is_folder(path), path


def test_find(table: FileTable) -> None:
    assert table.find("train.py") == ("examples/arma/train.py", "train.py")
    assert table.find("nope.py") == ()


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("examples/arma/trian.py", "examples/arma/train.py"),
        ("example/arma/train.py", "examples/arma/train.py"),
        ("data/loader.py", "src/data/loader.py"),
        ("zzz", None),
    ],
)
def test_nearest(table: FileTable, asked: str, near: str | None) -> None:
    assert table.nearest(asked) == near


def test_a_huge_line_is_cut_and_said(table: FileTable) -> None:
    with (table.root / "huge.py").open("w") as file:
        file.write("é" * 15_000_000)
    text = table.read("huge.py")
    assert len(text.raw) == TEXT_LIMIT // 2
    assert text.cut == 30_000_000 - TEXT_LIMIT
    assert len(table.read("huge.py", limit=10_000_000).raw) == 5_000_000
    assert table.read("huge.py").cut == text.cut
    assert len(table.read("huge.py", limit=101).raw) == 50


def test_texts_are_kept_within_a_bound(table: FileTable, monkeypatch: pytest.MonkeyPatch) -> None:
    assert table.read("train.py") is table.read("./train.py")
    monkeypatch.setattr(filetable, "CACHE_LIMIT", 30)
    first = table.read("examples/arma/train.py")
    table.read("examples/arma/model.py")
    assert table.read("examples/arma/train.py") is not first


@pytest.mark.parametrize("path", ["nope.py", "examples", "..", "", "a\0b"])
def test_what_cannot_be_read_is_an_oserror(table: FileTable, path: str) -> None:
    with pytest.raises(OSError):  # noqa: PT011
        table.read(path)
