"""What is special about the docker sandbox: its container, who runs in it, what it shows, and that it goes."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import SandboxUnavailable, ToolError, UsageError
from ml_agent.sandbox import open_sandbox
from ml_agent.sandbox.base import Mount
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.docker import Docker
from ml_agent.sandbox.docker_engine import connect
from ml_agent.sandbox.environment import Environment
from tests.sandbox.engine import containers
from tests.sandbox.support import SYSTEM, bash, token, wait_until_gone, wait_until_there

pytestmark = pytest.mark.docker
TOP = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    return place


@pytest.fixture
def sandbox(folder: Path) -> Iterator[Docker]:
    with Docker(folder, SYSTEM, inside=str(folder)) as opened:
        yield opened
    assert containers() == []


def test_the_container_is_hardened(sandbox: Docker) -> None:
    """As the engine has it, not as we asked."""
    (name,) = containers()
    api = connect()
    known = api.inspect_container(name)
    api.close()
    host = known["HostConfig"]
    memory = Resources().memory_bytes
    assert (host["NetworkMode"], host["CapDrop"], host["CapAdd"], host["Privileged"]) == ("none", ["ALL"], None, False)
    assert "no-new-privileges" in host["SecurityOpt"]
    assert host["ReadonlyRootfs"]
    assert (host["Memory"], host["MemorySwap"]) == (memory, memory)
    assert 0 < host["PidsLimit"] <= 1026
    assert host["NanoCpus"] == len(os.sched_getaffinity(0)) * 10**9
    assert set(host["Tmpfs"]) == {"/tmp", "/tmp/home"}
    assert all("size=" in options for options in host["Tmpfs"].values())
    assert [mount["Destination"] for mount in known["Mounts"] if mount["RW"]] == [sandbox.root]
    assert known["Config"]["User"].split(":")[0] not in ("", "0", "root")


def test_a_run_is_nobody_or_the_caller(sandbox: Docker, folder: Path) -> None:
    status = bash(sandbox, "id -u; cat /proc/self/status; mkdir d; echo x > d/f").stdout
    user = os.getuid() or 65534
    assert status.startswith(f"{user}\n")
    for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        assert line in status
    assert (folder / "d" / "f").stat().st_uid == user


def test_a_run_may_change_what_was_put_there_between_runs(sandbox: Docker, folder: Path) -> None:
    (folder / "later.txt").write_text("a")
    (folder / "later.txt").chmod(0o600)
    assert bash(sandbox, "echo b > later.txt && cat later.txt").stdout == "b\n"


def test_a_file_with_another_name_outside_keeps_its_owner(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "users").write_text("x")
    os.link(tmp_path / "users", folder / "linked")
    (folder / "out").symlink_to(tmp_path / "users")
    with Docker(folder, SYSTEM) as sandbox:
        bash(sandbox, "true")
    assert (tmp_path / "users").stat().st_uid == os.getuid()


def test_orphans_are_reaped(sandbox: Docker) -> None:
    bash(sandbox, "for i in $(seq 20); do (true &); done; sleep 0.2")
    assert bash(sandbox, "grep -l '^State:.Z' /proc/[0-9]*/status").stdout == ""


def test_a_mount_is_read_only(folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "x.csv").write_text("1,2\n")
    data.chmod(0o777)
    (folder / "data").mkdir()
    with Docker(folder, SYSTEM, [Mount(data, f"{folder}/data")], inside=str(folder)) as sandbox:
        assert bash(sandbox, "cat data/x.csv").stdout == "1,2\n"
        assert "Read-only" in bash(sandbox, "echo > data/y").stderr
    assert [entry.name for entry in data.iterdir()] == ["x.csv"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount")
def test_what_is_mounted_below_a_mount_is_read_only_too(folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "da ta"
    (data / "disk").mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "none", data / "disk"], check=True)
    try:
        (data / "disk" / "x").write_text("seen\n")
        with Docker(folder, SYSTEM, [Mount(data, f"{folder}/data")], inside=str(folder)) as sandbox:
            assert bash(sandbox, "cat data/disk/x").stdout == "seen\n"
            assert "Read-only" in bash(sandbox, "echo > data/disk/y").stderr
    finally:
        subprocess.run(["umount", data / "disk"], check=True)


def test_what_cannot_be_shown_or_read_is_said(folder: Path, tmp_path: Path) -> None:
    strange, closed = tmp_path / os.fsdecode(b"\xff"), tmp_path / "closed"
    strange.mkdir()
    closed.mkdir(mode=0o700)
    with Docker(folder, SYSTEM, [Mount(strange, f"{folder}/a"), Mount(closed, f"{folder}/b")], inside=str(folder)) as sandbox:
        assert any("is not UTF-8" in note for note in sandbox.notes)
        assert any(f"cannot read {closed}" in note for note in sandbox.notes) == (os.getuid() == 0)
        assert bash(sandbox, "ls").stdout == "b\n"


@pytest.mark.skipif(os.getuid() != 0, reason="for root runs are another user's")
def test_an_interpreter_that_runs_cannot_read_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o700)
    environment = Environment(f"{tmp_path}/closed/bin/python", "", (Mount(tmp_path / "closed", f"{tmp_path}/closed"),))
    with pytest.raises(SandboxUnavailable, match="cannot read"):
        Docker(folder, environment).start()


@pytest.mark.parametrize("inside", ["/usr", "/tmp", "/", "relative", "/etc"])
def test_a_place_that_would_hide_the_system_is_not_taken(folder: Path, inside: str) -> None:
    assert Docker(folder, SYSTEM, inside=inside).root == f"/work/{folder.name}"


def test_gpus_that_the_engine_has_not_are_said(folder: Path) -> None:
    if os.path.exists("/dev/nvidiactl"):
        pytest.skip("this machine has a GPU")
    with Docker(folder, SYSTEM, gpus="all") as sandbox:
        assert [note for note in sandbox.notes if "no GPU" in note]
        assert bash(sandbox, "echo runs").stdout == "runs\n"


def test_gpus_that_are_none(folder: Path) -> None:
    with pytest.raises(UsageError, match="--gpus"):
        Docker(folder, SYSTEM, gpus="some")


def test_a_run_that_is_ended_from_outside_is_followed_by_a_new_container(sandbox: Docker, folder: Path) -> None:
    before = containers()
    word = token()
    # Whoever would end it inside is stopped.
    result = bash(sandbox, f"echo begun; kill -STOP $PPID; for p in /proc/[0-9]*; do kill -STOP ${{p#/proc/}}; done; : {word}", timeout=0.5)
    assert result.timed_out
    assert result.stdout == "begun\n"
    assert wait_until_gone(word, 1.0) == []
    assert containers() == []
    assert bash(sandbox, "echo again").stdout == "again\n"
    assert containers() != before


def test_what_a_run_leaves_behind_after_killing_its_keepers_is_ended(sandbox: Docker) -> None:
    word = token()
    code = f"(setsid bash -c 'trap \"\" TERM; exec -a {word} sleep 1000' >/dev/null 2>&1 &) ; sleep 0.2; kill -9 $PPID; sleep 5"
    assert not bash(sandbox, f"pid=$(ps -o ppid= $PPID); kill -9 $pid; {code}", timeout=3).ok
    assert wait_until_gone(word, 1.0) == []
    assert bash(sandbox, "echo again").stdout == "again\n"


def test_killing_the_parent_leaves_nothing(folder: Path) -> None:
    word = token()
    program = f"""
