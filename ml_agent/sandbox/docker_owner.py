"""Whose a container is, by its labels; and removing those whose owner is gone.

A container ends by itself with the process that holds its standard input open. Left behind is only what was not started yet,
or what an engine could not remove at that time: the next start does.
"""

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.docker_engine import ANSWER_SECONDS, faults, is_gone

if TYPE_CHECKING:
    from docker import APIClient

LABEL = "ml-agent.sandbox"
_OWNER = "ml-agent.owner"
_MACHINE = "ml-agent.machine"


def labels() -> dict[str, str]:
    """What a container of this process is known by."""
    return {LABEL: "1", _OWNER: _identity(os.getpid()), _MACHINE: _machine()}


def sweep(api: "APIClient") -> None:
    """Remove the containers of processes that are gone."""
    for container in stale(api):
        remove(api, container)


def stale(api: "APIClient") -> list[str]:
    """The containers of processes that are gone. Those of another PID namespace cannot be judged from here and are left out."""
    found = []
    for container in _containers(api):
        owner = container["Labels"].get(_OWNER, "")
        pid = owner.partition(":")[0]
        if pid.isdigit() and owner != _identity(int(pid)):
            found.append(str(container["Id"]))
    return found


def images(api: "APIClient") -> set[str]:
    """The images that the containers of this process are made from."""
    own = labels()[_OWNER]
    return {str(container["Image"]) for container in _containers(api) if container["Labels"].get(_OWNER) == own}


def _containers(api: "APIClient") -> list[dict[str, Any]]:
    with faults("list containers"):
        found: list[dict[str, Any]] = api.containers(all=True, filters={"label": [LABEL, f"{_MACHINE}={_machine()}"]})
    return found


def remove(api: "APIClient", container: str) -> None:
    """Kill and remove a container with its volumes, and wait until it is gone; none is fine too."""
    from docker.errors import APIError

    deadline = time.monotonic() + ANSWER_SECONDS
    while True:
        with faults("remove a container"):
            try:
                api.remove_container(container, force=True, v=True)
            except APIError as error:
                if error.status_code == 404:
                    return
                if not is_gone(error):
                    raise
        # 409: the engine is removing it already, as it does when the container ends by itself.
        if time.monotonic() > deadline:
            raise InfrastructureError(f"the Docker engine does not remove the container {container[:12]}: restart it")
        time.sleep(0.01)


def kill_members(container: str) -> None:
    """SIGKILL to what runs in a container, known by its control group, past an engine that does not do it. Those of other users stay."""
    if not container:
        return
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if container in (folder / "cgroup").read_text():
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:
            continue


def _identity(pid: int) -> str:
    """Number and start time: numbers are used again."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in (b"Z", b"X") else f"{pid}:{fields[19].decode()}"


def _machine() -> str:
    """This boot of this machine and the PID namespace that our numbers are of."""
    return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()}:{os.stat('/proc/self/ns/pid').st_ino}"
