"""A policy over the rows of a benchmark, without executing anything: one JSON line a row, for a grader.

python -m ml_agent.benchmarks.answers ROWS.jsonl --repos DIR --out FILE

The policy is given the instruction and the repository, nothing else of a row.
"""

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ml_agent import config, inputs
from ml_agent.agent import PlannerLoop
from ml_agent.errors import Cancelled, InfrastructureError, UsageError
from ml_agent.interrupts import cancellable, deadline
from ml_agent.limits import Limits
from ml_agent.policies import load_policy
from ml_agent.repo.index import RepoIndex
from ml_agent.sandbox.options import Options
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.workspace import Workspace

Key = tuple[int, int]
"""(github_id, id) of a row."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is used of a benchmark row."""

    key: Key
    instruction: str
    repository: Path


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one row: the answers, best first, without repeats."""

    key: Key
    output: tuple[str, ...]
    seconds: float
    error: str = ""
    """The traceback of what should not have happened."""


def read_rows(path: Path, repositories: Path, only: frozenset[str] = frozenset()) -> list[Row]:
    """The rows of a JSON lines file, all or those named in `only` (`ID` or `GITHUB_ID:ID`).

    A checkout is the folder under `repositories` with the name of the last part of the row's URL, in any case. Raises UsageError.
    """
    try:
        folders = _folders(repositories)
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"cannot read the rows in {path} or the checkouts in {repositories}: {reason}") from error
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            key, instruction = (int(row["github_id"]), int(row["id"])), str(row["instruction"])
            name = urlsplit(row["github"]).path.rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"{path}:{number} is no row: {type(error).__name__} {error}") from error
        if only and not only & {str(key[1]), f"{key[0]}:{key[1]}"}:
            continue
        if name.lower() not in folders:
            raise UsageError(f"{path}:{number} needs a checkout of {name} in {repositories}")
        rows.append(Row(key, instruction, folders[name.lower()]))
    if not rows:
        raise UsageError(f"no row to answer in {path}")
    return rows


def _folders(parent: Path) -> dict[str, Path]:
    """Name in lower case -> folder. What cannot be looked at, a loop of links for one, is named and passed over."""
    found = {}
    for entry in os.scandir(parent):
        try:
            if entry.is_dir():
                found[entry.name.lower()] = Path(entry.path)
        except OSError as error:
            print(f"note: {entry.path!r} is passed over: {error.strerror}", file=sys.stderr)
    return found


def answer_rows(rows: Sequence[Row], *, policy: str, attempts: int, workers: int, time_limit: float) -> Iterator[Answered]:
    """Answer the rows in `workers` processes, as they get done. One process does all rows of a repository and reads it once.

    `time_limit` is for each row, in seconds. Raises InfrastructureError if a process dies.
    """
    by_repository: dict[Path, list[Row]] = defaultdict(list)
    for row in rows:
        by_repository[row.repository].append(row)
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


def write_answers(path: Path, answers: Iterable[Answered]) -> None:
    """Write the file whole: it is there with all lines, or not at all."""
    descriptor, temporary = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            for answered in answers:
                github_id, identity = answered.key
                file.write(json.dumps({"github_id": github_id, "id": identity, "output": list(answered.output)}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _answer_repository(rows: Sequence[Row], policy: str, attempts: int, time_limit: float) -> list[Answered]:
    index = RepoIndex(inputs.check_repository(rows[0].repository))
    return [_answer_row(row, index, policy, attempts, time_limit) for row in rows]


def _answer_row(row: Row, index: RepoIndex, policy: str, attempts: int, time_limit: float) -> Answered:
    start, output, error = time.monotonic(), dict[str, None](), ""
    try:
        task = Task(inputs.check_instruction(row.instruction), index.root)
        for attempt in range(attempts):
            left = time_limit - (time.monotonic() - start)
            if left <= 0:
                break
            answer = _attempt(task, index, policy, attempt, left)
            if answer is not None:
                output[answer] = None
    except Exception:  # noqa: BLE001 - one bad row is counted and shown; the others go on
        error = traceback.format_exc()
    return Answered(row.key, tuple(output), time.monotonic() - start, error)


def _attempt(task: Task, index: RepoIndex, policy: str, attempt: int, seconds: float) -> str | None:
    tools = default_tools()
    del tools["run"]
    with Workspace(index.root, Options(sandbox="none"), index=index) as workspace, deadline(seconds):
        done = PlannerLoop(load_policy(policy), attempt=attempt).run(task, workspace, tools, Limits(seconds=seconds))
    if done.end is None or done.end.outcome == "cancelled":
        raise Cancelled("stopped from outside")
    return done.end.answer.as_text() if done.end.answer else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ml_agent.benchmarks.answers", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", type=Path, metavar="ROWS.jsonl")
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of checkouts, by the last part of their URLs")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="written whole at the end")
    parser.add_argument("--policy", default=config.POLICY)
    parser.add_argument("--attempts", type=int, default=5, help="answers a row, at most (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--time-limit", type=float, default=60, metavar="S", help="seconds a row (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="ID,ID", help="only these rows, each ID or GITHUB_ID:ID")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0, or 1 if a row was an exception."""
    args = _parser().parse_args(argv)
    try:
        with cancellable():
            return _run(args)
    except (UsageError, InfrastructureError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3
    except (Cancelled, KeyboardInterrupt):
        print("interrupted; nothing written", file=sys.stderr)
        return 130


def _run(args: argparse.Namespace) -> int:
    if args.attempts < 1 or args.workers < 1:
        raise UsageError("--attempts and --workers must be at least 1")
    load_policy(args.policy)
    rows = read_rows(args.rows, args.repos, frozenset(filter(None, args.only.split(","))))
    start, done = time.monotonic(), dict[Key, Answered]()
    limit = inputs.check_time_limit(args.time_limit)
    for answered in answer_rows(rows, policy=args.policy, attempts=args.attempts, workers=args.workers, time_limit=limit):
        done[answered.key] = answered
        if answered.error:
            print(f"{answered.key}: {answered.error}", file=sys.stderr)
    seconds = time.monotonic() - start
    write_answers(args.out, (done[row.key] for row in rows))
    slowest = max(done.values(), key=lambda a: a.seconds)
    errors, without = sum(bool(a.error) for a in done.values()), sum(not a.output for a in done.values())
    print(
        f"{len(done)} rows in {seconds:.1f} s ({len(done) / seconds:.2f} a second), {without} without an answer, {errors} exceptions; "
        f"slowest {slowest.key[0]}:{slowest.key[1]} with {slowest.seconds:.1f} s",
        file=sys.stderr,
    )
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
