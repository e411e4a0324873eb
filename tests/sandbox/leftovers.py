"""Opening a sandbox for an attack, and the look afterwards at what it may have left behind on the machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ml_agent.sandbox.base import Sandbox
from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.docker import Docker
from ml_agent.sandbox.docker_engine import connect
from tests.sandbox.engine import containers
from tests.sandbox.support import SYSTEM

KINDS: dict[str, type[Docker] | type[Bubblewrap]] = {"docker": Docker, "bubblewrap": Bubblewrap}


@contextmanager
def attacked(kind: str, folder: Path, resources: Resources | None = None) -> Iterator[Sandbox]:
    """A sandbox over the folder `repository` in `folder`, at its own place; once closed, nothing of it is there."""
    place = folder / "repository"
    place.mkdir()
    with KINDS[kind](place, SYSTEM, inside=str(place), resources=resources) as sandbox:
        yield sandbox
        names = engine_names() if kind == "docker" else []
    assert left_behind(names) == []
    assert [entry.name for entry in folder.iterdir()] == ["repository"]


def engine_names() -> list[str]:
    """What the kernel and the engine know our containers by. They have no volumes."""
    api = connect()
    try:
        known = [api.inspect_container(name) for name in containers()]
    finally:
        api.close()
    assert [mount for container in known for mount in container["Mounts"] if mount["Type"] == "volume"] == []
    return [name for container in known for name in (container["Id"], container["GraphDriver"]["Data"]["MergedDir"])]


def left_behind(names: list[str], pid: int | None = None) -> list[str]:
    """Control groups, processes, mounts and containers of the process `pid` (ours by default) or with one of those names."""
    owner = os.getpid() if pid is None else pid
    groups = [str(path) for path in Path("/sys/fs/cgroup").glob(f"**/ml-agent-{owner}-*")]
    groups += [str(path) for name in names if "/" not in name for path in Path("/sys/fs/cgroup").glob(f"**/*{name}*")]
    mounts = [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if any(name in line for name in names)]
    found = [*groups, *mounts, *_processes(owner, names)]
    return found + (containers(owner) if names else [])


def _processes(owner: int, names: list[str]) -> list[str]:
    """Living bubblewraps that `owner` has started, and what is in the control group of a container."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            group = (folder / "cgroup").read_text()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        is_bubblewrap = int(fields[1]) == owner and b"--json-status-fd" in command
        if fields[0] != "Z" and (is_bubblewrap or any(name in group for name in names)):
            found.append(f"{folder.name} {command.decode(errors='replace')[:200]}")
    return found
