"""The Docker engine: who it is, and which of the limits and filters that the sandbox asks for it can set."""

from typing import Any

from ml_agent.doctor.check import Found, Given
from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox.docker_engine import connect, faults, socket_path

_ANSWER_SECONDS = 3.0
"""How long the engine may take for one answer; a run is more patient."""
_LIMITS = {"MemoryLimit": "memory", "SwapLimit": "swap", "PidsLimit": "the number of processes", "CpuCfsQuota": "CPUs"}


def look_at_engine(given: Given) -> Found:
    given.say("waiting for the Docker engine")
    api = connect(_ANSWER_SECONDS)
    try:
        with faults("ask the Docker engine about itself", SandboxUnavailable):
            info, version = api.info(), api.version()
    finally:
        api.close()
    security = " ".join(map(str, info.get("SecurityOptions") or ()))
    has_seccomp, rootless = "name=seccomp" in security, "name=rootless" in security
    about = [f"API {api.api_version}", f"storage {info.get('Driver')}", f"control groups version {info.get('CgroupVersion') or 1}"]
    about += ["rootless"] * rootless + ["seccomp"] * has_seccomp
    detail = f"{_name(version)} at {socket_path()} ({', '.join(about)})"
    unbounded = [what for key, what in _LIMITS.items() if info.get(key) is False]
    if info.get("CgroupDriver") == "none":
        unbounded = list(_LIMITS.values())
    lacks, remedies = [], []
    if unbounded:
        lacks.append(f"cannot limit {', '.join(unbounded)}")
        remedies.append(
            "let systemd delegate control groups to you (docs.docker.com, rootless mode, limiting resources)"
            if rootless
            else "start the kernel with `cgroup_enable=memory swapaccount=1`"
        )
    if not has_seccomp:
        lacks.append("filters no system calls (no seccomp)")
        remedies.append("use an engine and a kernel with seccomp, and no `seccomp-profile: unconfined`")
    if lacks:
        return Found("warning", f"{detail}; it {' and '.join(lacks)}", "; ".join(remedies))
    return Found("ok", detail)


def _name(version: dict[str, Any]) -> str:
    """Podman answers as Docker does, but gives its own name among its components."""
    for part in version.get("Components") or ():
        if "podman" in str(part.get("Name", "")).lower():
            return f"Podman {part.get('Version')}"
    return f"Docker {version.get('Version')}"
