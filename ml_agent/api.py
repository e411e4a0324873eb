"""The Python interface: what `ml-agent solve` and `ml-agent check` do, as functions."""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent import config, inputs
from ml_agent.errors import UsageError
from ml_agent.interrupts import deadline
from ml_agent.task import Answer, Language, Task
from ml_agent.trajectory import End, Outcome, Trajectory, TrajectoryFile

if TYPE_CHECKING:
    from ml_agent.agent import OnEvent
    from ml_agent.sandbox.outcome import ExecutionRecord
    from ml_agent.verify import Check

_GRACE = 2.0
"""Seconds past the time limit for a run in the sandbox to be ended by the loop itself, before reading is cut off."""
_EXIT_CODES: Mapping[Outcome, int] = {"answered": 0, "no_answer": 1, "limit": 1, "infrastructure": 3, "cancelled": 130}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a solve."""

    answer: Answer | None
    check: "Check | None"
    """Of the answer, as it was checked when it was accepted; None without an answer."""
    run: "ExecutionRecord | None"
    """The last run of this very answer; None if it was not run."""
    trajectory: Path
    outcome: Outcome
    message: str = ""
    """Why there is no answer, or what the answer comes with."""
    made: tuple[str, ...] = ()
    """Files that the runs made, relative to the repository's root."""

    @property
    def exit_code(self) -> int:
        """Of the command line: 0 an accepted answer, 1 none, 3 the surroundings failed, 130 interrupted."""
        return _EXIT_CODES[self.outcome]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `ml-agent solve --json`."""
        return {
            "answer": _answer_dict(self.answer),
            "check": check_dict(self.check) if self.check else None,
            "run": _run_dict(self.run),
            "trajectory": os.fspath(self.trajectory),
        }


def solve(
    repository: "str | os.PathLike[str] | Task",
    instruction: str | None = None,
    *,
    policy: str = config.POLICY,
    sandbox: str = "auto",
    python: str | None = None,
    run: bool = True,
    time_limit: float | None = None,
    output: "str | os.PathLike[str] | None" = None,
    trajectory: "str | os.PathLike[str] | None" = None,
    on_event: "OnEvent | None" = None,
) -> Result:
    """Find, check and run the command or script that does a task in a repository.

    Give a folder and an instruction, or one Task. `policy` is a name or `module:Class`; `sandbox` one of auto, bubblewrap, local, none;
    `python` the interpreter that the runs see. Without `run` nothing is executed. `time_limit` (seconds; 120) is for all of it, reading
    the repository included. What the runs made and the answer are written to the folder `output`, the record of the solve to the new
    file `trajectory` (default: the user's state folder). `on_event` hears of each decision, result and the end.

    The repository is never written to. Raises UsageError for bad input and SandboxUnavailable if the sandbox cannot be had; what goes
    wrong later is in `outcome` and `message`.
    """
    from ml_agent.limits import Limits
    from ml_agent.policies import load_policy
    from ml_agent.sandbox.environment import find_environment

    task = _task(repository, instruction, time_limit)
    keep = inputs.check_output(output) if output is not None else None
    path = inputs.check_trajectory(trajectory) if trajectory is not None else config.new_trajectory_path()
    sandbox = inputs.check_sandbox(sandbox) if run else "none"
    decider = load_policy(policy)
    if python is not None:
        find_environment(task.repository, python)
    limits = Limits(seconds=task.time_limit or config.TIME_LIMIT)
    limits.start()

    from ml_agent.agent import PlannerLoop
    from ml_agent.tools import default_tools
    from ml_agent.workspace import Workspace

    tools = default_tools()
    if not run:
        del tools["run"]
    with Workspace(task.repository, sandbox=sandbox, python=python) as workspace:
        loop = PlannerLoop(decider, trajectory_file=TrajectoryFile(path), on_event=on_event)
        with deadline(limits.seconds + _GRACE):
            done = loop.run(task, workspace, tools, limits)
        result = _result(done, path, workspace.made())
        if keep is not None and result.answer:
            workspace.keep(keep)
            _write_answer(result.answer, keep)
    return result
