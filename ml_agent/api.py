"""The Python interface: what `ml-agent solve` and `ml-agent check` do, as functions."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent import config, inputs
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.interrupts import deadline
from ml_agent.task import Answer, Language, Task
from ml_agent.trajectory import End, Outcome, Trajectory, TrajectoryFile

if TYPE_CHECKING:
    from ml_agent.agent import OnEvent
    from ml_agent.sandbox.options import Network
    from ml_agent.sandbox.outcome import ExecutionRecord
    from ml_agent.verify import Check
    from ml_agent.workspace import Workspace

_GRACE = 1.0
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
    """Files that the runs made or changed, relative to the repository's root."""
    notes: tuple[str, ...] = ()
    """What was not as one might expect: no sandbox to be had, data that was not copied, a damaged index, ..."""

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
    image: str | None = None,
    gpus: str | None = None,
    setup: str | None = None,
    network: "Network" = "off",
    data: "Sequence[str]" = (),
    run: bool = True,
    time_limit: float | None = None,
    output: "str | os.PathLike[str] | None" = None,
    trajectory: "str | os.PathLike[str] | None" = None,
    on_event: "OnEvent | None" = None,
) -> Result:
    """Find, check and run the command or script that does a task in a repository.

    Give a folder and an instruction, or one Task. `policy` is a name or `module:Class`; `sandbox` one of auto, docker, bubblewrap, local,
    none; `python` the interpreter that the runs see; `image` and `gpus` are docker's own options. `setup` is a command line that gets the
    repository ready, once: what it does is kept. `network` says who has the network: `off`, `setup` (that command alone) or `on`. `data`:
    `PATH[:NAME]` each, shown to runs read-only as NAME in the repository. Without `run` nothing is executed. `time_limit` (seconds; 120)
    is for all of it, reading the repository included, but not for the setup. The answer, as a script, and `made/`, what the runs
    made, are written to the new folder `output`, the record of the solve to the new file `trajectory` (default: in the user's state
    folder). `on_event` hears of each decision, result and the end.

    The repository is never written to. Raises UsageError for bad input and SandboxUnavailable if the sandbox cannot be had; what goes
    wrong later is in `outcome` and `message`.
    """
    from ml_agent.limits import Limits
    from ml_agent.policies import load_policy
    from ml_agent.sandbox.environment import find_environment

    task = _task(repository, instruction, time_limit)
    keep = inputs.check_output(output, task.repository) if output is not None else None
    path = inputs.check_trajectory(trajectory) if trajectory is not None else config.new_trajectory_path()
    sandbox = inputs.check_sandbox(sandbox) if run else "none"
    given_data = inputs.check_data(data)
    decider = load_policy(inputs.check_text(policy, "the policy"))
    texts = {"the interpreter": python, "the image": image, "the GPUs": gpus, "the setup command": setup}
    for what, given in texts.items():
        if given is not None:
            inputs.check_text(given, what)
    if on_event is not None and not callable(on_event):
        raise UsageError(f"on_event must be a function, not of type {type(on_event).__name__}")
    if python is not None:
        find_environment(task.repository, python)
    limits = Limits(seconds=task.time_limit or config.TIME_LIMIT)

    from ml_agent.agent import PlannerLoop
    from ml_agent.sandbox.options import Options
    from ml_agent.tools import default_tools
    from ml_agent.workspace import Workspace

    tools = default_tools()
    if not run:
        del tools["run"]
    options = Options(sandbox, python=python, image=image, gpus=gpus, setup=setup, network=network, data=given_data)
    with Workspace(task.repository, options) as workspace:
        workspace.set_up()
        limits.start()
        loop = PlannerLoop(decider, trajectory_file=TrajectoryFile(path), on_event=on_event)
        with deadline(limits.seconds, grace=_GRACE):
            done = loop.run(task, workspace, tools, limits)
        result = _result(done, path, workspace)
        if keep is not None and result.answer:
            try:
                _write_answer(result.answer, keep)
                workspace.keep(keep / "made")
            except (InfrastructureError, UsageError) as error:  # it was tried before: the disk is full, or the folder gone since
                result = replace(result, outcome="infrastructure", message=str(error))
    return result


