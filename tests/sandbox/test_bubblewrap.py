"""What bubblewrap keeps apart."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError, SandboxUnavailable
from ml_agent.sandbox import open_sandbox
from ml_agent.sandbox.base import Mount, Sandbox
from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.bubblewrap_box import _watched
from tests.sandbox.support import SYSTEM, bash, processes_with, token, wait_until_gone, wait_until_there

pytestmark = pytest.mark.bubblewrap
TOP = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    return place


@pytest.fixture
def sandbox(folder: Path) -> Iterator[Sandbox]:
    with Bubblewrap(folder, SYSTEM, inside=str(folder)) as opened:
        yield opened


def test_only_what_is_needed_can_be_seen(sandbox: Sandbox, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    beside = bash(sandbox, f"ls -A {tmp_path}").stdout.split()
    assert beside == [folder.name]
    top = set(bash(sandbox, "ls -A /").stdout.split())
    assert top.isdisjoint({"home", "var", "sys", "boot", "mnt", "media", "srv"})
    assert set(bash(sandbox, "ls /etc").stdout.split()).isdisjoint({"shadow", "ssh", "sudoers", "pip.conf", "gitconfig"})
    assert "no" in bash(sandbox, "test -e /var/run/docker.sock || echo no").stdout


def test_nothing_but_the_workspace_can_be_written_to(sandbox: Sandbox, folder: Path) -> None:
    places = ["/x", "/usr/x", "/etc/x", "/etc/passwd", "/dev/x", "/run/x", "/bin/x", "/proc/x", *(f"{m.target}/x" for m in SYSTEM.mounts)]
    for place in places:
        assert bash(sandbox, f"echo x > {place}").exit_code != 0, place
    assert bash(sandbox, "echo x > x && echo x > /tmp/x && echo x > /dev/shm/x && echo x > /dev/null").ok
    bash(sandbox, "echo x > ../x")  # beside it is nothing of the host's
    assert not (folder.parent / "x").exists()


def test_open_files_of_the_caller_are_not_handed_on(sandbox: Sandbox, tmp_path: Path) -> None:
    with open(tmp_path / "secret", "w") as file:
        os.set_inheritable(file.fileno(), True)
        assert bash(sandbox, "ls -l /proc/self/fd | grep -vE '/dev/null|pipe:|/proc/' | grep -- '->'").stdout == ""


def test_multiprocessing_works(sandbox: Sandbox) -> None:
    code = "import multiprocessing as m; print(m.Pool(2).map(abs, [-1, 2]))"
    assert sandbox.exec(["python3", "-c", code], timeout=20).stdout == "[1, 2]\n"


def test_what_a_run_makes_belongs_to_the_caller(sandbox: Sandbox, folder: Path) -> None:
    assert bash(sandbox, "mkdir d && echo x > d/f && chmod 700 d").ok
    assert (folder / "d" / "f").stat().st_uid == os.getuid()
    shutil.rmtree(folder / "d")


def test_a_mount_is_read_only(folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "x.csv").write_text("1,2\n")
    (folder / "data").mkdir()
    with Bubblewrap(folder, SYSTEM, [Mount(data, f"{folder}/data")], inside=str(folder)) as sandbox:
        assert bash(sandbox, "cat data/x.csv").stdout == "1,2\n"
        assert bash(sandbox, "echo >> data/x.csv").exit_code != 0
        assert bash(sandbox, "echo > data/y").exit_code != 0
    assert (data / "x.csv").read_text() == "1,2\n"


def test_a_run_cannot_move_a_mount_out(folder: Path, tmp_path: Path) -> None:
    """bubblewrap makes the place of a mount if it is not there: through a link of the run's, that would be outside."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "big").write_text("big")
    (folder / "sub").mkdir()
    (folder / "sub" / "big").touch()
    with Bubblewrap(folder, SYSTEM, [Mount(tmp_path / "big", f"{folder}/sub/big")], inside=str(folder)) as sandbox:
        for link in (f"/oldroot{outside}", str(outside), "../outside"):
            assert bash(sandbox, f"rm -f sub; mv sub sub-$RANDOM; ln -s {link} sub").ok
            assert bash(sandbox, "true").ok
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("inside", ["/usr", "/tmp", "/proc/x", "/", "relative", "/etc", "/tmp/home"])
def test_a_place_that_would_hide_the_system_is_not_taken(folder: Path, inside: str) -> None:
    with Bubblewrap(folder, SYSTEM, inside=inside) as sandbox:
        assert bash(sandbox, "pwd; touch x; python3 -c 'print(1)'").stdout == f"/work/{folder.name}\n1\n"
    assert (folder / "x").exists()


