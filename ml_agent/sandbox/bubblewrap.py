"""bubblewrap: new namespaces, a minimal read-only tree, no network unless it is asked for, no home folder, no capabilities, a filter
for system calls.

Inside, everything belongs to user 65534, which is the calling user outside: what a run makes can be removed afterwards
without more rights, also for root. For root that user is still the kernel's user 0, only without capabilities: the
tree, /proc and /dev are therefore mounted read-only, or a run could write to /proc/sys.

The disk is watched (disk.py): a run that fills it is stopped. With the network, runs share this machine's, its own servers included.
"""

import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from ml_agent.errors import InfrastructureError, SandboxUnavailable, ToolError
from ml_agent.executables import find_program
from ml_agent.sandbox import cgroups
from ml_agent.sandbox.base import ExecResult, Mount
from ml_agent.sandbox.bubblewrap_box import AddData, Box
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.common import STARTER, HostSandbox, check_command, encode, find_workdir, quote, result, variables
from ml_agent.sandbox.disk import DiskGuard
from ml_agent.sandbox.environment import Environment
from ml_agent.sandbox.layout import HOME, HOST, ID, STORES, SYSTEM, etc, is_plain, made, moved, place
from ml_agent.sandbox.seccomp import make_filter

_START_SECONDS = 20.0


def _find_program() -> str:
    found = find_program("bwrap")
    if found is None:
        raise SandboxUnavailable("bubblewrap is not installed", "run `apt-get install bubblewrap`, or the like")
    return found


