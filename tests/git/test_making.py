import os
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.git.making import Making, cache_folder


def test_it_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    place = tmp_path / "cache" / "one"
    with Making(place) as made:
        (made.path / "repository/a").write_text("a")
        assert not place.exists()
    assert (place / "repository/a").read_text() == "a"
    with pytest.raises(FileNotFoundError), Making(place.with_name("two")) as made:
        (made.path / "none/a").write_text("a")
    assert os.listdir(place.parent) == ["one"]


def test_who_is_second_takes_what_the_first_made(tmp_path: Path) -> None:
    place = tmp_path / "one"
    with Making(place) as first, Making(place) as second:
        (first.path / "repository/a").write_text("first")
        (second.path / "repository/a").write_text("second")
    assert (place / "repository/a").read_text() == "second"  # which was made inside the other, so it ended before
    assert os.listdir(tmp_path) == ["one"]


def test_no_room(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InfrastructureError, match=r"cannot write to .*file"), Making(tmp_path / "file/one"):
        pass
    place = tmp_path / "one"
    with pytest.raises(InfrastructureError, match=r"cannot make .*one"), Making(place):
        place.touch()
    assert sorted(os.listdir(tmp_path)) == ["file", "one"]


def test_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "ml-agent/repositories"
