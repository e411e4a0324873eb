"""Helpers of the docker tests: a look at the engine, and an engine of a test's own."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ml_agent.sandbox import docker_owner
from ml_agent.sandbox.docker_engine import connect

SCRIPT = Path(__file__).parents[2] / ".ci" / "docker-engine"


def containers(owner: int | None = None) -> list[str]:
    """Containers of that process, this one by default, running or not."""
    api = connect()
    try:
        found = api.containers(all=True, filters={"label": docker_owner.LABEL})
        pid = os.getpid() if owner is None else owner
        return [entry["Names"][0].lstrip("/") for entry in found if entry["Labels"]["ml-agent.owner"].startswith(f"{pid}:")]
    finally:
        api.close()


def end_container(*, removed: bool) -> None:
    """Kill the one container of this process, or remove it."""
    api = connect()
    (name,) = containers()
    if removed:
        api.remove_container(name, force=True)
    else:
        api.kill(name)
    api.close()


def start_engine(folder: Path) -> str:
    """The DOCKER_HOST of an engine that lives in `folder`."""
    done = subprocess.run([SCRIPT, "start"], env={**os.environ, "ML_AGENT_ENGINE": str(folder)}, capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().removeprefix("export DOCKER_HOST=")


@contextmanager
def own_engine(folder: Path) -> Iterator[str]:
    """Started, and at the end stopped with all that it ran, also if it was killed in between. Its DOCKER_HOST."""
    try:
        yield start_engine(folder)
    finally:
        start_engine(folder)  # a killed one leaves processes that only its successor ends
        subprocess.run([SCRIPT, "stop"], env={**os.environ, "ML_AGENT_ENGINE": str(folder)}, check=True, timeout=50)
