"""What of this machine a run can be given or kept within: the interpreter, control groups."""

import os
from pathlib import Path

from ml_agent.doctor.check import Found, Given
from ml_agent.errors import UsageError
from ml_agent.executables import find_program
from ml_agent.sandbox import cgroups
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.environment import HOW, find_environment

_BOUNDED = ("memory", "pids", "cpu")


def look_at_interpreter(given: Given) -> Found:
    """The Environment that runs would see from the current folder."""
    try:
        environment = find_environment(given.repository, given.python)
    except UsageError as error:
        return Found("error", str(error).removesuffix(HOW).rstrip(" :;"), HOW)
    detail = f"{environment.python} (Python {environment.version}, {len(environment.packages())} packages)"
    if environment.notes:
        notes = "; ".join(environment.notes)
        return Found("warning", f"{detail}; {notes}", "if runs need what is not used or not seen, give another --python", environment)
    return Found("ok", detail, value=environment)


def look_at_control_groups(given: Given) -> Found:
    """What bounds a run in bubblewrap; Docker's engine has groups of its own."""
    with cgroups.limited(Resources()) as limits:
        bounded, notes = limits.bounded, limits.notes
    versions = cgroups.versions()
    which = f"version {' and '.join(map(str, versions))}" if versions else "none here"
    here = f"{which}; bounded for runs in bubblewrap: {', '.join(bounded) or 'nothing'}"
    if not notes:
        missing = ", ".join(name for name in _BOUNDED if name not in bounded)
        return Found("ok", here if not missing else f"{here}; {missing} only by a lower priority")
    return Found("warning", "; ".join((here, *notes)), f"{_how(versions)}use --sandbox docker, whose engine sets these limits", notes)


def _how(versions: tuple[int, ...]) -> str:
    """A user's own part of the tree is one that systemd has handed over."""
    if os.getuid() == 0:
        return "start this container with a control group tree that can be written to, or "
    has_systemd = Path(f"/run/user/{os.getuid()}/systemd").is_dir() and find_program("systemd-run") is not None
    return "start ml-agent by `systemd-run --user --scope ml-agent ...`, or " if has_systemd and 2 in versions else ""
