"""bubblewrap: new namespaces, a minimal read-only tree, no network, no home folder, no capabilities.

Inside, everything belongs to user 65534, which is the calling user outside: what a run makes can be removed afterwards
without more rights, also for root. For root that user is still the kernel's user 0, only without capabilities: the
tree, /proc and /dev are therefore mounted read-only, or a run could write to /proc/sys.

Not bounded: the disk that the workspace stands on.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import ClassVar

from ml_agent.errors import InfrastructureError, SandboxUnavailable
from ml_agent.sandbox import cgroups, process
from ml_agent.sandbox.base import ExecResult, Mount
from ml_agent.sandbox.cgroups import Limited, Resources
from ml_agent.sandbox.common import STARTER, HostSandbox, check_command, find_workdir, result, variables
from ml_agent.sandbox.environment import Environment
from ml_agent.sandbox.layout import ETC, HOME, HOST, ID, MADE, STORES, SYSTEM, is_plain, moved, place

_START_SECONDS = 20.0
# The processes that bubblewrap itself is made of: the one outside and the first of the PID namespace.
_KEEPERS = 2


def _find_program() -> str:
    found = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin") or shutil.which("bwrap")
    if found is None or not os.path.isabs(found):
        raise SandboxUnavailable("bubblewrap is not installed: run `apt-get install bubblewrap` (or the like), or choose another --sandbox")
    return found


def _sysctl(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return ""


def _why_not(message: str) -> str:
    """One line that says what to do when bubblewrap does not start."""
    if "namespace" not in message and "Operation not permitted" not in message and "Permission denied" not in message:
        return f"bubblewrap does not start: {message}; choose another --sandbox"
    if _sysctl("kernel/unprivileged_userns_clone") == "0":
        how = "run `sysctl -w kernel.unprivileged_userns_clone=1` as root"
    elif _sysctl("user/max_user_namespaces") == "0":
        how = "run `sysctl -w user.max_user_namespaces=15000` as root"
    elif _sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1":
        how = "run `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` as root"
    else:
        how = "in a container, start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`"
    return f"bubblewrap may not make namespaces here ({message}): {how}, or choose another --sandbox"


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
        resources: Resources | None = None,
    ) -> None:
        super().__init__(workspace, environment, resources)
        self.root = place(inside, self.workspace)
        self._mounts = tuple(moved(mount, inside, self.root) for mount in mounts)
        self._program = ""
        self._options: frozenset[str] = frozenset()

    def start(self) -> None:
        if self._program:
            return
        cgroups.sweep()
        program = _find_program()
        listed = subprocess.run([program, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=_START_SECONDS)
        known = {word for word in (listed.stdout + listed.stderr).split() if word.startswith("--")}
        self._options = frozenset(known)
        message = self._try(program)
        if message is not None and "--disable-userns" in known:
            # Refused by a bubblewrap that is setuid, and where namespaces may not be nested.
            self._options = frozenset(known - {"--disable-userns"})
            message = self._try(program)
        if message is not None:
            raise SandboxUnavailable(_why_not(message))
        self._program = program
        if "--size" not in known:
            self.notes += ("the size of /tmp is bounded by memory alone: this bubblewrap is older than 0.7",)
        if os.path.exists("/dev/nvidiactl"):
            self.notes += ("GPUs are not shown to runs",)

    def _try(self, program: str) -> str | None:
        """What is wrong, in a line, or None."""
        with cgroups.limited(self.resources) as limits:
            self.notes = (*self.environment.notes, *limits.notes)
            try:
                finished, code = self._run(program, ["true"], ".", _START_SECONDS, {}, limits)
            except InfrastructureError as error:
                return str(error)
        if code == 0:
            return None
        return _last_line(finished.stderr) or f"it ended with exit code {finished.returncode}"

    def exec(self, command: Sequence[str], *, workdir: str = ".", timeout: float, env: Mapping[str, str] | None = None) -> ExecResult:
        self.start()
        check_command(command)
        folder = find_workdir(self.workspace, workdir)
        with cgroups.limited(self.resources) as limits:
            finished, code = self._run(self._program, command, str(folder), timeout, env, limits)
            oom_killed = limits.group.oom_kills() > 0
        if code is None and not finished.timed_out and not oom_killed:
            raise InfrastructureError(f"bubblewrap ended before the command did: {_last_line(finished.stderr) or finished.returncode}")
        return result(finished, oom_killed=oom_killed)

    def _run(
        self,
        program: str,
        command: Sequence[str],
        folder: str,
        timeout: float,
        env: Mapping[str, str] | None,
        limits: Limited,
    ) -> tuple[process.Finished, int | None]:
        """How it ended, and the command's exit code as bubblewrap has it; None if bubblewrap never ran it to its end."""
        with _descriptors() as (add_data, status, status_reader, alive, fds):
            arguments = [*limits.prefix, *_watched(alive), program, "--json-status-fd", str(status)]
            arguments += self._isolation() + self._tree(add_data)
            for name, value in variables(self.environment, HOME, "/tmp", env).items():
                arguments += ["--setenv", name, value]
            arguments += ["--chdir", os.path.normpath(f"{self.root}/{folder}"), "--", *_starter(alive), *command]
            finished = process.run(
                arguments,
                env={"PATH": "/usr/bin:/bin"},
                timeout=timeout,
                mark=self._mark,
                cwd=Path("/"),
                pass_fds=fds,
                group=limits.group,
                keepers=_KEEPERS,
            )
            return finished, _exit_code(status_reader)

    def _isolation(self) -> list[str]:
        arguments = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        arguments += ["--uid", ID, "--gid", ID, "--hostname", HOST, "--clearenv"]
        if "--disable-userns" in self._options:
            arguments += ["--disable-userns"]
        return arguments

    def _tmpfs(self, target: str) -> list[str]:
        size = ["--size", str(self.resources.tmp_bytes)] if "--size" in self._options else []
        return [*size, "--tmpfs", target]

    def _tree(self, add_data: "_AddData") -> list[str]:
        arguments = ["--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev"]
        arguments += [*self._tmpfs("/dev/shm"), *self._tmpfs("/tmp"), "--dir", HOME]
        for path in (*SYSTEM, *(f"/etc/{name}" for name in ETC)):
            if os.path.islink(path):
                arguments += ["--symlink", os.readlink(path), path]
            elif os.path.exists(path):
                arguments += ["--ro-bind", path, path]
        for path in STORES:
            arguments += ["--ro-bind-try", path, path]
        for path, text in MADE.items():
            arguments += ["--ro-bind-data", str(add_data(text)), path]
        arguments += self._binds()
        for link, target in self.environment.links.items():
            arguments += ["--symlink", target, link]
        return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"]

    def _binds(self) -> list[str]:
        """The workspace and what is shown read-only, each after what it stands in."""
        binds = {mount.target: ("--ro-bind", str(mount.source)) for mount in self.environment.mounts}
        binds[self.root] = ("--bind", str(self.workspace))
        binds.update({mount.target: ("--ro-bind", str(mount.source)) for mount in self._mounts})
        arguments: list[str] = []
        for target in sorted(binds, key=lambda path: (path.count("/"), path)):
            if target.startswith(self.root + "/") and not is_plain(self.workspace, target[len(self.root) + 1 :]):
                continue
            option, source = binds[target]
            arguments += [option, source, target]
        return arguments


