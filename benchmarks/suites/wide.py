"""wide: tasks on forty repositories that no rule was written on (benchmarks/wide/README.md). Answers are read, not run."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Repository, Sample, Suite
from ml_agent.benchmarks.suites.written import asked
from ml_agent.errors import UsageError

VERSION = "1"
TASKS = Path(__file__).resolve().parent.parent / "wide" / "tasks.jsonl"
SPLITS = ("full", "seen", "unseen")


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """`split`: `seen` or `unseen`, by repository. Raises UsageError for another, or if rows are given: the suite brings its own."""
    return read_suite("wide", TASKS, data, split)


def read_suite(name: str, path: Path, data: str | Path | None, split: str, splits: Sequence[str] = SPLITS) -> Suite:
    """The suite of a file of tasks in this format. Raises UsageError as `load` does."""
    if data is not None or split not in splits:
        has = f"its splits are {', '.join(splits)}" if len(splits) > 1 else f"its split is {splits[0]}"
        raise UsageError(f"{name} brings its own tasks: leave --data out; {has}")
    tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    tasks = [task for task in tasks if split == "full" or is_unseen(task["repository"]) == (split == "unseen")]
    repositories = {task["repository"]: Repository(task["repository"], task["url"], task["commit"]) for task in tasks}
    return Suite(name, VERSION if split == "full" else f"{VERSION}-{split}", tuple(map(_sample, tasks)), repositories)


def is_unseen(repository: str) -> bool:
    """Whether nobody who writes rules looks at this repository's tasks: half of the names, by their SHA-256."""
    return int(hashlib.sha256(repository.encode()).hexdigest()[0], 16) % 2 == 0


def _sample(task: Mapping[str, Any]) -> Sample:
    answer = task["answer"]
    python = answer["language"] == "python"
    return Sample(
        key=f"{task['repository']}/{task['id']}",
        repository=task["repository"],
        instruction=task["instruction"],
        language="python" if python else "bash",
        output=answer["code"] if python else answer["command"],
        workdir="." if not python and answer["command"].startswith("cd ") else answer["workdir"],  # the line goes there itself
        arguments=asked(answer),
    )
