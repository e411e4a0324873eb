"""Docker: one hardened container for a workspace, each command an exec in it.

No network unless it is asked for, no capabilities, no new privileges, the engine's seccomp profile; the root file system is read-only;
memory, swap, processes and CPUs are bounded; /tmp, the home folder and /dev/shm are file systems in memory of a fixed size. Neither the
engine's socket nor anything of home is shown.

Runs have the caller's own user number; for root they are nobody's (65534), and the workspace is given to that user. The container ends
with us, however we end. /tmp and the home folder live as long as it does: until `close()`, or until a run has to be ended from outside
or runs out of memory; then the next run gets a new container.

The disk is watched (disk.py): a run that fills it is stopped.
"""

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ml_agent.errors import InfrastructureError, SandboxUnavailable, ToolError
from ml_agent.sandbox import docker_image, docker_mounts, docker_owner
from ml_agent.sandbox.base import ExecResult, Mount, Sandbox
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.common import check_command, find_workdir, result, variables
from ml_agent.sandbox.disk import DiskGuard
from ml_agent.sandbox.docker_container import Container, Setup
from ml_agent.sandbox.docker_engine import connect, faults
from ml_agent.sandbox.docker_exec import Programs, write_script
from ml_agent.sandbox.docker_gpus import NO_GPU, gpu_request
from ml_agent.sandbox.environment import Environment
from ml_agent.sandbox.layout import HOME, ID, is_plain, moved, place

if TYPE_CHECKING:
    from docker import APIClient

_NOBODY = f"{ID}:{ID}"
_OURS = Programs("/usr/bin/env", "/usr/bin/timeout")
_PROBE_SECONDS = 30.0


