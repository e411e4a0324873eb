"""What is copied of a repository, and getting rid of the copy."""

import fcntl
import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox import survey as survey_module
from ml_agent.sandbox.private_copy import copy_repository, snapshot
from ml_agent.sandbox.removal import remove_tree
from ml_agent.sandbox.scratch import Scratch, remove_stale
from ml_agent.sandbox.survey import Survey, survey


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    (place / "pkg").mkdir(parents=True)
    (place / "pkg" / "a.py").write_text("a\n")
    (place / "run.sh").write_text("#!/bin/sh\n")
    (place / "run.sh").chmod(0o755)
    return place


def copied(repository: Path, tmp_path: Path) -> tuple[Path, Survey]:
    target = tmp_path / "copy"
    target.mkdir()
    found = survey(repository)
    found.notes += copy_repository(repository, found, target)
    return target, found


def names(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*")}


def test_contents_modes_and_times(repository: Path, tmp_path: Path) -> None:
    os.utime(repository / "run.sh", ns=(1, 1_000_000_007))
    (repository / "run.sh").chmod(0o4755)
    target, _ = copied(repository, tmp_path)
    assert names(target) == {"pkg", "pkg/a.py", "run.sh"}
    assert (target / "pkg" / "a.py").read_text() == "a\n"
    status = (target / "run.sh").stat()
    assert (status.st_mode & 0o7777, status.st_mtime_ns) == (0o755, 1_000_000_007)


def test_writing_in_place_does_not_reach_the_repository(repository: Path, tmp_path: Path) -> None:
    target, _ = copied(repository, tmp_path)
    with (target / "pkg" / "a.py").open("r+") as file:
        file.write("changed")
    assert (repository / "pkg" / "a.py").read_text() == "a\n"


def test_version_control_and_special_files_stay_out(repository: Path, tmp_path: Path) -> None:
    for folder in (".git", "pkg/.git", ".hg"):
        (repository / folder).mkdir()
        (repository / folder / "config").write_text("x")
    os.mkfifo(repository / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(repository / "socket"))
    target, _ = copied(repository, tmp_path)
    assert names(target) == {"pkg", "pkg/a.py", "run.sh"}


def test_links(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    inside = {"near": "pkg/a.py", "pkg/up": "../run.sh", "absolute": str(repository / "run.sh"), "gone": "pkg/nosuch", "to_folder": "pkg"}
    loops = {"one": "two", "two": "one", "pkg/round": ".."}
    outside = {"root": "/", "out": "../secret", "secret": str(tmp_path / "secret"), "pkg/far": "../../secret", "via": "root/etc"}
    for name, end in {**inside, **loops, **outside}.items():
        (repository / name).symlink_to(end)
    target, found = copied(repository, tmp_path)
    assert os.readlink(target / "absolute") == "run.sh"
    assert (target / "pkg" / "up").resolve() == (target / "run.sh").resolve()
    for name in outside:
        assert not os.path.lexists(target / name), name
        assert any(f"the link {name} leads out" in note for note in found.notes)
    for name in {**inside, **loops}:
        assert (target / name).is_symlink(), name
        assert Path(os.path.realpath(target / name)).is_relative_to(target)


def test_names_that_do_not_decode(repository: Path, tmp_path: Path) -> None:
    (repository / os.fsdecode(b"\xff.py")).write_text("x")
    (repository / "new\nline [bold]").write_text("x")
    target, _ = copied(repository, tmp_path)
    assert os.path.exists(os.fsencode(target) + b"/\xff.py")
    assert (target / "new\nline [bold]").exists()


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_left_out_and_noted(repository: Path, tmp_path: Path) -> None:
    (repository / "run.sh").chmod(0)
    (repository / "pkg").chmod(0)
    try:
        target, found = copied(repository, tmp_path)
    finally:
        (repository / "pkg").chmod(0o700)
    assert names(target) == {"pkg"}
    assert len(found.notes) == 2


def test_a_file_that_is_gone_meanwhile_is_left_out(repository: Path, tmp_path: Path) -> None:
    found = survey(repository)
    (repository / "run.sh").unlink()
    (repository / "run.sh").symlink_to("/etc/passwd")
    (tmp_path / "copy").mkdir()
    notes = copy_repository(repository, found, tmp_path / "copy")
    assert len(notes) == 1
    assert not os.path.lexists(tmp_path / "copy" / "run.sh")


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


def test_no_room_is_infrastructure(repository: Path) -> None:
    with pytest.raises(InfrastructureError):
        copy_repository(repository, survey(repository), Path("/proc"))


def test_a_full_disk_is_infrastructure(repository: Path, tmp_path: Path) -> None:
    """On a tmpfs of its own, in a namespace of its own."""
    (repository / "more").write_bytes(os.urandom(200_000))
    program = f"""
from pathlib import Path
from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.private_copy import copy_repository
from ml_agent.sandbox.survey import survey
try:
    copy_repository(Path({str(repository)!r}), survey(Path({str(repository)!r})), Path({str(tmp_path / "small")!r}))
except InfrastructureError as error:
    print(error)
"""
    (tmp_path / "small").mkdir()
    (tmp_path / "program.py").write_text(program)
    import sys

    script = f"mount -t tmpfs -o size=64k none {tmp_path}/small && exec {sys.executable} {tmp_path}/program.py"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    top = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(top)})
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("no file system can be mounted here")
    assert "No space left" in done.stdout, done.stderr


