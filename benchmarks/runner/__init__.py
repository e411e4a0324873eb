"""Runs a policy over the samples of a suite: in parallel, resumable, each attempt in a file of its own."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ml_agent
from ml_agent.benchmarks import runs
from ml_agent.benchmarks.base import Attempt, Suite
from ml_agent.benchmarks.faults import COUNTS, STOP_AFTER, TREATMENTS
from ml_agent.benchmarks.runner.attempt import visible
from ml_agent.benchmarks.runner.digest import policy_digest
from ml_agent.benchmarks.runner.executor import Done, Executor
from ml_agent.benchmarks.runner.folder import RunFolder
from ml_agent.benchmarks.runner.local import LocalExecutor, without_trajectory
from ml_agent.benchmarks.runner.options import RunOptions
from ml_agent.benchmarks.runner.schedule import Schedule
from ml_agent.benchmarks.selection import choose
from ml_agent.errors import InfrastructureError, UsageError

__all__ = ["Progress", "RunOptions", "run", "settings_of"]

_TICK = 0.5


@dataclass(slots=True)
class Progress:
    """How far a run is, and what the attempts of this session came to."""

    total: int
    """Attempts, all samples together."""
    before: int = 0
    """Of them recorded by an earlier session."""
    done: int = 0
    """By this one."""
    retries: int = 0
    seconds: float = 0.0
    """Of wall clock."""
    endings: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    money: float | None = 0.0
    last: str = ""
    """The key of the sample that was recorded last."""

    @property
    def left(self) -> int:
        return self.total - self.before - self.done

    @property
    def rate(self) -> float:
        """Attempts a second."""
        return self.done / self.seconds if self.seconds else 0.0

    def count(self, attempt: Attempt) -> None:
        self.done += 1
        self.endings[attempt.ending] += 1
        self.tokens += attempt.usage.tokens
        money = attempt.usage.money
        self.money = None if self.money is None or money is None else self.money + money
        self.last = attempt.sample


OnProgress = Callable[[Progress], None]
MakeExecutor = Callable[[RunOptions, int, Path], Executor]


def settings_of(suite: Suite, options: RunOptions) -> dict[str, Any]:
    """All that a run's results depend on: what a resume is held to. Raises UsageError if there is no such policy."""
    options.check()
    agent = options.solve_settings().choice()
    return {
        "ml_agent": ml_agent.__version__,
        "suite": suite.name,
        "suite_version": suite.version,
        "suite_hash": suite.hash,
        "policy_name": agent.name,
        "policy_digest": policy_digest(agent, options),
        "ranked": agent.ranked,
        **options.to_json(),
    }


def run(
    suite: Suite,
    checkouts: Mapping[str, Path],
    out: Path,
    options: RunOptions,
    *,
    workers: int = 1,
    again: bool = False,
    origin: str = "",
    on_progress: OnProgress | None = None,
    make_executor: MakeExecutor = LocalExecutor,
) -> Progress:
    """Make the attempts that are not recorded in the folder `out` yet, and record each as it is done.

    `checkouts`: repository name -> folder, of the suite's repositories. `again`: what ended as infrastructure before is tried once more.
    `origin`: where the suite was read from, see origin.py. `on_progress` hears of each attempt, and twice a second.

    Raises UsageError for bad input and for a folder that is in use or holds another run, InfrastructureError if the disk refuses or the
    surroundings fail again and again; what is recorded by then stays, and the same call goes on from there.
    """
    settings = settings_of(suite, options)
    samples = choose(suite, options.only, options.sample)
    if missing := sorted({sample.repository for sample in samples} - set(checkouts)):
        raise UsageError(f"no checkout of {', '.join(missing)}: give the folder that holds it as --repos")
    with RunFolder(out, suite, settings, origin) as folder:
        if again:
            _supersede(folder, runs.Run(folder.folder))
        progress = Progress(len(samples) * options.attempts)
        progress.before = sum(folder.has(sample.key, number) for sample in samples for number in range(options.attempts))
        schedule = Schedule(samples, checkouts, options.attempts, folder.has, lambda sample: visible(sample, options.setting))
        executor = make_executor(options, workers, folder.work)
        try:
            _Runner(folder, schedule, executor, progress, on_progress).run()
        finally:
            executor.close()
    return progress


def _supersede(folder: RunFolder, before: runs.Run) -> None:
    for attempt in before.attempts():
        if COUNTS[attempt.ending] == "infrastructure":
            folder.supersede(attempt.sample, attempt.attempt)


class _Runner:
    def __init__(
        self, folder: RunFolder, schedule: Schedule, executor: Executor, progress: Progress, on_progress: OnProgress | None
    ) -> None:
        self._folder, self._schedule, self._executor = folder, schedule, executor
        self._progress, self._on_progress = progress, on_progress
        self._started = time.monotonic()
        self._in_a_row = 0
        """Attempts that ended as infrastructure, since one did not."""

    def run(self) -> None:
        self._tell()
        while True:
            self._hand_out()
            if not self._executor.busy():
                pause = self._schedule.waiting
                if pause is None:
                    break
                time.sleep(min(pause, _TICK))
            finished = self._executor.wait(_TICK) if self._executor.busy() else ()
            if finished:
                self._hand_out()  # before it is written: the workers do not wait for the disk
            for done in finished:
                self._record(done)
            self._tell()

    def _hand_out(self) -> None:
        """Give each idle worker something to do."""
        idle = list(self._executor.idle())
        for number, holding in enumerate(idle):
            unit = self._schedule.next(holding, {*self._executor.busy(), *idle[number + 1 :]})
            if unit is not None:
                self._executor.submit(unit)

    def _record(self, done: Done) -> None:
        treatment = TREATMENTS[done.cause]
        if done.unit.tries < treatment.retries:
            without_trajectory(done)
            self._progress.retries += 1
            self._schedule.put_back(done.unit, treatment.pauses[done.unit.tries])
            return
        self._folder.write(done.attempt, done.trajectory)
        self._progress.count(done.attempt)
        self._in_a_row = self._in_a_row + 1 if done.cause == "infrastructure" else 0
        if self._in_a_row >= STOP_AFTER:
            raise InfrastructureError(
                f"the last {STOP_AFTER} attempts all failed for the surroundings, put that right and start again with --again; "
                f"the last one said: {' '.join(done.attempt.message.split())[:300]}"
            )

    def _tell(self) -> None:
        self._progress.seconds = time.monotonic() - self._started
        if self._on_progress:
            self._on_progress(self._progress)
