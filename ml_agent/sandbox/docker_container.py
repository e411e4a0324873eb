"""One hardened container: made, used for one command after the other, and gone whatever happens."""

import os
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ml_agent.errors import InfrastructureError, SandboxUnavailable
from ml_agent.sandbox import docker_exec, docker_owner
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.docker_engine import faults, is_gone
from ml_agent.sandbox.layout import HOME, HOST
from ml_agent.sandbox.process import Finished, Guard

if TYPE_CHECKING:
    from docker import APIClient

# The first process is a shell that has more to do after `cat`: so it stays, and reaps orphans. `cat` ends when our end of its input is
# closed, and we need not be there to close it. They are another user's than the runs, which so cannot end them.
_FIRST = ("-c", "cat; exit")
_KEEPER = "65533:65533"
_KEEPERS = 2
_ROOTLESS = "0:0"
_PAUSES = (0.0, 0.01, 0.03, 0.1, 0.3)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a container is made of."""

    image: str
    user: str
    """`UID:GID` of the runs; `0:0` only where that is the caller outside, in a rootless engine."""
    mounts: Sequence[dict[str, Any]]
    resources: Resources
    gpus: dict[str, Any] | None
    network: bool = False


class Container:
    """A container that runs. Raises SandboxUnavailable if it cannot be started; then, and if interrupted, none is left."""

    def __init__(self, api: "APIClient", setup: Setup) -> None:
        self._api, self._user = api, setup.user
        self._name = f"ml-agent-{uuid.uuid4().hex}"
        self._id = ""
        self._input: Any = None
        self.is_there = False
        try:
            with faults("start a container", SandboxUnavailable):
                config = _config(api, setup)
                self._id = str(api.create_container_from_config(config, self._name)["Id"])
                self._input = api.attach_socket(self._name, params={"stdin": 1, "stream": 1})
                api.start(self._name)
            self.is_there = True
        except BaseException:
            self.give_up()
            raise

    def run(self, script: bytes, timeout: float, guard: Guard = lambda: False) -> tuple[Finished, bool]:
        """Run a script of docker_exec while `guard` lets it; how it ended, and whether memory ran out.

        The container is removed if it did, or if something still runs in it. Raises InfrastructureError if it is gone or the engine fails.
        """
        began = time.time()
        try:
            with faults("run a command in the container"):
                ended = docker_exec.run(self._api, self._name, self._user, script, timeout, guard)
                members = 0 if ended.lost else self._members()
                out_of_memory = self._ran_out_of_memory(began)
            if members < _KEEPERS and not out_of_memory:
                raise InfrastructureError("the container was removed or ended while it was in use: start again")
        except BaseException:
            self.give_up()
            raise
        if ended.stuck or out_of_memory or members != _KEEPERS:
            self.remove()
        return ended.finished, out_of_memory

    def _members(self) -> int:
        """Processes in it, after those that have just been killed are gone; 0 if the container is."""
        from docker.errors import APIError

        members = 0
        for pause in _PAUSES:
            time.sleep(pause)
            try:
                members = len(self._api.top(self._name, ps_args="-eo pid")["Processes"] or ())
            except APIError as error:
                if is_gone(error):
                    return 0
                if pause == _PAUSES[-1]:
                    raise
                continue  # while a container ends, the engine may stumble over it
            if members <= _KEEPERS:
                break
        return members

    def _ran_out_of_memory(self, since: float) -> bool:
        """The engine's own inspection does not tell it of a command, only of the first process."""
        asked: Any = {"since": f"{since:.9f}", "until": f"{time.time():.9f}", "filters": {"container": self._name, "event": "oom"}}
        return any(True for _ in self._api.events(decode=True, **asked))

    def remove(self) -> None:
        """End every process in it and remove it; safe to call twice.

        Raises InfrastructureError if the engine does not; then its processes are ended so far as we may do so ourselves.
        """
        self.is_there = False
        stream, self._input = self._input, None
        if stream is not None:
            docker_exec.close(stream)
        try:
            docker_owner.remove(self._api, self._name)
        except InfrastructureError:
            docker_owner.kill_members(self._id)
            raise

    def give_up(self) -> None:
        """Remove it while another error is on its way. If that fails too, the next start does it, by label."""
        with suppress(InfrastructureError):
            self.remove()


def _config(api: "APIClient", setup: Setup) -> dict[str, Any]:
    config: dict[str, Any] = dict(
        api.create_container_config(
            setup.image,
            list(_FIRST),
            entrypoint=["/bin/sh"],
            hostname=HOST,
            user=_KEEPER,
            labels=docker_owner.labels(),
            healthcheck={"test": ["NONE"]},
            host_config=_host_config(api, setup),
        )
    )
    return config | {"OpenStdin": True, "StdinOnce": True, "AttachStdin": True}


def _host_config(api: "APIClient", setup: Setup) -> dict[str, Any]:
    uid, _, gid = setup.user.partition(":")
    memory, size = setup.resources.memory_bytes, setup.resources.tmp_bytes
    config: dict[str, Any] = api.create_host_config(
        network_mode="bridge" if setup.network else "none",
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        read_only=True,
        auto_remove=True,
        mem_limit=memory,
        memswap_limit=memory,
        pids_limit=setup.resources.processes + _KEEPERS,
        nano_cpus=len(os.sched_getaffinity(0)) * 10**9,
        shm_size=size,
        extra_hosts={HOST: "127.0.0.1"},
        ulimits=[{"Name": "core", "Soft": 0, "Hard": 0}],  # a core file would be written to the workspace
        tmpfs={
            "/tmp": f"size={size},mode=1777,exec,nosuid,nodev",
            HOME: f"size={size},mode=700,uid={uid},gid={gid},exec,nosuid,nodev",
        },
        device_requests=[setup.gpus] if setup.gpus else None,
        # An engine that gives the users of containers other numbers outside would keep them from the workspace.
        userns_mode=None if setup.user == _ROOTLESS else "host",
    )
    return config | {"Mounts": list(setup.mounts)}