import os
from pathlib import Path
from ml_agent.sandbox import open_sandbox
from tests.sandbox.support import SYSTEM, bash
with open_sandbox("docker", Path({str(folder)!r}), SYSTEM) as sandbox:
    bash(sandbox, f"setsid bash -c 'exec -a {{os.environ['WORD']}} sleep 1000' & sleep 1000", timeout=60)
"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=TOP, env={**os.environ, "WORD": word})
    try:
        assert wait_until_there(word)
    finally:
        process.kill()
        process.wait()
    assert wait_until_gone(word) == []
    end = time.monotonic() + 5
    while (left := containers(process.pid)) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []


def test_ten_at_once(tmp_path: Path) -> None:
    said: list[str] = []

    def solve(number: int) -> None:
        place = tmp_path / str(number)
        place.mkdir()
        with Docker(place, SYSTEM) as sandbox:
            said.append(bash(sandbox, f"echo {number}; echo x > made; sleep 0.2").stdout)
            said.append(sandbox.exec(["python3", "-c", f"print({number})"], timeout=30).stdout)
        assert (place / "made").read_text() == "x\n"

    threads = [threading.Thread(target=solve, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == sorted(f"{number}\n" for number in range(10) for _ in range(2))
    assert containers() == []


def test_runs_of_two_threads_take_turns(sandbox: Docker) -> None:
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.append(bash(sandbox, "sleep 0.3; echo done").stdout)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == ["done\n"] * 2


def test_a_command_that_is_too_long_in_all(sandbox: Docker) -> None:
    assert len(sandbox.exec(["echo", *(["x" * 100_000] * 9)], timeout=10).stdout) == 900_009
    with pytest.raises(ToolError, match="too long"):
        sandbox.exec(["echo", *(["x" * 100_000] * 20)], timeout=10)


def test_auto_is_docker_where_an_engine_answers(folder: Path) -> None:
    with open_sandbox("auto", folder, SYSTEM) as opened:
        assert opened.name == "docker"
        assert opened.exec(["true"], timeout=10).ok