def check(repository: "str | os.PathLike[str]", code: str, *, language: Language | None = None, workdir: str = ".") -> "Check":
    """Say whether a command line or Python code is possible in a repository, without running anything.

    `language` is told from the code if it is not given; `workdir` is relative to the repository's root. Raises UsageError for bad input.
    """
    from ml_agent.repo.index import RepoIndex
    from ml_agent.verify import verify

    root = inputs.check_repository(repository)
    code = inputs.check_code(code)
    language = inputs.guess_language(code) if language is None else inputs.check_language(language)
    return verify(Answer(language, code, inputs.check_text(workdir, "the working folder")), RepoIndex(root))


def check_dict(check: "Check") -> dict[str, Any]:
    """The JSON object of a check: `ok` and the findings."""
    return {"ok": check.ok, "findings": [asdict(f) for f in check.findings]}


def _task(repository: "str | os.PathLike[str] | Task", instruction: str | None, time_limit: float | None) -> Task:
    if isinstance(repository, Task):
        if instruction is not None:
            raise UsageError("give a Task, or a folder and an instruction, not both")
        instruction, time_limit = repository.instruction, repository.time_limit if time_limit is None else time_limit
        repository = repository.repository
    if instruction is None:
        raise UsageError("the instruction is missing: say in words what to run")
    words = inputs.check_instruction(instruction)
    seconds = inputs.check_time_limit(config.TIME_LIMIT if time_limit is None else time_limit)
    return Task(words, inputs.check_repository(repository), seconds)


def _result(done: Trajectory, path: Path, workspace: "Workspace") -> Result:
    from ml_agent.sandbox.outcome import ExecutionRecord
    from ml_agent.verify import Check, Finding

    end, notes = done.end or End("no_answer"), (*workspace.notes, *workspace.index.notes)
    if end.answer is None:
        return Result(None, None, None, path, end.outcome, end.message, notes=notes)
    submitted = [o.data for _, o in done.observations("submit") if o.accepted]
    checked = Check(tuple(Finding(**f) for f in submitted[-1]["findings"])) if submitted else None
    runs = [o.data for call, o in done.observations("run") if o.error is None and _same(call.arguments, end.answer)]
    record = ExecutionRecord(**{**runs[-1], "made": tuple(runs[-1]["made"])}) if runs else None
    return Result(end.answer, checked, record, path, end.outcome, end.message, workspace.made(), notes)


def _same(arguments: Mapping[str, Any], answer: Answer) -> bool:
    """Whether a call of `run` ran this answer."""
    given = (arguments.get("language"), str(arguments.get("code")).strip(), os.path.normpath(str(arguments.get("workdir", "."))))
    return given == (answer.language, answer.code.strip(), os.path.normpath(answer.workdir))


def _answer_dict(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    return {
        "language": answer.language,
        "code": answer.code,
        "workdir": answer.workdir,
        "evidence": [asdict(e) for e in answer.evidence],
        "unused": list(answer.unused),
    }


def _run_dict(record: "ExecutionRecord | None") -> dict[str, Any]:
    if record is None:
        return {"outcome": "not_run", "exit_code": None, "seconds": None, "missing": None, "output_tail": ""}
    return {
        "outcome": record.outcome,
        "exit_code": record.exit_code,
        "seconds": record.seconds,
        "missing": record.missing,
        "output_tail": record.output_tail,
    }


def _write_answer(answer: Answer, folder: Path) -> None:
    """The answer as a script that is started from the repository's root."""
    name = "answer.py" if answer.language == "python" else "answer.sh"
    head = "" if answer.language == "python" else "#!/usr/bin/env bash\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{head}{answer.as_text()}\n", encoding="utf-8", errors="surrogateescape", newline="\n")
    except OSError as error:
        raise InfrastructureError(f"cannot write the answer to {folder}: {error.strerror or error}") from error
