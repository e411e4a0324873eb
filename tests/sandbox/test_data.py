"""Data of the user's that runs see."""

from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.sandbox.data import Data, find_data, make_places


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "full").mkdir(parents=True)
    (root / "full" / "x").touch()
    (root / "empty").mkdir()
    (root / "empty" / ".gitkeep").touch()
    (root / "file").touch()
    (root / "link").symlink_to("empty")
    return root


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    return folder


def test_names(repository: Path, images: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a:b"
    odd.touch()
    found = find_data([str(images), f"{odd}", f"{odd}:data/y", f"{images}:empty"], repository)
    assert found == (Data(images, "images"), Data(odd, "a:b"), Data(odd, "data/y"), Data(images, "empty"))


def test_a_link_is_followed(repository: Path, images: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(images)
    assert find_data([f"{tmp_path / 'latest'}"], repository) == (Data(images, "images"),)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "is empty"),
        ("{}/nosuch:x", "there is no"),
        ("{}:/etc", "no place in the repository"),
        ("{}:../x", "no place in the repository"),
        ("{}:.", "no place in the repository"),
        ("{}:full", "is not empty"),
        ("{}:file", "has 'file' already"),
        ("{}:file/x", "has 'file' already"),
        ("{}:link/x", "has 'link' already"),
    ],
)
def test_what_cannot_be_shown_is_told(repository: Path, images: Path, given: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_data([given.format(images)], repository)


def test_two_at_one_place(repository: Path, images: Path) -> None:
    with pytest.raises(UsageError, match="one place"):
        find_data([f"{images}:d", f"{images}:d/e"], repository)


def test_places(repository: Path, images: Path, tmp_path: Path) -> None:
    (tmp_path / "one.csv").touch()
    make_places(find_data([f"{images}:a/b", f"{tmp_path / 'one.csv'}:c/one.csv"], repository), repository)
    assert (repository / "a" / "b").is_dir()
    assert (repository / "c" / "one.csv").is_file()
