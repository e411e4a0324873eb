"""The sandboxes, really started, and the interpreter really run in them."""

import glob
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.doctor.check import Found, Given
from ml_agent.errors import InfrastructureError, SandboxUnavailable
from ml_agent.executables import find_program
from ml_agent.sandbox import docker_gpus, docker_image, docker_owner, open_sandbox
from ml_agent.sandbox.base import Sandbox
from ml_agent.sandbox.docker_engine import connect, faults
from ml_agent.sandbox.environment import Environment, find_environment

if TYPE_CHECKING:
    from docker import APIClient

_RUN_SECONDS = 8.0
_PROGRAM = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
_NVIDIA = "/dev/nvidia[0-9]*"


def look_at_docker(given: Given) -> Found:
    """The image can be made, a hardened container starts, and the interpreter runs in it."""
    if given.found["docker engine"].status == "error":
        return Found("error", "not tried: no Docker engine that can be used", "first do what `docker engine` says", value=False)
    given.say("starting a container")
    return _run("docker", given, "its image can be made, a container")


def look_at_bubblewrap(given: Given) -> Found:
    """A sandbox starts, and the interpreter runs in it."""
    given.say("starting bubblewrap")
    return _run("bubblewrap", given, _version())


def look_at_gpus(given: Given) -> Found:
    """The GPUs of this machine, and whether runs can be shown them."""
    devices = sorted(glob.glob(_NVIDIA)) or [path for path in ("/dev/kfd", "/dev/dxg") if Path(path).exists()]
    if not devices:
        return Found("ok", "none on this machine; what needs one ends as `environment`, with that said")
    names = _models() or devices
    detail = ", ".join(f"{names.count(name)} x {name}" if names.count(name) > 1 else name for name in dict.fromkeys(names))
    if given.found["docker engine"].status == "error":
        return Found("warning", f"{detail}; not shown to runs: bubblewrap shows none", "get a Docker engine to run, with its GPU toolkit")
    given.say("starting a container with GPUs")
    with _sandbox("docker", given, gpus="all") as (sandbox, _):
        if docker_gpus.NO_GPU in sandbox.notes:
            return Found("warning", f"{detail}; not shown to runs: the Docker engine has no driver for them", docker_gpus.REMEDY)
        shown = sandbox.exec(["sh", "-c", f"ls -d {_NVIDIA} /dev/kfd /dev/dxg 2>/dev/null"], timeout=_RUN_SECONDS).stdout.split()
    if not shown:
        return Found("warning", f"{detail}; the Docker engine takes --gpus, but no device is there in the container", docker_gpus.REMEDY)
    return Found("ok", f"{detail}; shown to runs with --gpus all")


def _run(name: str, given: Given, what: str) -> Found:
    """`value`: whether it starts, which is what `auto` goes by."""
    began = time.monotonic()
    try:
        with _sandbox(name, given) as (sandbox, environment):
            ready = time.monotonic() - began
            result = sandbox.exec([environment.python, "-c", _PROGRAM], timeout=_RUN_SECONDS)
            told = (*environment.notes, *(given.found["control groups"].value or ()))
            notes = [note for note in sandbox.notes if note not in told]
    except SandboxUnavailable as error:
        return Found("error", error.why, error.remedy or None, value=False)
    except InfrastructureError as error:
        return Found("error", f"{what} starts, but cannot run a command: {error}", "try again; report it if it stays", value=True)
    if result.stdout.strip() != environment.version:
        nothing = f"no result within {_RUN_SECONDS:g} seconds" if result.timed_out else f"it says nothing (exit code {result.exit_code})"
        last = (result.stderr.strip().splitlines() or [nothing])[-1]
        said = f"{what} starts, but {environment.python} does not run in it: {last[:300]}"
        return Found("error", said, "give another interpreter or virtual environment by --python", value=True)
    said = f"{what} starts in {ready:.2f} s and runs {environment.python}"
    return Found("ok", "; ".join((said, *notes)), value=True)


@contextmanager
def _sandbox(name: str, given: Given, *, gpus: str | None = None) -> Iterator[tuple[Sandbox, Environment]]:
    environment = given.found["interpreter"].value or find_environment(Path("/nonexistent"), sys.executable)
    folder = given.scratch / (name if gpus is None else "gpus")
    try:
        folder.mkdir()
    except OSError as error:
        raise SandboxUnavailable(f"no folder can be made for it: {folder} ({error.strerror})", "do what `cache folder` says") from error
    with ExitStack() as stack:
        forget = stack.enter_context(_forgetting()) if name == "docker" else None
        sandbox = stack.enter_context(open_sandbox(name, folder, environment, gpus=gpus))
        if forget is not None:
            forget()
        yield sandbox, environment


@contextmanager
def _forgetting() -> Iterator[Callable[[], None]]:
    """To be called while a container of ours is there: at the end its image is removed if it was not there before."""
    from docker.errors import APIError

    api, own = connect(), set[str]()
    try:
        before = _images(api)
        yield lambda: own.update(docker_owner.images(api))
        with faults("remove an image"), suppress(APIError):  # somebody else may use it by now
            for name in own - before:
                api.remove_image(name)
    finally:
        api.close()


def _images(api: "APIClient") -> set[str]:
    with faults("list images", SandboxUnavailable):
        return {name for image in api.images(docker_image.REPOSITORY) for name in image["RepoTags"] or ()}


def _version() -> str:
    """Which bubblewrap, as far as it says so."""
    program = find_program("bwrap")
    if program is None:
        return "bubblewrap"
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=5).stdout
    except (OSError, subprocess.SubprocessError):
        return program
    return " ".join([program, *re.findall(r"[\d.]+", said)[:1]])


def _models() -> list[str]:
    found = []
    for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
        with suppress(OSError):
            found += re.findall(r"^Model:\s*(.+?)\s*$", path.read_text(errors="replace"), re.MULTILINE)
    return found
