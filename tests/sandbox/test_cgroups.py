"""Bounds on a run as a whole."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox.base import Sandbox
from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.cgroups import Resources, limited, sweep
from ml_agent.sandbox.local import Local
from tests.sandbox.support import SYSTEM, bash, can_bound, processes_with, token, wait_until_gone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    (place / "sub" / "deep").mkdir(parents=True)
    (place / "file.txt").write_text("hello\n")
    return place


@pytest.fixture(params=["bubblewrap", "local"])
def small(request: pytest.FixtureRequest, folder: Path) -> Iterator[Sandbox]:
    """Not marked as in need of bubblewrap: where that is required, a control group may still not be to be had."""
    if not all(can_bound()):
        pytest.skip("no control group can be made here")
    kind = {"bubblewrap": Bubblewrap, "local": Local}[request.param]
    sandbox = kind(folder, SYSTEM, resources=Resources(memory_bytes=100 << 20, processes=40, tmp_bytes=8 << 20))
    try:
        sandbox.start()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    with sandbox:
        yield sandbox


def test_out_of_memory_is_told(small: Sandbox) -> None:
    result = small.exec(["python3", "-c", "x = bytearray(300 << 20); print(len(x))"], timeout=20)
    assert result.oom_killed
    assert not result.ok
    assert not bash(small, "true").oom_killed


def test_a_fork_bomb_stops(small: Sandbox) -> None:
    word, started = token(), time.monotonic()
    result = bash(small, f"f() {{ f | f & sleep 5; : {word}; }}; f; for i in $(seq 100); do sleep 3 & done; wait", timeout=1.5)
    assert "Resource temporarily unavailable" in result.stderr or "retry" in result.stderr
    assert time.monotonic() - started < 15
    assert wait_until_gone(word, 2.0) == []


def test_control_groups_are_removed(small: Sandbox) -> None:
    bash(small, "true")
    small.close()
    assert not list(Path("/sys/fs/cgroup").glob(f"**/ml-agent-{os.getpid()}-*"))


def test_a_fork_bomb_that_never_rests_ends_with_its_time(small: Sandbox, folder: Path) -> None:
    """As many processes as are allowed, all of them forking: what /proc tells of one can take seconds to read."""
    bomb = "import os, signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True:\n  try: os.fork()\n  except OSError: pass"
    with type(small)(folder, SYSTEM) as sandbox:  # type: ignore[call-arg]
        sandbox.start()
        word, started = token(), time.monotonic()
        assert sandbox.exec(["python3", "-c", bomb, word], timeout=2).timed_out
        assert time.monotonic() - started < 2 + 5
    assert wait_until_gone(word) == []


def test_a_run_has_less_cpu_time_than_we() -> None:
    with limited(Resources()) as limits:
        shares = [int((folder / "cpu.shares").read_text()) for folder in limits.group.folders if (folder / "cpu.shares").exists()]
        weights = [int((folder / "cpu.weight").read_text()) for folder in limits.group.folders if (folder / "cpu.weight").exists()]
        nice = subprocess.run([*limits.prefix, "nice"], capture_output=True, text=True, check=True).stdout.strip()
    assert shares == [256] or weights == [25] or int(nice) >= 10


def test_what_runs_in_the_group_of_a_killed_process_is_ended() -> None:
    if not any(can_bound()):
        pytest.skip("no control group can be made here")
    word = token()
    program = f"""
import os, signal, subprocess
from ml_agent.sandbox.cgroups import Resources, limited
with limited(Resources()) as limits:
    # In a session of its own, and without the signal that it would get from the end of its parent.
    words = limits.prefix[limits.prefix.index("/bin/sh"):]
    child = subprocess.Popen([*words, "setpriv", "--pdeathsig", "clear", "sh", "-c", "echo; sleep 1000; : {word}"], stdout=subprocess.PIPE)
    child.stdout.readline()
    print(os.getpid(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True, timeout=30)
    assert processes_with(word)
    sweep()
    assert wait_until_gone(word) == []
    sweep()
    assert not list(Path("/sys/fs/cgroup").glob(f"**/ml-agent-{int(done.stdout)}-*"))
