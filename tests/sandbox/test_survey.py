"""What of a repository is copied, and what is shown."""

from pathlib import Path

import pytest

from ml_agent.sandbox import survey as survey_module
from ml_agent.sandbox.survey import survey
from tests.sandbox.support import copied, names


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    (place / "pkg").mkdir(parents=True)
    (place / "pkg" / "a.py").write_text("a\n")
    (place / "run.sh").write_text("#!/bin/sh\n")
    (place / "run.sh").chmod(0o755)
    return place


def test_large_files_are_shown_not_copied(repository: Path, tmp_path: Path) -> None:
    with (repository / "pkg" / "weights.bin").open("wb") as file:
        file.truncate(survey_module.FILE_BYTES + 1)
    target, found = copied(repository, tmp_path)
    assert found.shown == ["pkg/weights.bin"]
    assert found.is_shown("pkg/weights.bin")
    assert not found.is_shown("pkg/a.py")
    assert (target / "pkg" / "weights.bin").stat().st_size == 0
    assert any("pkg/weights.bin is large" in note for note in found.notes)


def test_the_folder_where_the_data_is_is_shown(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey_module, "COPY_BYTES", 10_000)
    for kind in ("cat", "dog", "cow"):
        (repository / "data" / "images" / kind).mkdir(parents=True)
        for number in range(10):
            (repository / "data" / "images" / kind / f"{number}.jpg").write_bytes(b"x" * 1000)
    (repository / "data" / "load.py").write_text("x")
    target, found = copied(repository, tmp_path)
    assert found.shown == ["data/images"]
    assert names(target) == {"pkg", "pkg/a.py", "run.sh", "data", "data/load.py", "data/images"}


def test_many_files_are_shown_too(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey_module, "COPY_FILES", 20)
    (repository / "rows").mkdir()
    for number in range(30):
        (repository / "rows" / str(number)).touch()
    assert survey(repository).shown == ["rows"]


def test_a_repository_of_many_small_folders_comes_to_an_end(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey_module, "COPY_FILES", 20)
    for number in range(100):
        (repository / f"d{number}").mkdir()
        (repository / f"d{number}" / "x").touch()
    found = survey(repository)
    assert sum(1 for path in found.files if not found.is_shown(path)) <= 20
    monkeypatch.setattr(survey_module, "COPY_FILES", 1)
    survey(repository)  # files in the root alone are over the limit: they are copied


def test_a_crowd_of_large_files_is_one_folder(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey_module, "FILE_BYTES", 10)
    (repository / "shards").mkdir()
    for number in range(50):
        (repository / "shards" / str(number)).write_bytes(b"x" * 11)
    assert survey(repository).shown == ["shards"]


def test_a_virtual_environment_is_shown_not_copied(repository: Path, tmp_path: Path) -> None:
    (repository / ".venv" / "lib").mkdir(parents=True)
    (repository / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    target, found = copied(repository, tmp_path)
    assert found.shown == [".venv"]
    assert names(target / ".venv") == set()
