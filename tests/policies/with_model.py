"""Policies with a chat model: one that plays a script, the tasks of the suite `smoke` with their ground truth, and a run to its end."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ml_agent.agent import PlannerLoop
from ml_agent.benchmarks.base import Attempt, Sample
from ml_agent.benchmarks.scorers import load_scorer
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import NAME, REPOSITORY
from ml_agent.limits import Limits
from ml_agent.models.messages import ChatModel
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer, Task
from ml_agent.tools import default_tools
from ml_agent.trajectory import End, Trajectory
from ml_agent.workspace import Workspace

SMOKE = load_suite("smoke").samples


def run(
    policy: Any,
    model: ChatModel | None,
    instruction: str,
    repository: Path = REPOSITORY,
    *,
    sandbox: str = "none",
    tools: Iterable[str] | None = None,
    limits: Limits | None = None,
    **more: Any,
) -> Trajectory:
    """A run of the policy; without a sandbox the tool `run` is not there. `more` is for PlannerLoop."""
    policy.model = model
    offered = default_tools()
    if sandbox == "none":
        del offered["run"]
    if tools is not None:
        offered = {name: offered[name] for name in tools}
    with Workspace(repository, Options(sandbox)) as workspace:
        return PlannerLoop(policy, **more).run(Task(instruction, repository), workspace, offered, limits or Limits(seconds=50))


def truth(sample: Sample) -> Answer:
    """The ground truth as an answer."""
    return Answer(sample.language, sample.output, sample.workdir)


def fenced(sample: Sample) -> str:
    """The ground truth as a model writes it, from the repository's root."""
    return f"```{sample.language}\n{truth(sample).as_text()}\n```"


def end_of(trajectory: Trajectory) -> End:
    assert trajectory.end is not None
    return trajectory.end


def answer_of(trajectory: Trajectory) -> Answer:
    answer = end_of(trajectory).answer
    assert answer is not None, end_of(trajectory)
    return answer


def solved(sample: Sample, trajectory: Trajectory) -> bool:
    """Whether the answer was verified, and is the ground truth in the eyes of the static scorer."""
    end = end_of(trajectory)
    if end.answer is None or not end.verified:
        return False
    return load_scorer("static", {NAME: REPOSITORY}).score(sample, Attempt(sample.key, 0, "answered", end.answer)).passed
