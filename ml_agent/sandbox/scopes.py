"""Bounds by the user's service manager, where control groups are not ours to make: a transient systemd scope for each run."""

import os
import subprocess
from functools import cache

from ml_agent.executables import find_program

_SECONDS = 5.0


def scope(memory_bytes: int, processes: int) -> tuple[str, ...]:
    """Words that go in front of a command and bound all that it starts; none where that does not work.

    systemd-run registers the scope and then becomes the command: the process stays the same.
    """
    program = _program()
    if program is None:
        return ()
    settings = (f"MemoryMax={memory_bytes}", "MemorySwapMax=0", f"TasksMax={processes}")
    # It finds the manager by variables that a run does not get.
    known = [f"{name}={os.environ[name]}" for name in _MANAGER if name in os.environ]
    forget = [word for name in _MANAGER for word in ("-u", name)]
    bounds = [word for setting in settings for word in ("-p", setting)]
    return ("/usr/bin/env", *known, program, *_FLAGS, *bounds, "--", "/usr/bin/env", *forget)


_MANAGER = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
_FLAGS = ("--user", "--scope", "--quiet", "--collect")


@cache
def _program() -> str | None:
    """systemd-run, if there is a manager of this user that makes scopes with these bounds: only trying tells."""
    program = find_program("systemd-run")
    if program is None:
        return None
    command = [program, *_FLAGS, "-p", "MemoryMax=1G", "-p", "TasksMax=100", "--", "/bin/sh", "-c", "cat /proc/self/cgroup"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if done.returncode == 0 and b".scope" in done.stdout else None
