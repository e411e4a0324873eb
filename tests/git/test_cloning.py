import os
from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.git import cloning
from ml_agent.git.cloning import check_url, clone, head_of
from ml_agent.git.command import GitFailed
from ml_agent.git.state import head_commit
from tests.git.hostile import POINTER, bomb, hostile, trap
from tests.git.test_state import checkout, git

__all__ = ["checkout"]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_the_head_of_the_default_branch(checkout: Path, cache: Path) -> None:
    """It is told first, so the folder bears the commit and a later head is another folder."""
    head = git(checkout, "rev-parse", "HEAD")
    git(checkout, "checkout", "-q", "-b", "other")
    git(checkout, "checkout", "-q", "main")
    assert head_of(checkout.as_uri()) == head
    folder = clone(checkout.as_uri(), name="a/One", cache=cache)
    assert folder == cache / f"a-One-{head}" / "repository"
    assert head_commit(folder) == head
    (checkout / "b").write_text("b")
    git(checkout, "add", "b")
    git(checkout, "commit", "-q", "-m", "y")
    later = clone(checkout.as_uri(), name="a/One", cache=cache)
    assert later != folder
    assert (later / "b").exists()
    assert not (folder / "b").exists()


def test_at_a_commit_once(checkout: Path, cache: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    (checkout / "a").write_text("changed")
    git(checkout, "commit", "-q", "-a", "-m", "y")
    folder = clone(checkout.as_uri(), head.upper(), name="One", cache=cache)
    assert (folder / "a").read_text() == "a"
    os.rename(checkout, checkout.with_name("gone"))
    assert clone(checkout.as_uri(), head, name="One", cache=cache) == folder


@pytest.mark.parametrize("pinned", [True, False])
def test_nothing_of_a_hostile_repository_is_run(tmp_path: Path, cache: Path, pinned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor of the user's own configuration, which would run a filter that the repository asks for."""
    ran, home = tmp_path / "ran", tmp_path / "home"
    (tmp_path / "one").mkdir()
    commit = hostile(tmp_path / "one", ran)
    home.mkdir()
    program = trap(home, ran)
    (home / ".gitconfig").write_text(
        f'[core]\n hooksPath = {tmp_path}/one/hooks\n fsmonitor = {program}\n[filter "f"]\n smudge = {program}\n required = true\n'
        f'[filter "lfs"]\n smudge = {program}\n process = {program}\n[init]\n templateDir = {tmp_path}/one/.git\n'
        f"[submodule]\n recurse = true\n[credential]\n helper = !{program}\n[uploadpack]\n packObjectsHook = {program}\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_SSH_COMMAND", str(program))
    folder = clone((tmp_path / "one").as_uri(), commit if pinned else "", name="One", cache=cache)
    assert not ran.exists()
    assert (folder / "README.md").read_text() == "# Mine\n"
    assert (folder / "weights.bin").read_text() == POINTER
    assert not list((folder / "s").iterdir())
    assert os.readlink(folder / "out") == "/etc/passwd"  # as it is: who reads follows no link that leads out
    assert not (folder / ".git/hooks").exists()
    assert "trap" not in (folder / ".git/config").read_text()


def test_the_traps_are_live(tmp_path: Path) -> None:
    """The user's own git, with such a configuration, does run them."""
    ran = tmp_path / "ran"
    (tmp_path / "one").mkdir()
    hostile(tmp_path / "one", ran)
    git(tmp_path / "one", "checkout", "-q", "--detach")
    assert ran.exists()


def test_a_checkout_without_end_is_not_begun(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "one").mkdir()
    bomb(tmp_path / "one", levels=9, width=12)  # five thousand million files of some hundred objects
    with pytest.raises(GitFailed, match="the repository is too large: more than 200,000 files"):
        clone((tmp_path / "one").as_uri(), name="One", cache=cache)
    assert list(cache.iterdir()) == []


def test_too_many_bytes(checkout: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloning, "MAX_BYTES", 0)
    with pytest.raises(GitFailed, match="too large"):
        clone(checkout.as_uri(), name="One", cache=cache)


def test_what_is_there_but_has_no_commit(tmp_path: Path, cache: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "one")
    with pytest.raises(GitFailed, match="has no commit yet"):
        clone((tmp_path / "one").as_uri(), name="One", cache=cache)


def test_what_cannot_be_fetched_leaves_nothing(checkout: Path, tmp_path: Path, cache: Path) -> None:
    for url, commit in ((tmp_path / "none", ""), (tmp_path / "none", "0" * 40), (checkout, "0" * 40)):
        with pytest.raises(GitFailed, match="git cannot fetch the repository: fatal: "):
            clone(url.as_uri(), commit, name="One", cache=cache)
    with pytest.raises(GitFailed, match="git did not end within"):
        clone(checkout.as_uri(), name="One", cache=cache, seconds=0.0001)
    assert not cache.exists() or list(cache.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% ran",
        "--upload-pack=x",
        "http://example.org/x",
        "git://example.org/x",
        "/etc",
        "file:///a b",
        "https://a/\x00",
        "",
    ],
)
def test_no_url(url: str) -> None:
    with pytest.raises(UsageError, match="an https, ssh or file URL and a whole commit are wanted"):
        check_url(url)


def test_no_password_reaches_the_disk() -> None:
    for url in ("https://secret@example.org/x", "https://me:secret@example.org/x", "ssh://me:secret@example.org/x"):
        with pytest.raises(UsageError, match="leave them out") as caught:
            check_url(url)
        assert "secret" not in str(caught.value)
    assert check_url("ssh://git@example.org/x") == "ssh://git@example.org/x"


@pytest.mark.parametrize("name", ["../../x", "", "..", "a\nb", "ü" * 300, "x" * 500, "-rf"])
def test_names_stay_in_the_cache(checkout: Path, cache: Path, name: str) -> None:
    folder = clone(checkout.as_uri(), name=name, cache=cache)
    assert folder.parent.parent == cache
    assert not folder.parent.name.startswith(("-", "."))
    assert [entry.name for entry in cache.iterdir()] == [folder.parent.name]
