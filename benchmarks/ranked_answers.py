"""The ranked answers of a policy to the samples of suites, in processes of their own, without executing anything."""

import multiprocessing
import time
import traceback
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from ml_agent import inputs
from ml_agent.agent import PlannerLoop
from ml_agent.errors import Cancelled, InfrastructureError
from ml_agent.interrupts import deadline
from ml_agent.limits import Limits
from ml_agent.policies import load_policy
from ml_agent.policies.base import Policy
from ml_agent.repo.index import RepoIndex
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer, Task
from ml_agent.tools import default_tools
from ml_agent.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Asked:
    """What a policy is given: the instruction and the repository, nothing else of a sample."""

    key: str
    """Unique among all that are asked."""
    instruction: str
    repository: Path


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of it: the answers, best first, without repeats."""

    key: str
    answers: tuple[Answer, ...]
    seconds: float
    """For all of them."""
    error: str = ""
    """The traceback of what should not have happened."""


def answer_all(asked: Sequence[Asked], *, policy: str, attempts: int, workers: int, time_limit: float) -> Iterator[Answered]:
    """Answer in `workers` processes, as they get done. One process does all that is asked of a repository and reads it once.

    `time_limit` is for each, in seconds. Raises InfrastructureError if a process dies.
    """
    by_repository: dict[Path, list[Asked]] = defaultdict(list)
    for one in asked:
        by_repository[one.repository].append(one)
    if not by_repository:
        return
    units = sorted(by_repository.values(), key=len, reverse=True)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(units)), mp_context=context) as pool:
        done = [pool.submit(_answer_repository, unit, policy, attempts, time_limit) for unit in units]
        try:
            for future in as_completed(done):
                yield from future.result()
        except BrokenProcessPool as error:
            raise InfrastructureError("a worker process died: too little memory, or killed from outside") from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _answer_repository(asked: Sequence[Asked], policy: str, attempts: int, time_limit: float) -> list[Answered]:
    index = RepoIndex(inputs.check_repository(asked[0].repository))
    return [_answer(one, index, policy, attempts, time_limit) for one in asked]


def _answer(asked: Asked, index: RepoIndex, policy: str, attempts: int, time_limit: float) -> Answered:
    start, found, error = time.monotonic(), dict[str, Answer](), ""
    try:
        task, decides = Task(inputs.check_instruction(asked.instruction), index.root), load_policy(policy)
        for attempt in range(attempts):
            left = time_limit - (time.monotonic() - start)
            if left <= 0:
                break
            answer = _attempt(task, index, decides, attempt, left)
            if answer is not None:
                found.setdefault(answer.as_text(), answer)
    except Exception:  # noqa: BLE001 - one bad row is counted and shown; the others go on
        error = traceback.format_exc()
    return Answered(asked.key, tuple(found.values()), time.monotonic() - start, error)


def _attempt(task: Task, index: RepoIndex, policy: Policy, attempt: int, seconds: float) -> Answer | None:
    tools = default_tools()
    del tools["run"]
    with Workspace(index.root, Options(sandbox="none"), index=index) as workspace, deadline(seconds):
        done = PlannerLoop(policy, attempt=attempt).run(task, workspace, tools, Limits(seconds=seconds))
    if done.end is None or done.end.outcome == "cancelled":
        raise Cancelled("stopped from outside")
    return done.end.answer
