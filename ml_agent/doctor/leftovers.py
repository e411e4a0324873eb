"""What runs that were killed have left on this machine."""

import tempfile
from pathlib import Path

from ml_agent.doctor.check import Found, Given
from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox import cgroups, docker_owner, local, scratch
from ml_agent.sandbox.docker_engine import connect

_ANSWER_SECONDS = 3.0


def look_at_leftovers(given: Given) -> Found:
    """Counted, not removed: each start of a sandbox does that."""
    places = {scratch.wanted_parent(), Path(tempfile.gettempdir())}
    folders = [folder for place in places for prefix in (scratch.PREFIX, local.PREFIX) for folder in scratch.stale(place, prefix)]
    counts = {"container": 0, "folder": len(folders), "control group": len(cgroups.stale())}
    given.say("waiting for the Docker engine")
    try:
        api = connect(_ANSWER_SECONDS)
    except SandboxUnavailable:
        pass  # `docker engine` says so
    else:
        try:
            counts["container"] = len(docker_owner.stale(api))
        finally:
            api.close()
    there = [f"{count} {what}{'s' if count > 1 else ''}" for what, count in counts.items() if count]
    if not there:
        return Found("ok", "none: no container, folder or control group of a run that was killed")
    return Found("warning", f"{', '.join(there)} of runs that were killed", "nothing: the next run removes them")
