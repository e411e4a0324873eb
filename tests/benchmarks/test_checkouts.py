import os
from pathlib import Path

import pytest

from ml_agent.benchmarks.base import Repository, Suite
from ml_agent.benchmarks.checkouts import find_checkouts
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.errors import InfrastructureError, UsageError
from tests.benchmarks.test_archives import COMMIT, tar
from tests.git.test_state import checkout, git

__all__ = ["checkout"]


def suite(commit: str = "", url: str = "https://example.org/a/One", name: str = "One") -> Suite:
    return Suite("mine", "1", (), {name: Repository(name, url, commit)})


def test_a_folder_by_its_name_whatever_the_case(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD")
    found = find_checkouts(suite(commit), checkout.parent)
    assert dict(found) == {"One": checkout}
    assert found.notes == ()


def test_another_commit(checkout: Path) -> None:
    with pytest.raises(UsageError, match=rf"one is at commit {git(checkout, 'rev-parse', 'HEAD')[:12]}, and the suite pins {COMMIT}"):
        find_checkouts(suite(COMMIT), checkout.parent)


def test_a_folder_that_does_not_say(tmp_path: Path) -> None:
    (tmp_path / "ONE").mkdir()
    found = find_checkouts(suite(COMMIT), tmp_path)
    assert found["One"] == tmp_path / "ONE"
    assert found.notes == (f"{tmp_path / 'ONE'} does not say at which commit it is; the suite pins {COMMIT[:12]}",)
    assert find_checkouts(suite(), tmp_path).notes == ()


def test_what_is_missing_or_twice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"mine needs a checkout of One in .*: `git clone https://example.org/a/One`"):
        find_checkouts(suite(), tmp_path)
    with pytest.raises(UsageError, match=r"needs a checkout of One \(--repos DIR"):
        find_checkouts(suite())
    with pytest.raises(UsageError, match="cannot read the folder of checkouts"):
        find_checkouts(suite(), tmp_path / "none")
    assert find_checkouts(suite(), tmp_path, names=()) == {}
    for name in ("one", "One"):
        (tmp_path / name).mkdir()
    with pytest.raises(UsageError, match="differ in case alone"):
        find_checkouts(suite(), tmp_path)


def test_smoke_brings_its_repository(smoke: Path) -> None:
    assert find_checkouts(load_suite("smoke")) == {"tinynets": REPOSITORY}
    assert find_checkouts(load_suite("smoke"), smoke.parent) == {"tinynets": smoke}


def test_an_archive_is_unpacked_once(tmp_path: Path) -> None:
    tar(tmp_path / "ONE.tar.gz", {"x/a.py": b"a"}, comment=COMMIT)
    found = find_checkouts(suite(COMMIT), tmp_path, cache=tmp_path / "cache")
    assert (found["One"] / "a.py").read_text() == "a"
    (found["One"] / "mark").touch()
    again = find_checkouts(suite(COMMIT), tmp_path, cache=tmp_path / "cache")
    assert (again["One"] / "mark").exists()
    assert len(list((tmp_path / "cache").iterdir())) == 1
    with pytest.raises(UsageError, match=f"is at commit {COMMIT[:12]}"):
        find_checkouts(suite("0" * 40), tmp_path, cache=tmp_path / "cache")


def test_an_archive_that_is_none_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "one.zip").write_text("x")
    with pytest.raises(UsageError, match="no archive"):
        find_checkouts(suite(), tmp_path, cache=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_clone_at_a_commit_runs_nothing_of_the_user_or_the_repository(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hooks, filters and templates that the user's own configuration names, with attributes in the repository that ask for the filter."""
    (checkout / ".gitattributes").write_text("* filter=f\n")
    git(checkout, "add", ".")
    git(checkout, "commit", "-q", "-m", "y")
    commit = git(checkout, "rev-parse", "HEAD")
    ran = tmp_path / "ran"
    home = tmp_path / "home"
    (home / "hooks").mkdir(parents=True)
    for hook in (home / "hooks/post-checkout", home / "hooks/reference-transaction"):
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
    (home / ".gitconfig").write_text(
        f'[core]\n hooksPath = {home}/hooks\n[filter "f"]\n smudge = touch {ran}\n required = true\n[init]\n templateDir = {home}\n'
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"{home}/hooks")
    wanted = suite(commit, url=checkout.as_uri())
    (folder,) = find_checkouts(wanted, clone=True, cache=tmp_path / "cache").values()
    assert (folder / "a").read_text() == "a"
    assert not ran.exists()
    assert not (folder / ".git/hooks/post-checkout").exists()
    os.rename(checkout, tmp_path / "gone")
    assert list(find_checkouts(wanted, clone=True, cache=tmp_path / "cache").values()) == [folder]


def test_clones_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="git cannot fetch the repository"):
        find_checkouts(suite(COMMIT, url=(tmp_path / "none").as_uri()), clone=True, cache=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []
    for url in ("ext::sh -c touch% ran", "--upload-pack=x", "http://example.org/x"):
        with pytest.raises(UsageError, match="an https, ssh or file URL and a whole commit are wanted"):
            find_checkouts(suite(COMMIT, url=url), clone=True, cache=tmp_path / "cache")
    with pytest.raises(UsageError, match="a whole commit"):
        find_checkouts(suite("main"), clone=True, cache=tmp_path / "cache")