def test_snapshot_passes_over_links_and_caches(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "x").touch()
    (tmp_path / "a.pyc").touch()
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "folder").symlink_to("/etc")
    (tmp_path / "a").touch()
    assert set(snapshot(tmp_path)) == {"a"}


def test_removal_of_what_a_run_may_leave(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    outside.mkdir()
    (outside / "keep").write_text("x")
    (top / "closed" / "deep").mkdir(parents=True)
    (top / "closed" / "deep" / "x").touch()
    (top / "link").symlink_to(outside)
    (top / "closed" / "link").symlink_to(outside)
    os.mkfifo(top / "fifo")
    (top / "closed" / "deep").chmod(0)
    (top / "closed").chmod(0)
    top.chmod(0)
    assert remove_tree(top) == []
    assert not top.exists()
    assert (outside / "keep").read_text() == "x"
    assert remove_tree(top) == []
    (tmp_path / "link").symlink_to(outside)
    remove_tree(tmp_path / "link")
    assert (outside / "keep").exists()


def test_removal_of_a_tree_deeper_than_any_path(tmp_path: Path) -> None:
    (tmp_path / "top").mkdir()
    code = "import os\nfor _ in range(3000):\n    os.mkdir('d' * 50)\n    os.chdir('d' * 50)\nopen('x', 'w')"
    subprocess.run(["python3", "-c", code], cwd=tmp_path / "top", check=True)
    assert remove_tree(tmp_path / "top") == []
    assert not (tmp_path / "top").exists()


def test_scratch_folders_of_dead_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    used = Scratch()
    assert used.folder.parent == tmp_path
    dead, young, strange = tmp_path / "workspace-dead", tmp_path / "workspace-young", tmp_path / "workspace-strange"
    for folder in (dead, young, strange):
        folder.mkdir()
    for folder in (dead, young):
        (folder / ".lock").touch()
    for folder in (dead, used.folder, strange):
        os.utime(folder, (time.time() - 3600,) * 2)
    remove_stale(tmp_path)
    assert not dead.exists()
    assert used.folder.exists()
    assert young.exists()
    assert strange.exists()
    assert used.remove() == []
    assert not used.folder.exists()


def test_a_scratch_folder_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    scratch = Scratch()
    with open(scratch.folder / ".lock") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    scratch.remove()


def test_where_no_folder_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/proc")
    monkeypatch.setattr("tempfile.tempdir", "/proc")
    with pytest.raises(InfrastructureError, match="TMPDIR"):
        Scratch()
