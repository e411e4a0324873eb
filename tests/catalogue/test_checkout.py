from pathlib import Path

import pytest

from ml_agent.catalogue.base import Candidate
from ml_agent.catalogue.checkout import checkout as files_of
from ml_agent.errors import UsageError
from ml_agent.git.command import GitFailed
from ml_agent.git.state import head_commit
from tests.git.hostile import hostile
from tests.git.test_state import checkout, git

__all__ = ["checkout"]


def test_a_folder_is_taken_as_it_is(checkout: Path, tmp_path: Path) -> None:
    assert files_of(Candidate("one", path=checkout)) == checkout
    assert files_of(Candidate("one", path=checkout, commit=git(checkout, "rev-parse", "HEAD"))) == checkout
    assert files_of(Candidate("one", path=tmp_path)) == tmp_path


def test_a_folder_at_another_commit(checkout: Path, tmp_path: Path) -> None:
    """The pinned one is cloned if there is an address."""
    first = git(checkout, "rev-parse", "HEAD")
    git(checkout, "commit", "-q", "--allow-empty", "-m", "y")
    folder = files_of(Candidate("one", url=checkout.as_uri(), path=checkout, commit=first), tmp_path / "cache")
    assert folder != checkout
    assert head_commit(folder) == first
    with pytest.raises(UsageError, match=rf"one is at commit \w{{12}}, and c.jsonl:3 wants {first[:12]}"):
        files_of(Candidate("one", path=checkout, commit=first, source="c.jsonl:3"))
    with pytest.raises(UsageError, match="is not a checkout of git"):
        files_of(Candidate("one", path=tmp_path / "cache", commit=first))


def test_a_clone_runs_nothing_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    commit = hostile(tmp_path / "one", tmp_path / "ran")
    folder = files_of(Candidate("mine/one", url=(tmp_path / "one").as_uri()), tmp_path / "cache")
    assert folder == tmp_path / "cache" / f"mine-one-{commit}" / "repository"
    assert (folder / "README.md").is_file()
    assert not (tmp_path / "ran").exists()


def test_one_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(GitFailed):
        files_of(Candidate("one", url=(tmp_path / "none").as_uri()), tmp_path / "cache")
