"""The folders that ml-agent writes to."""

import os
import tempfile
from pathlib import Path

from ml_agent.doctor.check import Found, Given
from ml_agent.sandbox import scratch
from ml_agent.sandbox.private_copy import can_clone

_LITTLE, _NOTHING = 2 << 30, 50 << 20
"""Bytes free below which a copy of a repository may not fit, and below which nothing does."""


def look_at_cache(given: Given) -> Found:
    """Where indexes are kept and repositories copied to."""
    import platformdirs

    folder = platformdirs.user_cache_path("ml-agent")
    copies = scratch.wanted_parent()
    found = _look(folder, "$XDG_CACHE_HOME", for_copies=copies.is_relative_to(folder))
    if found.status == "error" and not os.environ.get("TMPDIR"):
        there = _look(Path(tempfile.gettempdir()), "$TMPDIR", for_copies=True)
        if there.status != "error":
            return Found("warning", f"{found.detail}; copies of repositories go to {there.detail} instead", found.remedy)
    elif not copies.is_relative_to(folder):
        there = _look(copies, "$TMPDIR", for_copies=True)
        status = max(found.status, there.status, key=("ok", "warning", "error").index)
        return Found(status, f"{found.detail}; copies of repositories go to {there.detail}", there.remedy or found.remedy)
    return found


def look_at_state(given: Given) -> Found:
    """Where each solve is recorded."""
    import platformdirs

    return _look(platformdirs.user_state_path("ml-agent") / "trajectories", "$XDG_STATE_HOME")


def _look(folder: Path, variable: str, *, for_copies: bool = False) -> Found:
    """Whether files can be made in `folder`, or it itself, and how many. Nothing is left there."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    elsewhere = f"set {variable} to a folder that can be written to"
    try:
        with tempfile.TemporaryDirectory(prefix=".ml-agent-doctor-", dir=place) as made:
            clones = can_clone(Path(made))
        status = os.statvfs(place)
    except OSError as error:
        what = folder if place == folder else f"{folder} cannot be made: {place}"
        return Found("error", f"{what} cannot be written to ({error.strerror or error})", f"`chown` or `chmod` it for you, or {elsewhere}")
    free = status.f_bavail * status.f_frsize
    about = [_file_system(place), f"{_size(free)} free"]
    if for_copies:
        about.append("reflinks: copies of repositories take no room" if clones else "no reflinks: repositories are copied in full")
    detail = f"{folder} ({', '.join(filter(None, about))})"
    if free < _LITTLE:
        return Found("error" if free < _NOTHING else "warning", detail, f"make room there, or {elsewhere}")
    return Found("ok", detail)


def _file_system(path: Path) -> str:
    """The type of the file system that `path` is on, or ''."""
    real, longest, kind = os.path.realpath(path), "", ""
    try:
        lines = Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return ""
    for line in lines:
        left, _, right = line.partition(" - ")
        point = left.split()[4]  # one with a space in it is written otherwise, and then found by what it is mounted on
        if len(point) >= len(longest) and f"{real}/".startswith(f"{point.rstrip('/')}/"):
            longest, kind = point, right.split()[0]
    return kind


def _size(count: int) -> str:
    return f"{count / 1e9:.0f} GB" if count >= 10e9 else f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
