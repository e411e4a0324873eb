"""A sandbox that dies ends the run as infrastructure, at once: a policy that goes on calling `run` is not left alone with it."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from ml_agent.agent import Result
from ml_agent.policies.scripted import decision
from ml_agent.sandbox.docker_engine import connect
from ml_agent.sandbox.options import Options
from ml_agent.trajectory import INTERRUPTED, End, Trajectory
from ml_agent.workspace import Workspace
from tests.sandbox.engine import containers, end_container
from tests.sandbox.support import processes_with, token, wait_until_there
from tests.sandbox.test_bubblewrap import parent
from tests.tools.support import repository, run


def runs(code: str) -> Any:
    return decision(("run", {"language": "bash", "code": code, "timeout": 30}))


def ended(trajectory: Trajectory, most: int) -> End:
    """The end of a run whose sandbox died in its third step, within `most` further calls."""
    assert trajectory.end is not None
    assert trajectory.end.outcome == "infrastructure"
    assert trajectory.end.message
    assert "\n" not in trajectory.end.message
    assert len(trajectory.steps) <= 2 + most
    assert trajectory.steps[-1].observations == (INTERRUPTED,)
    return trajectory.end


@pytest.mark.docker
@pytest.mark.parametrize("removed", [False, True])
def test_a_container_that_went_between_two_calls(tmp_path: Path, removed: bool) -> None:
    heard: list[Result] = []

    def hear(event: object) -> None:
        if isinstance(event, Result):
            heard.append(event)
            if len(heard) == 2:
                end_container(removed=removed)

    with Workspace(repository(tmp_path), Options("docker")) as workspace:
        trajectory = run(workspace, *[runs("echo here")] * 20, on_event=hear)
    assert [result.observation.data["outcome"] for result in heard] == ["completed", "completed"]
    ended(trajectory, most=3)


@pytest.mark.docker
def test_a_container_that_goes_in_the_middle_of_a_call(tmp_path: Path) -> None:
    word = token()

    def end() -> None:
        wait_until_there(word)
        api = connect()
        api.remove_container(containers()[0], force=True)
        api.close()

    thread = threading.Thread(target=end)
    thread.start()
    with Workspace(repository(tmp_path), Options("docker")) as workspace:
        trajectory = run(workspace, runs("true"), runs("true"), *[runs(f"exec -a {word} sleep 30")] * 20)
    thread.join()
    assert "was removed or ended" in ended(trajectory, most=1).message


@pytest.mark.bubblewrap
def test_bubblewrap_that_is_killed(tmp_path: Path) -> None:
    word = token()

    def end() -> None:
        wait_until_there(word)
        (pid,) = processes_with(word)
        os.kill(parent(parent(pid)), signal.SIGKILL)  # the outer one: the inner is the first of the PID namespace

    thread = threading.Thread(target=end)
    thread.start()
    with Workspace(repository(tmp_path), Options("bubblewrap")) as workspace:
        trajectory = run(workspace, runs("true"), runs("true"), *[runs(f"exec -a {word} sleep 30")] * 20)
    thread.join()
    ended(trajectory, most=1)
