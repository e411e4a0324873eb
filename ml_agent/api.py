"""The Python interface: what `ml-agent solve`, `resume`, `replay` and `check` do, as functions."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent import config, inputs
from ml_agent.errors import UsageError
from ml_agent.result import Result, check_dict
from ml_agent.task import Answer, Language, Task
from ml_agent.trajectory import Trajectory

if TYPE_CHECKING:
    from ml_agent.agent import OnEvent
    from ml_agent.models.langchain_model import ToolMode
    from ml_agent.sandbox.options import Network
    from ml_agent.verify import Check

__all__ = ["Replay", "Result", "check", "check_dict", "replay", "resume", "solve"]


def solve(
    repository: "str | os.PathLike[str] | Task",
    instruction: str | None = None,
    *,
    policy: str = config.POLICY,
    options: Mapping[str, Any] | None = None,
    model: str = "",
    base_url: str | None = None,
    tool_mode: "ToolMode" = "auto",
    context_tokens: int | None = None,
    cache: "str | os.PathLike[str] | None" = None,
    tools: Sequence[str] = (),
    sandbox: str = "auto",
    python: str | None = None,
    image: str | None = None,
    gpus: str | None = None,
    setup: str | None = None,
    network: "Network" = "off",
    data: "Sequence[str]" = (),
    run: bool = True,
    time_limit: float | None = None,
    limits: Mapping[str, float] | None = None,
    seed: int = 0,
    output: "str | os.PathLike[str] | None" = None,
    trajectory: "str | os.PathLike[str] | None" = None,
    on_event: "OnEvent | None" = None,
) -> Result:
    """Find, check and run the command or script that does a task in a repository.

    Give a folder and an instruction, or one Task. `policy` is a name, `module:Class` or `file.py:Class`, `options` its settings;
    `model` a chat model, `provider:model` or `gguf:PATH`, for a policy that uses one, `base_url`, `tool_mode` (auto, native, json),
    `context_tokens` and `cache` (a file) how it is spoken to; `tools` further tools by name. `sandbox` is one of auto, docker,
    bubblewrap, local, none, or your own as `policy` is; `python` the interpreter that the runs see; `image` and `gpus` are docker's own
    options. `setup` is a command line that gets the repository ready, once: what it does is kept. `network` says who has the network:
    `off`, `setup` (that command alone) or `on`. `data`: `PATH[:NAME]` each, shown to runs read-only as NAME in the repository. Without
    `run` nothing is executed.
    `time_limit` (seconds; 120, with a model 600) is for all of it, reading the repository included, but not for the setup; `limits`:
    steps, tokens, money (US dollars). The answer, as a script, and `made/`, what the runs made, are written to the new folder `output`, the
    record of the solve to the new file `trajectory` (default: in the user's state folder). `on_event` hears of each decision, result and
    the end.

    The repository is never written to. Raises UsageError for bad input and SandboxUnavailable if the sandbox cannot be had; what goes
    wrong later is in `outcome` and `message`.
    """
    from ml_agent.models.choice import ModelChoice
    from ml_agent.plugins import absolute
    from ml_agent.sandbox.environment import find_environment
    from ml_agent.sandbox.options import Options
    from ml_agent.solving import SolveSettings, carry_out, limits_of

    task = _task(repository, instruction, time_limit)
    keep = inputs.check_output(output, task.repository) if output is not None else None
    sandbox = inputs.check_text(sandbox, "the sandbox") if run else "none"
    texts = {"the policy": policy, "the model": model, "the base URL": base_url, "the interpreter": python}
    texts |= {"the image": image, "the GPUs": gpus, "the setup command": setup}
    for what, given in texts.items():
        if given is not None:
            inputs.check_text(given, what)
    settings = SolveSettings(
        absolute(policy),
        dict(options or {}),
        ModelChoice(model, base_url, tool_mode, context_tokens, None if cache is None else os.fspath(cache)) if model else None,
        tuple(map(absolute, tools)),
        run,
        Options(absolute(sandbox), python=python, image=image, gpus=gpus, setup=setup, network=network, data=inputs.check_data(data)),
        seed,
    )
    if on_event is not None and not callable(on_event):
        raise UsageError(f"on_event must be a function, not of type {type(on_event).__name__}")
    if python is not None:
        find_environment(task.repository, python)
    given_limits = {**(limits or {}), **({"seconds": task.time_limit} if task.time_limit is not None else {})}
    allowed = limits_of(given_limits, model=settings.model is not None)
    return carry_out(replace(task, time_limit=allowed.seconds), settings, allowed, _new(trajectory), keep=keep, on_event=on_event)


def resume(
    trajectory: "str | os.PathLike[str]",
    *,
    time_limit: float | None = None,
    limits: Mapping[str, float] | None = None,
    base_url: str | None = None,
    trust: bool = False,
    output: "str | os.PathLike[str] | None" = None,
    to: "str | os.PathLike[str] | None" = None,
    on_event: "OnEvent | None" = None,
) -> Result:
    """Go on with a solve that was stopped, from its stored trajectory. What happened so far is not paid for again.

    A call that had no result counts as interrupted and is not made again. `time_limit`: seconds for the rest (default: what was left);
    `limits`: steps, tokens, money for the whole. `base_url`: where the model is now, if it has moved. The whole of it is written to the new
    file `to`; `trajectory` stays as it is. `trust` a trajectory that is not of a solve of this user on this machine: it says which code is
    imported, where the model's key goes and what runs may reach. Raises UsageError if there is nothing to go on with, Departed if the
    policy, its prompts or the repository are no longer what they were.
    """
    from ml_agent.solving import carry_out
    from ml_agent.taking_up import take_up

    path = inputs.check_path(trajectory, "the trajectory")
    stored = take_up(path, time_limit=time_limit, limits=limits or {}, base_url=base_url, trust=trust)
    keep = inputs.check_output(output, stored.task.repository) if output is not None else None
    result = carry_out(stored.task, stored.settings, stored.limits, _new(to), keep=keep, on_event=on_event, before=stored.before)
    return replace(result, notes=(*stored.notes, *result.notes))


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a replay that did not depart."""

    steps: int
    exchanges: int
    """With the model."""
    trajectory: Trajectory


def replay(trajectory: "str | os.PathLike[str]", *, trust: bool = False) -> Replay:
    """Let the policy of a stored run decide its steps again, without a model and without calling a tool.

    The policy sees the stored observations, its model gives the stored replies. Raises Departed, with the step and what is different, where
    it asks for or decides something else; UsageError if the run cannot be replayed. `trust`: as of `resume`.
    """
    from ml_agent.taking_up import replay_run

    stored = replay_run(inputs.check_path(trajectory, "the trajectory"), trust=trust)
    return Replay(len(stored.steps), len(stored.exchanges), stored)


def _new(trajectory: "str | os.PathLike[str] | None") -> Path:
    return inputs.check_trajectory(trajectory) if trajectory is not None else config.new_trajectory_path()


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


def _task(repository: "str | os.PathLike[str] | Task", instruction: str | None, time_limit: float | None) -> Task:
    if isinstance(repository, Task):
        if instruction is not None:
            raise UsageError("give a Task, or a folder and an instruction, not both")
        instruction, time_limit = repository.instruction, repository.time_limit if time_limit is None else time_limit
        repository = repository.repository
    if instruction is None:
        raise UsageError("the instruction is missing: say in words what to run")
    words = inputs.check_instruction(instruction)
    seconds = inputs.check_time_limit(time_limit) if time_limit is not None else None
    return Task(words, inputs.check_repository(repository), seconds)
