"""The executor of this machine: worker processes. One that hangs or dies costs its unit's attempt, and is replaced."""

import selectors
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Attempt, Ending, Usage
from ml_agent.benchmarks.codec import attempt_from_json
from ml_agent.benchmarks.faults import Cause
from ml_agent.benchmarks.runner.executor import Done, Unit
from ml_agent.benchmarks.runner.options import RunOptions
from ml_agent.benchmarks.runner.process import Worker
from ml_agent.benchmarks.runner.wire import END_SECONDS
from ml_agent.errors import InfrastructureError, UsageError

GRACE = 10.0
"""Seconds past its limit after which an attempt is taken to hang."""
_EXECUTION = 60.0
"""Seconds beside the limits for what an execution needs: copies of the repository, sandboxes."""


class LocalExecutor:
    """`workers` processes at most, each started when it is needed. `work`: a folder for trajectories that are being written."""

    def __init__(self, options: RunOptions, workers: int, work: Path, *, grace: float = GRACE) -> None:
        if workers < 1:
            raise UsageError(f"--workers is {workers}: give 1 or more")
        self._options, self._size, self._work = options, workers, work
        self._seconds = options.seconds + grace + (options.execution_seconds + _EXECUTION if options.execute else 0.0)
        self._workers: list[Worker] = []
        self._selector = selectors.DefaultSelector()
        self._count = 0
        self._proved = False
        """Whether any worker has answered yet."""

    def idle(self) -> Sequence[str]:
        waiting = [worker.holding for worker in self._workers if worker.unit is None]
        return waiting + [""] * (self._size - len(self._workers))

    def busy(self) -> Sequence[str]:
        return [worker.holding for worker in self._workers if worker.unit is not None]

    def submit(self, unit: Unit) -> None:
        idle = [worker for worker in self._workers if worker.unit is None]
        worker = next((worker for worker in idle if worker.holding == unit.sample.repository), None)
        if worker is None and len(self._workers) < self._size:
            worker = self._start()
        worker = worker or idle[0]
        self._count += 1
        worker.give(unit, self._work / f"{self._count}.jsonl", self._seconds)

    def _start(self) -> Worker:
        worker = Worker(self._options)
        self._workers.append(worker)
        self._selector.register(worker.output, selectors.EVENT_READ, worker)
        self._selector.register(worker.errors, selectors.EVENT_READ, worker)
        return worker

    def wait(self, seconds: float) -> Sequence[Done]:
        end, found = time.monotonic() + seconds, list[Done]()
        while not found and self._workers:
            for key, _ in self._selector.select(max(0.0, min(0.2, end - time.monotonic()))):
                worker: Worker = key.data
                if worker not in self._workers:
                    continue
                if key.fileobj is worker.errors:
                    if not worker.listen():
                        self._selector.unregister(worker.errors)
                else:
                    found += self._read(worker)
            found += [self._killed(worker) for worker in self._workers[:] if worker.hangs()]
            if time.monotonic() >= end:
                break
        return found

    def _read(self, worker: Worker) -> list[Done]:
        try:
            return [self._done(worker, value) for value in worker.answers()]
        except EOFError:
            return self._died(worker)

    def _done(self, worker: Worker, value: dict[str, Any]) -> Done:
        if (refused := value.get("refused")) is not None:
            raise (UsageError if refused == "usage" else InfrastructureError)(value["message"])
        self._proved = True
        unit, trajectory = worker.unit, worker.trajectory
        assert unit is not None
        worker.unit = None
        return Done(unit, attempt_from_json(value["attempt"]), value["cause"], _existing(trajectory))

    def _died(self, worker: Worker) -> list[Done]:
        """One that was asked to end, its time over, and did so has hung."""
        self._drop(worker)
        if worker.unit is None:
            return []
        if not self._proved and worker.unit.tries:
            raise InfrastructureError(f"the workers do not start: {worker.last_words()}")
        return [self._lost(worker, "hung" if worker.overdue else "died")]

    def _killed(self, worker: Worker) -> Done:
        self._drop(worker)
        return self._lost(worker, "hung")

    def _drop(self, worker: Worker) -> None:
        for stream in (worker.output, worker.errors):
            with suppress(KeyError):
                self._selector.unregister(stream)
        self._workers.remove(worker)
        worker.kill()

    def _lost(self, worker: Worker, cause: Cause) -> Done:
        unit = worker.unit
        assert unit is not None
        message = worker.last_words()
        if cause == "hung":
            message = f"still going {self._seconds - self._options.seconds:.0f} s after its limit of {self._options.seconds:g} s; {message}"
        ending: Ending = "killed"
        attempt = Attempt(unit.sample.key, unit.attempt, ending, usage=Usage(round(worker.used, 3)), message=message)
        return Done(unit, attempt, cause, _existing(worker.trajectory))

    def close(self) -> None:
        """Idle workers end at once, the others clean up; what has not ended soon is killed."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.close_input()
        end = time.monotonic() + END_SECONDS
        try:
            while any(not worker.has_ended() for worker in workers) and time.monotonic() < end:
                for worker in workers:
                    with suppress(ValueError):
                        worker.listen()  # so that none waits to be read
                time.sleep(0.01)
        finally:
            for worker in workers:
                worker.kill()
            self._selector.close()


def _existing(path: Path | None) -> Path | None:
    return path if path is not None and path.exists() else None


def without_trajectory(done: Done) -> Done:
    """Of a unit that is tried again, nothing is kept."""
    if done.trajectory is not None:
        done.trajectory.unlink(missing_ok=True)
    return replace(done, trajectory=None)
