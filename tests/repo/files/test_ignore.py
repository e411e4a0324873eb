"""Ignore rules against git itself, and the reader of git's index."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ml_agent.repo.files import walk
from ml_agent.repo.files.ignore import IgnoreRules, tracked_paths
from tests.pace import within

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> bytes:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, check=True, timeout=20).stdout


def seen_by_git(folder: Path) -> set[str]:
    listed = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split(b"\0")
    return {os.fsdecode(path) for path in listed if path}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for path in (
        "a",
        "b.py",
        "foo/a",
        "foo/b.py",
        "foo/bar/a",
        "foo/bar/c.txt",
        "bar/foo/b.py",
        "bar/foo/foo/a",
        "x y",
        "bar/[a]",
        "data/foo",
    ):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    if shutil.which("git"):
        git(root, "init", "-q")
    return root


names = st.sampled_from(
    ["a", "b.py", "foo", "bar", "*", "**", "*.py", "?", "f*", "[ab]", "[!a]*", "b.*", "data", "\\[a]", "x y", "*o*", "c.txt"]
)
pattern = st.builds(
    lambda negated, rooted, parts, folder: ("!" if negated else "") + ("/" if rooted else "") + "/".join(parts) + ("/" if folder else ""),
    st.booleans(),
    st.booleans(),
    st.lists(names, min_size=1, max_size=3),
    st.booleans(),
)
patterns = st.lists(pattern | st.sampled_from(["", "# a", "\\#", "/", "*/", "!*/", "**/", "a ", "a\\ "]), max_size=5)


@needs_git
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(patterns, patterns)
def test_the_walk_sees_what_git_sees(tree: Path, root_rules: list[str], inner_rules: list[str]) -> None:
    (tree / ".gitignore").write_text("\n".join(root_rules) + "\n")
    (tree / "foo" / ".gitignore").write_text("\n".join(inner_rules) + "\n")
    assert {file.path for file in walk(tree).files} == seen_by_git(tree)


@needs_git
@pytest.mark.parametrize("version", ["2", "4"])
def test_index_holds_what_git_tracks(tmp_path: Path, version: str) -> None:
    paths = {"a.py", "dir/b c.py", "dir/deep/" + "n" * 200, "é.txt", "x" * 60}
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "add", "--intent-to-add", "a.py")
    git(tmp_path, "update-index", "--index-version", version)
    assert {os.fsdecode(path) for path in tracked_paths((tmp_path / ".git" / "index").read_bytes())} == paths


@given(st.binary(max_size=200), st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_any_bytes_for_an_index(data: bytes, version: int, count: int) -> None:
    header = b"DIRC" + version.to_bytes(4, "big") + count.to_bytes(4, "big")
    assert isinstance(tracked_paths(header + data), frozenset)
    assert tracked_paths(data) == frozenset()


@pytest.mark.timeout(20)
def test_a_rule_made_to_take_for_ever() -> None:
    rules = IgnoreRules(["*a" * 100 + "b", "**/" * 200 + "x", "[" * 500, "a" * 100_000, "*.log"])
    with within(3):
        assert rules.ignored("a" * 255, is_folder=False) is None
        assert rules.ignored("d/" * 500 + "x.log", is_folder=False) is True
