"""GPUs for a container, asked for as `docker run --gpus` is."""

from typing import Any

from ml_agent.errors import UsageError

REMEDY = "install the NVIDIA Container Toolkit and restart the engine"
NO_GPU = f"no GPU is shown to runs: the Docker engine has no driver for them ({REMEDY})"


def gpu_request(asked: str | None) -> dict[str, Any] | None:
    """The engine's DeviceRequest for `all`, a number, or `device=ID,...`. Raises UsageError for anything else."""
    if asked is None:
        return None
    request: dict[str, Any] = {"Driver": "", "Capabilities": [["gpu"]], "Options": {}}
    kind, _, ids = asked.partition("=")
    if kind == "device" and ids and all(part.strip() for part in ids.split(",")):
        return request | {"Count": 0, "DeviceIDs": [part.strip() for part in ids.split(",")]}
    if asked == "all" or (asked.isdecimal() and int(asked) > 0):
        return request | {"Count": -1 if asked == "all" else int(asked), "DeviceIDs": []}
    raise UsageError(f"--gpus {asked!r} names no GPUs: give all, a number, or device=0,1")
