import subprocess
from pathlib import Path

import pytest

from ml_agent.git.state import head_commit

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> str:
    return subprocess.run([*GIT, "-C", str(folder), *words], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "one"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a").write_text("a")
    git(folder, "add", "a")
    git(folder, "commit", "-q", "-m", "x")
    return folder


def test_as_git_itself_says(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD")
    assert head_commit(checkout) == commit
    git(checkout, "pack-refs", "--all")
    assert not (checkout / ".git/refs/heads/main").exists()
    assert head_commit(checkout) == commit
    git(checkout, "checkout", "-q", "--detach")
    assert head_commit(checkout) == commit
    git(checkout, "worktree", "add", "-q", "-b", "side/branch", str(checkout.parent / "two"))
    git(checkout.parent / "two", "commit", "-q", "--allow-empty", "-m", "y")
    assert head_commit(checkout.parent / "two") == git(checkout.parent / "two", "rev-parse", "HEAD") != commit


def test_nothing_of_the_checkout_is_run(checkout: Path) -> None:
    trap = checkout.parent / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {checkout.parent}/ran\n")
    trap.chmod(0o755)
    git(checkout, "config", "core.fsmonitor", str(trap))
    git(checkout, "config", "core.hooksPath", str(checkout.parent))
    assert head_commit(checkout) is not None
    assert not (checkout.parent / "ran").exists()


@pytest.mark.parametrize(
    "head",
    ["", "ref: refs/heads/none", "ref: refs/../../secret", "ref: ../secret", "abc", "ref: refs/heads/loop", "x" * 10_000, "\0"],
)
def test_heads_that_say_nothing(tmp_path: Path, head: str) -> None:
    (tmp_path / ".git/refs/heads").mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text(head)
    (tmp_path / ".git/refs/heads/loop").write_text("ref: refs/heads/loop")
    (tmp_path / "secret").write_text("0" * 40)
    assert head_commit(tmp_path) is None


def test_without_git_and_with_odd_files(tmp_path: Path) -> None:
    import os

    assert head_commit(tmp_path) is None
    (tmp_path / ".git").write_text("gitdir: nowhere")
    assert head_commit(tmp_path) is None
    (tmp_path / ".git").unlink()
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git/HEAD")
    assert head_commit(tmp_path) is None