def test_killing_the_parent_leaves_nothing(folder: Path) -> None:
    word = token()
    program = f"""
import os
from pathlib import Path
from ml_agent.sandbox import open_sandbox
from tests.sandbox.support import SYSTEM, bash
with open_sandbox("bubblewrap", Path({str(folder)!r}), SYSTEM) as sandbox:
    bash(sandbox, f"setsid bash -c 'exec -a {{os.environ['WORD']}} sleep 1000' & sleep 1000", timeout=60)
"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=TOP, env={**os.environ, "WORD": word})
    try:
        assert wait_until_there(word)
    finally:
        process.kill()
        process.wait()
    assert wait_until_gone(word) == []


def test_killing_the_parent_at_any_moment_leaves_nothing(folder: Path) -> None:
    """Also while the sandbox is still being made: the word is on the command line from the first process on."""
    for moment in range(8):
        word = token()
        program = f"""
from pathlib import Path
from ml_agent.sandbox.bubblewrap import Bubblewrap
from tests.sandbox.support import SYSTEM
sandbox = Bubblewrap(Path({str(folder)!r}), SYSTEM)
sandbox.start()
sandbox.exec(["sh", "-c", "sleep 1000; : " + os.environ["WORD"]], timeout=60)
"""
        process = subprocess.Popen([sys.executable, "-c", "import os" + program], cwd=TOP, env={**os.environ, "WORD": word})
        try:
            assert wait_until_there(word, 30.0)
            time.sleep(moment * 0.001)
        finally:
            process.kill()
            process.wait()
        assert wait_until_gone(word, 20.0) == [], moment


def test_a_sandbox_that_is_only_half_made_ends_with_the_caller() -> None:
    """The inner process has no signal set yet for the end of the outer one, which is killed."""
    word = token()
    alive, held = os.pipe()
    half = f"sh -c 'sleep 1000; : {word}' & kill -9 $$"
    process = subprocess.Popen([*_watched(alive), "sh", "-c", half], pass_fds=[alive], start_new_session=True)
    process.wait()
    try:
        assert wait_until_there(word)
    finally:
        os.close(held)
        os.close(alive)
    assert wait_until_gone(word) == []


def parent(pid: int) -> int:
    return int(Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])


def test_a_sandbox_that_dies_is_infrastructure(sandbox: Sandbox) -> None:
    import signal
    import threading

    word = token()

    def kill() -> None:
        wait_until_there(word)
        (pid,) = processes_with(word)
        inner = parent(pid)  # the first of its PID namespace
        outer = parent(inner)
        assert Path("/proc", str(outer), "comm").read_text().strip() == "bwrap"
        os.kill(outer, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    with pytest.raises(InfrastructureError):
        bash(sandbox, f"exec -a {word} sleep 30", timeout=30)
    thread.join()


def test_without_bwrap_the_error_says_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap") as caught:
        Bubblewrap(folder, SYSTEM).start()
    assert "\n" not in str(caught.value)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nosuch.sock")
    opened = open_sandbox("auto", folder, SYSTEM)
    assert opened.name == "none"
    assert "apt-get install bubblewrap" in opened.notes[0]


def test_where_namespaces_are_forbidden_the_error_says_what_to_do(folder: Path) -> None:
    program = f"""
from pathlib import Path
Path("/proc/sys/user/max_user_namespaces").write_text("0")
from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox.bubblewrap import Bubblewrap
from tests.sandbox.support import SYSTEM
try:
    Bubblewrap(Path({str(folder)!r}), SYSTEM).start()
except SandboxUnavailable as error:
    print(error)
"""
    # The setting is of the new user namespace alone.
    command = ["unshare", "--user", "--map-root-user", sys.executable, "-c", program]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=30)
    assert "sysctl -w user.max_user_namespaces" in done.stdout, done.stderr
    assert done.stdout.count("\n") == 1


def test_where_system_calls_are_not_filtered_that_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ml_agent.sandbox.bubblewrap.make_filter", lambda: None)
    with Bubblewrap(folder, SYSTEM) as sandbox:
        assert any("no system calls are filtered" in note for note in sandbox.notes)
        assert "Seccomp:\t0" in bash(sandbox, "cat /proc/self/status").stdout