class Docker(Sandbox):
    """`inside`: where the workspace is shown, absolute. `image`: the user's own, in place of this machine's programs.

    `gpus`: as `docker run --gpus` takes it: `all`, a number, or `device=0,1`. Raises UsageError if it is none of these.
    """

    name: ClassVar[str] = "docker"

    def __init__(
        self,
        workspace: Path,
        environment: Environment,
        mounts: Sequence[Mount] = (),
        *,
        inside: str | None = None,
        network: bool = False,
        resources: Resources | None = None,
        image: str | None = None,
        gpus: str | None = None,
    ) -> None:
        self.workspace = Path(os.path.realpath(workspace))
        self.environment = environment
        self.resources = resources or Resources()
        self.root = place(inside, self.workspace)
        self.network = network
        self._mounts = tuple(moved(mount, inside, self.root) for mount in mounts)
        self._image, self._gpus = image, gpu_request(gpus)
        self._user = f"{os.getuid()}:{os.getgid()}" if os.getuid() else _NOBODY
        self._seen, self._programs = environment, _OURS
        self._api: APIClient | None = None
        self._container: Container | None = None
        self._lock = threading.RLock()

    def start(self) -> None:
        if self._container is not None and self._container.is_there:
            return
        if self._api is None:
            self._api = self._prepare()
        if self._user == _NOBODY:
            for folder in (self.workspace, *(mount.source for mount in self._mounts if mount.writable)):
                docker_mounts.hand_over(folder, int(ID), int(ID), deep=True)
        self._container = self._make(self._api)

    def _prepare(self) -> "APIClient":
        """Find the engine and see what it is like, tidy up, and settle what runs see."""
        if not docker_mounts.is_text(Mount(self.workspace, self.root)):
            raise SandboxUnavailable("the path of the workspace is not UTF-8, and an engine takes no other: set TMPDIR to one that is")
        api = connect()
        with faults("use the Docker engine", SandboxUnavailable):
            security = api.info().get("SecurityOptions") or []
        try:
            docker_owner.sweep(api)
        except InfrastructureError as error:
            raise SandboxUnavailable(str(error)) from error
        if any("name=rootless" in option for option in security):
            self._user = "0:0"  # which is the caller, outside
        self.notes = self.environment.notes
        if not any("name=seccomp" in option for option in security):
            self.notes += ("the Docker engine filters no system calls: it has no seccomp",)
        if self._user == _NOBODY:
            closed = "runs are nobody's and cannot read {}: `chmod -R o+rX` it, or do not be root".format
            for path in docker_mounts.unreadable(self.environment.mounts):
                raise SandboxUnavailable(closed(path))
            self.notes += tuple(closed(path) for path in docker_mounts.unreadable(self._mounts))
        strange = [mount.source for mount in self._mounts if not docker_mounts.is_text(mount)]
        self.notes += tuple(f"{str(path)!r} is not shown: it is not UTF-8" for path in strange)
        if self._image is not None:
            self._settle(api, self._image)
        return api

    def _settle(self, api: "APIClient", image: str) -> None:
        """In the user's image: the Environment's interpreter if it starts there, else the image's own."""
        path = docker_image.check_image(api, image).get("PATH", "")
        container = self._make(api)
        try:
            said, _ = container.run(docker_image.probe(self.environment.python), _PROBE_SECONDS)
            self._programs, starts = docker_image.read_probe(said.stdout)
        except InfrastructureError as error:
            raise SandboxUnavailable(f"the image {image!r} cannot be used, it needs sh, cat and env: {error}") from error
        finally:
            if self._programs is _OURS:
                container.give_up()
        if starts and self.environment.mounts and not self.environment.links:
            self.notes += (f"in the image {image} runs still use {self.environment.python} of this machine, with its packages",)
        else:
            self._seen = Environment("python3", "", bin=path or "/usr/local/bin")
            self.notes += (f"runs use the python3 of the image {image}: {self.environment.python} of this machine does not start in it",)
        self._container = container

    def _make(self, api: "APIClient") -> Container:
        image = self._image or docker_image.ensure_base(api, self.environment.links, self._user, network=self.network)
        setup = Setup(image, self._user, self._binds(), self.resources, self._gpus, self.network)
        try:
            return Container(api, setup)
        except SandboxUnavailable as error:
            if self._gpus is None or "device driver" not in str(error):
                raise
        self._gpus, self.notes = None, (*self.notes, NO_GPU)
        return Container(api, replace(setup, gpus=None))

    def _binds(self) -> list[dict[str, Any]]:
        system = docker_mounts.system(self.network) if self._image is None else []
        binds = {entry["Target"]: entry for entry in docker_mounts.binds((*system, *self.environment.mounts))}
        binds[self.root] = docker_mounts.bind(str(self.workspace), self.root, writable=True)
        for entry in docker_mounts.binds(mount for mount in self._mounts if docker_mounts.is_text(mount)):
            target = entry["Target"]
            if not target.startswith(self.root + "/") or is_plain(self.workspace, target[len(self.root) + 1 :]):
                binds[target] = entry
        return list(binds.values())

    def exec(self, command: Sequence[str], *, workdir: str = ".", timeout: float, env: Mapping[str, str] | None = None) -> ExecResult:
        check_command(command)
        if not timeout > 0:
            raise ToolError("there is no time left for a run")
        with self._lock:
            self.start()
            folder = find_workdir(self.workspace, workdir)
            values = variables(self._seen, HOME, "/tmp", env, network=self.network)
            if command[0] == self.environment.python:
                command = [self._seen.python, *command[1:]]
            target = os.path.normpath(f"{self.root}/{folder}")
            script = write_script(command, target, values, timeout, self._programs, clear=self._image is None)
            if self._user == _NOBODY:
                docker_mounts.hand_over(self.workspace / folder, int(ID), int(ID), deep=False)
            assert self._container is not None
            guard = DiskGuard(self.workspace, self.resources.disk_bytes)
            finished, out_of_memory = self._container.run(script, timeout, guard)
        return result(finished, oom_killed=out_of_memory)

    def close(self) -> None:
        """End every process and remove the container. If the engine is gone, a note says that this is left to the next start."""
        container, self._container, api, self._api = self._container, None, self._api, None
        try:
            if container is not None:
                container.remove()
        except InfrastructureError as error:
            self.notes += (f"a container may be left, which the next start removes: {error}",)
        finally:
            if api is not None:
                api.close()
