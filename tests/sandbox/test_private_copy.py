"""What a private copy holds."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.private_copy import copy_repository, snapshot
from ml_agent.sandbox.survey import survey
from tests.sandbox.support import copied, names


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    (place / "pkg").mkdir(parents=True)
    (place / "pkg" / "a.py").write_text("a\n")
    (place / "run.sh").write_text("#!/bin/sh\n")
    (place / "run.sh").chmod(0o755)
    return place


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