class _AddData:
    """Gives a text a file descriptor that bubblewrap can read it from."""

    def __init__(self, stack: ExitStack, fds: list[int]) -> None:
        self._stack, self._fds = stack, fds

    def __call__(self, text: str) -> int:
        reader, writer = os.pipe()
        self._stack.callback(os.close, reader)
        try:
            os.write(writer, text.encode())  # far below a pipe's size, so it never blocks
        finally:
            os.close(writer)
        self._fds.append(reader)
        return reader


@contextmanager
def _descriptors() -> Iterator[tuple[_AddData, int, int, int, list[int]]]:
    """For one run: a maker of data, both ends of the status pipe, a pipe that is open for as long as we live, and all handed on."""
    with ExitStack() as stack:
        reader, writer = os.pipe()
        alive, held = os.pipe()
        for descriptor in (reader, writer, alive, held):
            stack.callback(os.close, descriptor)
        os.set_blocking(reader, False)
        fds = [writer, alive]
        yield _AddData(stack, fds), writer, reader, alive, fds


def _watched(alive: int) -> tuple[str, ...]:
    """What starts bubblewrap, with a process beside it that ends both when we are gone.

    From its clone until it has got its user the inner process waits for the outer one, and waits for ever if that is killed.
    """
    if not os.path.exists("/bin/bash"):
        return ()
    watch = f'{{ read -r -u {alive}; kill -KILL -- "-$$"; }} </dev/null >/dev/null 2>&1 &'
    return ("/bin/bash", "-c", f'{watch} exec "$@"', "bash")


def _starter(alive: int) -> tuple[str, ...]:
    """What starts the command inside, if we are still there.

    bubblewrap binds its inner process to the outer one only when the sandbox is made. A caller that is killed before that would
    leave it running: by then the pipe `alive` is at its end, which `read -t 0` tells without waiting.
    """
    if not os.path.exists("/bin/bash"):
        return STARTER
    return ("/bin/bash", "-c", f'read -t 0 -u {alive} && exit 125; exec {alive}<&-; exec "$@"', "bash")


def _exit_code(reader: int) -> int | None:
    try:
        text = os.read(reader, 65536).decode("utf-8", errors="replace")
    except BlockingIOError:
        return None
    for line in text.splitlines():
        try:
            report = json.loads(line)
        except ValueError:
            continue
        if isinstance(report, dict) and isinstance(report.get("exit-code"), int):
            return int(report["exit-code"])
    return None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
