"""Local: no sandbox at all. The command runs as the caller on this machine; only ever by name.

What still holds: a clean environment, an empty home, a session of its own whose processes are ended, the private copy
as working folder, and a control group where one can be made. Large data is shown by symbolic links, and so can be written to.
"""

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from ml_agent.errors import InfrastructureError, SandboxUnavailable
from ml_agent.sandbox import cgroups, process
from ml_agent.sandbox.base import ExecResult, Mount
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.common import STARTER, HostSandbox, check_command, find_workdir, result, variables
from ml_agent.sandbox.disk import DiskGuard
from ml_agent.sandbox.environment import LINKS, Environment
from ml_agent.sandbox.scratch import Scratch

PREFIX = "ml-agent-local-"
WARNING = "the sandbox `local` protects nothing: what runs can read and change all that you can, and reach the network"


class Local(HostSandbox):
    """Runs commands directly. `inside`: the path that the mounts' targets start with instead of the workspace's."""

    name: ClassVar[str] = "local"
    network = True

    def __init__(
        self,
        workspace: Path,
        environment: Environment,
        mounts: Sequence[Mount] = (),
        *,
        inside: str | None = None,
        network: bool = True,
        resources: Resources | None = None,
    ) -> None:
        super().__init__(workspace, environment, resources)
        self.root = str(self.workspace)
        self._mounts, self._inside = tuple(mounts), inside or self.root
        self._scratch: Path | None = None
        self._owned: Scratch | None = None

    def start(self) -> None:
        if self._scratch is not None:
            return
        cgroups.sweep()
        try:
            self._owned = Scratch(PREFIX, Path(tempfile.gettempdir()))
            self._scratch = self._owned.folder
            for folder in ("home", "tmp", "bin"):
                (self._scratch / folder).mkdir()
            for link, target in self.environment.links.items():
                if link.startswith(LINKS):
                    (self._scratch / "bin" / os.path.basename(link)).symlink_to(target)
            for mount in self._mounts:
                self._link(mount)
        except InfrastructureError as error:
            raise SandboxUnavailable(str(error)) from error
        except OSError as error:
            raise SandboxUnavailable(f"cannot make a scratch folder: {error}; set TMPDIR to a folder that can be written to") from error
        with cgroups.limited(self.resources) as limits:
            self.notes = (WARNING, *self.environment.notes, *limits.notes)

    def _link(self, mount: Mount) -> None:
        """Show `mount` in the workspace in place of the empty file or folder that stands for it."""
        relative = os.path.relpath(mount.target, self._inside)
        if relative.startswith(".."):
            return
        target = self.workspace / relative
        if target.is_dir() and not target.is_symlink():
            target.rmdir()
        else:
            target.unlink(missing_ok=True)
        target.symlink_to(mount.source)

    def exec(self, command: Sequence[str], *, workdir: str = ".", timeout: float, env: Mapping[str, str] | None = None) -> ExecResult:
        self.start()
        assert self._scratch is not None
        check_command(command)
        folder = find_workdir(self.workspace, workdir)
        values = variables(self.environment, str(self._scratch / "home"), str(self._scratch / "tmp"), env, network=True)
        values["PATH"] = values["PATH"].replace(LINKS, str(self._scratch / "bin"))
        with cgroups.limited(self.resources) as limits:
            finished = process.run(
                [*limits.prefix, *STARTER, *command],
                env=values,
                timeout=timeout,
                mark=self._mark,
                cwd=self.workspace / folder,
                group=limits.group,
                guard=DiskGuard(self.workspace, self.resources.disk_bytes),
            )
            oom_killed = limits.group.oom_kills() > 0
        if finished.returncode == 125 and "cgroup.procs" in finished.stderr:
            raise InfrastructureError(f"the control group of the run cannot be joined: {finished.stderr.strip()}")
        return result(finished, oom_killed=oom_killed)

    def close(self) -> None:
        super().close()
        owned, self._owned, self._scratch = self._owned, None, None
        if owned is not None:
            owned.remove()
