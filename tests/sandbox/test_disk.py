"""Whether a run writes too much, seen from outside it."""

import os
from pathlib import Path

import pytest

from ml_agent.sandbox import disk
from ml_agent.sandbox.disk import Amount, DiskGuard, measure
from tests.pace import within

_ALL = Amount(1 << 60, 1 << 60)


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_SECONDS", 0.0)


def test_bytes_are_counted_and_only_those_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    guard = DiskGuard(tmp_path / "here", 8 << 20)
    (tmp_path / "there" / "x").write_bytes(bytes(20 << 20))
    assert not guard()
    (tmp_path / "here" / "x").write_bytes(bytes(12 << 20))
    assert guard()


def test_files_are_counted(tmp_path: Path) -> None:
    guard = DiskGuard(tmp_path, 1 << 40, files=300)
    if os.statvfs(tmp_path).f_files == 0:
        pytest.skip("this file system does not count files")
    for number in range(200):
        (tmp_path / f"{number}").touch()
    assert not guard()
    for number in range(200, 600):
        (tmp_path / f"{number}").touch()
    assert guard()


def test_a_disk_that_is_nearly_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guard = DiskGuard(tmp_path, 1 << 60)
    assert not guard()
    monkeypatch.setattr(disk, "_free", lambda _: Amount(1 << 20, 1 << 40))
    assert guard()
    monkeypatch.setattr(disk, "_free", lambda _: Amount(1 << 50, 10))
    assert guard()


def test_holes_take_nothing_and_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/usr")
    with (tmp_path / "holes").open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x").write_bytes(bytes(100_000))
    found = measure(tmp_path, _ALL)
    assert found is not None
    assert found.files == 4
    assert 100_000 <= found.bytes < 200_000


def test_what_is_too_deep_to_be_seen_is_not_taken_for_nothing(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("x" * 250, dir_fd=here)
        below = os.open("x" * 250, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert measure(tmp_path, _ALL) is None


def test_counting_ends_when_it_is_enough(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}").touch()
    assert measure(tmp_path, Amount(1 << 30, 10)) == Amount(0, 11)


def test_it_is_not_looked_at_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_SECONDS", 60.0)
    guard = DiskGuard(tmp_path, 0)
    monkeypatch.setattr(disk, "_free", lambda _: Amount(0, 0))
    with within(1):
        assert not any(guard() for _ in range(1000))
