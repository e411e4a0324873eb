"""A stored run as something to go on with or to replay."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ml_agent import config, inputs
from ml_agent.errors import Departed, UsageError
from ml_agent.limits import Limits
from ml_agent.replay import rebuild
from ml_agent.seal import is_own
from ml_agent.solving import Before, SolveSettings, limits_of, sealed
from ml_agent.task import Task
from ml_agent.trajectory import Step, Trajectory, read_trajectory

_LEAST = 1.0
"""Seconds that are worth going on for."""
_NOTHING_LEFT = {
    "answered": "it has its answer",
    "no_answer": "its policy gave up, and would do so again",
}


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored run, ready to go on."""

    task: Task
    settings: SolveSettings
    limits: Limits
    before: Before
    notes: tuple[str, ...] = ()


def take_up(path: Path, *, time_limit: float | None, limits: Mapping[str, float], base_url: str | None, trust: bool) -> Stored:
    """The run of a trajectory, as of api.resume. Raises UsageError if there is nothing to go on with, or the file is not one's own."""
    try:
        return _take_up(path, time_limit, limits, base_url, trust=trust)
    except (AttributeError, KeyError, TypeError, ValueError) as error:  # its settings or the data of its runs
        raise UsageError(f"{path} is not a whole trajectory: {type(error).__name__} {error}") from error


def _take_up(path: Path, time_limit: float | None, limits: Mapping[str, float], base_url: str | None, *, trust: bool) -> Stored:
    from ml_agent.models.recording import spent

    stored = read_trajectory(path)
    if stored.end is not None and stored.end.outcome in _NOTHING_LEFT:
        raise UsageError(f"{path}: there is nothing to go on with: {_NOTHING_LEFT[stored.end.outcome]}")
    settings = _settings(stored, path, trust=trust)
    if base_url is not None:
        if settings.model is None:
            raise UsageError("the run has no model: leave --base-url out")
        settings = replace(settings, model=replace(settings.model, base_url=base_url))
    if not settings.choice().resumable:
        raise UsageError(f"{path}: the loop of {stored.policy} is its own, which cannot be taken up: start it anew")
    tokens, money = spent([e.content for e in stored.exchanges if e.step < len(stored.steps)])  # the others are when they are used
    allowed = _limits(stored, time_limit, limits, model=settings.model is not None)
    allowed.spend(steps=len(stored.steps), tokens=tokens, money=money, sandbox_seconds=_seconds(stored.steps))
    _check_what_is_left(stored, allowed, timed=time_limit is not None or "seconds" in limits)
    task = Task(stored.task.instruction, inputs.check_repository(stored.task.repository), stored.task.time_limit)
    lost = sorted({str(name) for run in _runs(stored.steps) for name in run.get("made") or ()})
    notes = (f"runs are not made again: of what they made there is nothing here ({', '.join(lost[:5])})",) if lost else ()
    return Stored(task, settings, allowed, Before(stored, path), notes)


def replay_run(path: Path, *, trust: bool) -> Trajectory:
    """As api.replay; the stored run."""
    from ml_agent.models.recording import Replayed
    from ml_agent.policies import load_policy
    from ml_agent.tools import spec

    stored = read_trajectory(path)
    settings = _settings(stored, path, trust=trust)
    if not settings.choice().resumable:
        raise UsageError(f"{path}: the loop of {stored.policy} is its own, which cannot be replayed")
    policy = load_policy(settings.policy, settings.options)
    model = None
    if settings.model is not None:
        model = Replayed.whole([e.content for e in stored.exchanges])
        policy.model = model  # type: ignore[attr-defined]
    policy.start(stored.task, {name: spec(tool) for name, tool in settings.make_tools().items()}, seed=settings.seed)
    again = Trajectory(stored.task, policy=stored.policy)
    rebuild(policy, stored, again)
    pending = sum(e.step >= len(stored.steps) for e in stored.exchanges)
    if model is not None and model.left > pending:
        raise Departed(f"the replay departs: {model.left - pending} replies of the model were not asked for")
    return stored


def _settings(stored: Trajectory, path: Path, *, trust: bool) -> SolveSettings:
    solve = stored.settings.get("solve")
    if not isinstance(solve, Mapping):
        raise UsageError(f"{path}: the run was not made by solve, or by an older version: its settings are not there")
    if not trust and not is_own(sealed(solve, stored.task), stored.settings.get("seal")):
        raise UsageError(f"{path} is not of a solve of yours on this machine, and names code, a model and rights: look at it, then --trust")
    return SolveSettings.from_json(solve)


def _limits(stored: Trajectory, time_limit: float | None, given: Mapping[str, float], *, model: bool) -> Limits:
    before = {name: value for name, value in stored.settings["limits"].items() if value is not None and name in config.LIMITS}
    last = stored.steps[-1:]
    left = last[0].remaining if last else None
    if left is not None and math.isfinite(left.seconds):
        before["seconds"] = max(_LEAST, left.seconds - _seconds(last))
    if time_limit is not None:
        before["seconds"] = time_limit
    return limits_of({**before, **given}, model=model)


def _check_what_is_left(stored: Trajectory, limits: Limits, *, timed: bool) -> None:
    """Raises UsageError, with what to do, if a limit that ended the run would end it again at once."""
    left = limits.remaining()
    for name in ("steps", "tokens", "money"):
        if getattr(left, name) <= 0:
            allowed = getattr(limits, name)
            raise UsageError(f"the run has spent its limit of {allowed:g} {name}: give --limit {name}=N, more than that, for the whole")
    by_time = stored.end is not None and stored.end.outcome == "limit" and not _spent_otherwise(stored, limits)
    if not timed and (by_time or left.seconds <= _LEAST):
        raise UsageError("the time of the run was spent: give --time-limit S, the seconds for the rest")


def _spent_otherwise(stored: Trajectory, limits: Limits) -> bool:
    """Whether another limit than time was at its end in the stored run."""
    allowed = {name: stored.settings["limits"].get(name) for name in ("steps", "tokens", "money", "sandbox_seconds")}
    return any(value is not None and limits.used(name) >= value for name, value in allowed.items())


def _runs(steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """What the runs of these steps brought back."""
    pairs = [pair for step in steps for pair in zip(step.decision.calls, step.observations, strict=True)]
    return [observation.data for call, observation in pairs if call.tool == "run" and observation.error is None]


def _seconds(steps: Sequence[Step]) -> float:
    """Of all their runs."""
    return sum(float(run.get("seconds") or 0.0) for run in _runs(steps))
