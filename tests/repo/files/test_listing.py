"""The walk: which files there are, and what is left out and why."""

import os
import shutil
import socket
from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.repo.files import FileTable, walk
from ml_agent.repo.files import listing as module
from tests.pace import within
from tests.repo.files.test_ignore import git, needs_git


def make(root: Path, *paths: str, text: str = "x\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def listed(table: FileTable) -> list[str]:
    return [file.path for file in table.files]


def reasons(table: FileTable) -> dict[str, str]:
    return {entry.path: entry.reason for entry in table.skipped}


def test_lists_files_with_sizes_in_a_fixed_order(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a/z.py", "a.py", "B.py", "é.py")
    table = walk(tmp_path)
    assert listed(table) == ["B.py", "a.py", "a/z.py", "b.py", "é.py"]
    assert {file.size for file in table.files} == {2}
    assert table.folders == ("a",)


def test_ignore_rules_nested_and_negated(tmp_path: Path) -> None:
    make(tmp_path, "run.log", "keep.log", "build/x.py", "src/build/y.py", "src/keep.log", "src/a.tmp", "data/big.bin", "data/README.md")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n/build/\n/data/*\n!/data/README.md\n")
    (tmp_path / "src" / ".gitignore").write_text("keep.log\n*.tmp\n")
    table = walk(tmp_path)
    assert listed(table) == [".gitignore", "data/README.md", "keep.log", "src/.gitignore", "src/build/y.py"]
    assert reasons(table) == dict.fromkeys(["build", "data/big.bin", "run.log", "src/a.tmp", "src/keep.log"], "ignored")


def test_rules_that_name_what_to_keep(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "a.bin", "deep/b.py", "deep/b.bin")
    (tmp_path / ".gitignore").write_text("*\n!*/\n!*.py\n")
    assert listed(walk(tmp_path)) == ["a.py", "deep/b.py"]


@needs_git
def test_what_git_tracks_is_listed_whatever_the_rules_say(tmp_path: Path) -> None:
    make(tmp_path, "examples/dist/train.py", "lib/made.so", "examples/dist/out.bin")
    (tmp_path / ".gitignore").write_text("dist/\nlib/\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-f", "examples/dist/train.py", ".gitignore")
    table = walk(tmp_path)
    assert listed(table) == [".gitignore", "examples/dist/train.py"]
    assert reasons(table) == {"examples/dist/out.bin": "ignored", "lib": "ignored"}


@needs_git
def test_a_worktree_has_its_index_elsewhere(tmp_path: Path) -> None:
    main = tmp_path / "main"
    make(main, "dist/train.py")
    (main / ".gitignore").write_text("dist/\n")
    git(main, "init", "-q")
    git(main, "add", "-f", ".")
    git(main, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    git(main, "worktree", "add", "-q", str(tmp_path / "other"))
    assert listed(walk(tmp_path / "other")) == [".gitignore", "dist/train.py"]


def test_tracked_files_that_were_deleted_are_not_listed(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    make(tmp_path, "a.py", "gone.py")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    (tmp_path / "gone.py").unlink()
    table = walk(tmp_path)
    assert listed(table) == ["a.py"]
    assert not table.is_file("gone.py")


def test_folders_that_are_never_the_repositorys(tmp_path: Path) -> None:
    make(
        tmp_path,
        "a.py",
        ".git/config",
        "sub/.git",
        ".hg/x",
        ".svn/y",
        "__pycache__/a.pyc",
        "web/node_modules/m/i.js",
        "env/pyvenv.cfg",
        "env/lib/x.py",
    )
    table = walk(tmp_path)
    assert listed(table) == ["a.py"]
    assert reasons(table) == {"env": "virtual environment", "web/node_modules": "node_modules"}
    assert not table.is_file(".git/config")


def test_links(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    make(root, "real.py", "pkg/m.py", ".git/config")
    make(outside, "secret.py")
    for name, target in {
        "same.py": "real.py",
        "slash": "/",
        "out.py": "../outside/secret.py",
        "pkg_link": "pkg",
        "nowhere": "missing.py",
        "loop": "loop",
        "pkg/up": "../other",
        "other": "pkg",
        "config": ".git/config",
    }.items():
        (root / name).symlink_to(target)
    table = walk(root)
    assert listed(table) == ["pkg/m.py", "real.py", "same.py"]
    assert table.read("same.py").text == "x\n"
    assert reasons(table) == {
        "slash": "link that leaves the repository",
        "out.py": "link that leaves the repository",
        "config": "link that leaves the repository",
        "nowhere": "link to nothing, or a loop of links",
        "loop": "link to nothing, or a loop of links",
        "pkg_link": "link to a folder of the repository",
        "other": "link to a folder of the repository",
        "pkg/up": "link to a folder of the repository",
    }
    assert table.is_folder("pkg_link")
    assert table.is_file("pkg_link/m.py")
    assert not table.is_folder("slash")
    assert not table.is_file("slash/etc/passwd")
    assert not table.is_file("out.py")
    for path in ("out.py", "slash/etc/passwd", "../outside/secret.py", "config", "/etc/passwd"):
        with pytest.raises(OSError, match="inside the repository"):
            table.read(path)


def test_folders_that_link_each_other(tmp_path: Path) -> None:
    make(tmp_path, "a/x.py", "b/y.py")
    (tmp_path / "a" / "b").symlink_to("../b")
    (tmp_path / "b" / "a").symlink_to("../a")
    assert listed(walk(tmp_path)) == ["a/x.py", "b/y.py"]


@pytest.mark.timeout(20)
def test_pipes_sockets_and_devices_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / "link.py").symlink_to("pipe.py")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
        table = walk(tmp_path)
    assert listed(table) == []
    assert set(reasons(table).values()) == {"not a regular file"}
    with pytest.raises(OSError, match="not a regular file"):
        table.read("pipe.py")


def test_names_that_do_not_decode(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff.py", "w") as file:
        file.write("x = 1\n")
    os.mkdir(os.fsencode(tmp_path) + b"/d\xfe")
    make(tmp_path, os.fsdecode(b"d\xfe") + "/new\nline.py", "[bold].py")
    table = walk(tmp_path)
    assert [os.fsencode(path) for path in listed(table)] == [b"[bold].py", b"d\xfe/new\nline.py", b"\xff.py"]
    name = os.fsdecode(b"\xff.py")
    assert table.is_file(name)
    assert table.read(name).text == "x = 1\n"
    assert table.nearest("f.py") is not None


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_reported(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "closed/b.py")
    (tmp_path / "closed").chmod(0)
    try:
        table = walk(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert listed(table) == ["a.py"]
    assert reasons(table)["closed"].startswith("unreadable")


def test_what_vanishes_during_the_walk_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.py", "gone/b.py", "c.py")
    real = os.scandir

    def scandir(path: Path) -> object:
        if str(path).endswith("gone"):
            shutil.rmtree(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    table = walk(tmp_path)
    assert listed(table) == ["a.py", "c.py"]
    assert reasons(table)["gone"].startswith("unreadable")


def test_the_number_of_entries_is_capped_and_the_deepest_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ENTRIES", 8)
    make(tmp_path, *(f"a/b/c/{i}.py" for i in range(20)), "top.py", "z/y.py")
    table = walk(tmp_path)
    assert {"top.py", "z/y.py"} <= set(listed(table))
    assert len(table.files) < 8
    assert reasons(table)["."] == "more than 8 entries: the rest was not listed"
    assert table.is_file("a/b/c/19.py")  # not listed, but there


def test_no_folder(tmp_path: Path) -> None:
    make(tmp_path, "file")
    for path in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(UsageError, match="is not a folder"):
            walk(path)
    (tmp_path / "empty").mkdir()
    assert walk(tmp_path / "empty").files == ()


@pytest.mark.timeout(60)
def test_two_thousand_files_in_little_time(tmp_path: Path) -> None:
    make(tmp_path, *(f"pkg{i % 40}/sub{i % 7}/m{i}.py" for i in range(2000)))
    (tmp_path / ".gitignore").write_text("\n".join(f"*.ext{i}\nfolder{i}/" for i in range(100)))
    with within(2):  # 0.2 s on an idle core
        assert len(walk(tmp_path).files) == 2001