def _sysctl(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return ""


def _why_not(message: str) -> SandboxUnavailable:
    """What is wrong when bubblewrap does not start, and what to do."""
    if "namespace" not in message and "Operation not permitted" not in message and "Permission denied" not in message:
        return SandboxUnavailable(f"bubblewrap does not start ({message})", "update it")
    if _sysctl("kernel/unprivileged_userns_clone") == "0":
        how = "run `sysctl -w kernel.unprivileged_userns_clone=1` as root"
    elif _sysctl("user/max_user_namespaces") == "0":
        how = "run `sysctl -w user.max_user_namespaces=15000` as root"
    elif _sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1":
        how = "run `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` as root"
    else:
        how = "in a container, start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`"
    return SandboxUnavailable(f"bubblewrap may not make namespaces here ({message})", how)


class Bubblewrap(HostSandbox):
    """Runs each command in a bubblewrap of its own. `inside`: where the workspace is shown, absolute.

    It is best shown at the place of the user's own repository: then editable installs, virtual environments in it
    and absolute paths in its files hold, and a path in a traceback is one the user knows.
    """

    name: ClassVar[str] = "bubblewrap"

    def __init__(
        self,
        workspace: Path,
        environment: Environment,
        mounts: Sequence[Mount] = (),
        *,
        inside: str | None = None,
        network: bool = False,
        resources: Resources | None = None,
    ) -> None:
        super().__init__(workspace, environment, resources)
        self.root = place(inside, self.workspace)
        self.network = network
        self._mounts = tuple(moved(mount, inside, self.root) for mount in mounts)
        self._ahead: Box | None = None
        self._lock = threading.Lock()
        self._program = ""
        self._options: frozenset[str] = frozenset()
        self._filter = make_filter()

    def start(self) -> None:
        if self._program:
            return
        cgroups.sweep()
        program = _find_program()
        listed = subprocess.run([program, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=_START_SECONDS)
        known = {word for word in (listed.stdout + listed.stderr).split() if word.startswith("--")}
        self._options = frozenset(known)
        message = self._try(program)
        # The first is refused by a bubblewrap that is setuid, and where namespaces may not be nested; the second by a kernel without it.
        for option in ("--disable-userns", "--seccomp"):
            if message is not None and option in self._options:
                self._options -= {option}
                message = self._try(program)
        if message is not None:
            raise _why_not(message)
        self._program = program
        if self._filter is None or "--seccomp" not in self._options:
            self.notes += ("no system calls are filtered: runs may read the key rings of your session",)
        if "--size" not in known:
            self.notes += ("the size of /tmp is bounded by memory alone: this bubblewrap is older than 0.7",)
        if os.path.exists("/dev/nvidiactl"):
            self.notes += ("GPUs are not shown to runs",)
        self._put_by(self._make())

    def _try(self, program: str) -> str | None:
        """What is wrong, in a line, or None."""
        self._program = program
        try:
            with self._make() as box:
                self.notes = (*self.environment.notes, *box.notes)
                finished, code, _ = box.run(b"exit 0\n", _START_SECONDS)
        except InfrastructureError as error:
            return str(error)
        finally:
            self._program = ""
        if code == 0:
            return None
        return _last_line(finished.stderr) or f"it ended with exit code {finished.returncode}"

    def exec(self, command: Sequence[str], *, workdir: str = ".", timeout: float, env: Mapping[str, str] | None = None) -> ExecResult:
        check_command(command)
        if not timeout > 0:
            raise ToolError("there is no time left for a run")
        self.start()
        folder = find_workdir(self.workspace, workdir)
        script = self._script(command, os.path.normpath(f"{self.root}/{folder}"), env)
        with self._take() as box:
            guard = DiskGuard(self.workspace, self.resources.disk_bytes)
            finished, code, oom_killed = box.run(script, timeout, guard)
        if code is None and not finished.timed_out and not finished.stopped and not oom_killed:
            raise InfrastructureError(f"bubblewrap ended before the command did: {_last_line(finished.stderr) or finished.returncode}")
        with suppress(InfrastructureError):  # the next command will meet it again; this one has its result
            self._put_by(self._make())
        return result(finished, oom_killed=oom_killed)

    def close(self) -> None:
        self._put_by(None)
        super().close()

    def _make(self) -> Box:
        def arguments(add: AddData) -> list[str]:
            words = [self._program, *self._isolation(), *self._tree(add)]
            if self._filter is not None and "--seccomp" in self._options:
                words += ["--seccomp", str(add(self._filter))]
            for name, value in self._variables({}).items():
                words += ["--setenv", name, value]
            return [*words, "--chdir", self.root]

        return Box(arguments, self.resources, self._mark)

    def _variables(self, extra: Mapping[str, str] | None) -> dict[str, str]:
        return variables(self.environment, HOME, "/tmp", extra, network=self.network)

    def _take(self) -> Box:
        """The one that stands by, which no other thread then gets, or a new one."""
        with self._lock:
            box, self._ahead = self._ahead, None
        if box is not None and box.is_ready:
            return box
        if box is not None:
            box.close()
        return self._make()

    def _put_by(self, box: Box | None) -> None:
        """Keep it for the next command, in place of the one that stands by."""
        with self._lock:
            box, self._ahead = self._ahead, box
        if box is not None:
            box.close()

    def _script(self, command: Sequence[str], folder: str, env: Mapping[str, str] | None) -> bytes:
        """What the shell inside is told: that folder, and to become the command."""
        self._variables(env)  # refuses those that are none
        words = list(command)
        if env:
            words = ["/usr/bin/env", "--", *(f"{name}={value}" for name, value in env.items()), *STARTER, *command]
        quoted = b" ".join(map(quote, encode(words)))
        return b"cd " + quote(os.fsencode(folder)) + b" && unset OLDPWD && exec " + quoted + b" </dev/null\nexit 126\n"

    def _isolation(self) -> list[str]:
        arguments = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        if self.network:
            arguments += ["--share-net"]
        arguments += ["--uid", ID, "--gid", ID, "--hostname", HOST, "--clearenv"]
        if "--disable-userns" in self._options:
            arguments += ["--disable-userns"]
        return arguments

    def _tmpfs(self, target: str) -> list[str]:
        size = ["--size", str(self.resources.tmp_bytes)] if "--size" in self._options else []
        return [*size, "--tmpfs", target]

    def _tree(self, add_data: AddData) -> list[str]:
        arguments = ["--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev"]
        arguments += [*self._tmpfs("/dev/shm"), *self._tmpfs("/tmp"), "--dir", HOME]
        for path in (*SYSTEM, *etc(self.network)):
            if os.path.islink(path):
                arguments += ["--symlink", os.readlink(path), path]
            elif os.path.exists(path):
                arguments += ["--ro-bind", path, path]
        for path in STORES:
            arguments += ["--ro-bind-try", path, path]
        files = made(self.network)
        if self.network:
            files = {**files, "/etc/resolv.conf": Path("/etc/resolv.conf").read_text(errors="replace")}
        for path, text in files.items():
            arguments += ["--ro-bind-data", str(add_data(text.encode())), path]
        arguments += self._binds()
        for link, target in self.environment.links.items():
            arguments += ["--symlink", target, link]
        return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"]

    def _binds(self) -> list[str]:
        """The workspace and what is shown read-only, each after what it stands in."""
        binds = {mount.target: ("--ro-bind", str(mount.source)) for mount in self.environment.mounts}
        binds[self.root] = ("--bind", str(self.workspace))
        binds.update({mount.target: ("--bind" if mount.writable else "--ro-bind", str(mount.source)) for mount in self._mounts})
        arguments: list[str] = []
        for target in sorted(binds, key=lambda path: (path.count("/"), path)):
            if target.startswith(self.root + "/") and not is_plain(self.workspace, target[len(self.root) + 1 :]):
                continue
            option, source = binds[target]
            arguments += [option, source, target]
        return arguments


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
