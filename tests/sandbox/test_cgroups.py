"""Bounds on a run as a whole."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox.base import Sandbox
from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.local import Local
from tests.sandbox.support import SYSTEM, bash, can_bound, token, wait_until_gone


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
    assert not list(Path("/sys/fs/cgroup").glob(f"**/ml-agent-{os.getpid()}-*"))
