"""A stored run as something to go on with or to replay."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ml_agent import config, inputs
from ml_agent.errors import Departed, UsageError
from ml_agent.limits import Limits
from ml_agent.replay import rebuild
from ml_agent.solving import Before, SolveSettings, limits_of
from ml_agent.task import Task
from ml_agent.trajectory import Trajectory, read_trajectory

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


def take_up(path: Path, *, time_limit: float | None, limits: Mapping[str, float], base_url: str | None) -> Stored:
    """The run of a trajectory, as of api.resume. Raises UsageError if there is nothing to go on with."""
    from ml_agent.models.recording import spent

    stored = read_trajectory(path)
    if stored.end is not None and stored.end.outcome in _NOTHING_LEFT:
        raise UsageError(f"{path}: there is nothing to go on with: {_NOTHING_LEFT[stored.end.outcome]}")
    settings = _settings(stored, path)
    if base_url is not None:
        if settings.model is None:
            raise UsageError("the run has no model: leave --base-url out")
        settings = replace(settings, model=replace(settings.model, base_url=base_url))
    if not settings.choice().resumable:
        raise UsageError(f"{path}: the loop of {stored.policy} is its own, which cannot be taken up: start it anew")
    paid = [e.content for e in stored.exchanges if e.step < len(stored.steps)]
    tokens, money = spent(paid)
    allowed = _limits(stored, time_limit, limits, model=settings.model is not None)
    runs = [o.data for _, o in stored.observations("run") if o.error is None]
    allowed.spend(steps=len(stored.steps), tokens=tokens, money=money, sandbox_seconds=sum(float(r.get("seconds", 0)) for r in runs))
    task = Task(stored.task.instruction, inputs.check_repository(stored.task.repository), allowed.seconds)
    lost = sorted({str(name) for run in runs for name in run.get("made", ())})
    notes = (f"runs are not made again: of what they made there is nothing here ({', '.join(lost[:5])})",) if lost else ()
    return Stored(task, settings, allowed, Before(stored, path), notes)


def replay_run(stored: Trajectory) -> None:
    """As api.replay."""
    from ml_agent.models.recording import Replayed
    from ml_agent.policies import load_policy
    from ml_agent.tools import spec

    settings = _settings(stored, None)
    if not settings.choice().resumable:
        raise UsageError(f"the loop of {stored.policy} is its own, which cannot be replayed")
    policy = load_policy(settings.policy, settings.options)
    model = None
    if settings.model is not None:
        asked = stored.exchanges[0].content["asked"] if stored.exchanges else {}
        model = Replayed([e.content for e in stored.exchanges], str(asked.get("model", "")), context=asked.get("context"))
        policy.model = model  # type: ignore[attr-defined]
    numbers = {name: int(stored.settings.get(name, 0)) for name in ("attempt", "seed")}
    policy.start(stored.task, {name: spec(tool) for name, tool in settings.make_tools().items()}, **numbers)
    again = Trajectory(stored.task, policy=stored.policy)
    rebuild(policy, stored, again)
    pending = sum(e.step >= len(stored.steps) for e in stored.exchanges)
    if model is not None and model.left > pending:
        raise Departed(f"the replay departs: {model.left - pending} replies of the model were not asked for")


def _settings(stored: Trajectory, path: Path | None) -> SolveSettings:
    solve = stored.settings.get("solve")
    if not isinstance(solve, Mapping):
        where = f"{path}: " if path else ""
        raise UsageError(f"{where}the run was not made by solve, or by an older version: its settings are not there")
    return SolveSettings.from_json(solve)


def _limits(stored: Trajectory, time_limit: float | None, given: Mapping[str, float], *, model: bool) -> Limits:
    before = {name: value for name, value in dict(stored.settings.get("limits", {})).items() if value is not None and name in config.LIMITS}
    left = stored.steps[-1].remaining if stored.steps else None
    if left is not None and math.isfinite(left.seconds):
        before["seconds"] = left.seconds
    if time_limit is not None:
        before["seconds"] = inputs.check_time_limit(time_limit)
    elif before.get("seconds", 1) < 1:
        raise UsageError("the time of the run was spent: give --time-limit S, the seconds for the rest")
    return limits_of({**before, **given}, model=model)
