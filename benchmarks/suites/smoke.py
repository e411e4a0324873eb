"""A dozen tasks on the shipped example repository, executed: the whole benchmark in under a minute, on any machine."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Repository, Sample, Suite
from ml_agent.benchmarks.suites.written import asked
from ml_agent.errors import UsageError

VERSION = "1"
NAME = "tinynets"
FOLDER = Path(__file__).resolve().parent.parent / "smoke"
REPOSITORY = FOLDER / "repository"
TASKS = FOLDER / "tasks.jsonl"


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """Raises UsageError if rows or a split are given: the suite brings its own."""
    if data is not None or split != "full":
        raise UsageError("smoke brings its own tasks: leave --data and the split out")
    tasks = [json.loads(line) for line in TASKS.read_text(encoding="utf-8").splitlines() if line.strip()]
    return Suite("smoke", VERSION, tuple(map(_sample, tasks)), {NAME: Repository(NAME)}, runs=True)


def _sample(task: Mapping[str, Any]) -> Sample:
    answer = task["answer"]
    python = answer["language"] == "python"
    return Sample(
        key=f"{NAME}/{task['id']}",
        repository=NAME,
        instruction=task["instruction"],
        language="python" if python else "bash",
        output=answer["code"] if python else _command(answer),
        workdir=answer["workdir"],
        arguments=asked(answer),
        oracle=_section(*task["oracle"]),
    )


def _command(answer: Mapping[str, Any]) -> str:
    """The program as it is named from the folder that the answer runs from."""
    folder = "" if answer["workdir"] == "." else answer["workdir"] + "/"
    program = answer["program"].removeprefix(folder)
    words = [word for option in answer["options"].items() for word in option]
    return shlex.join(["bash" if program.endswith(".sh") else "python", program, *words, *answer.get("arguments", ())])


def _section(path: str, heading: str) -> str:
    """The section with that heading, and what stands below it; the whole document without one."""
    lines = (REPOSITORY / path).read_text(encoding="utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("#") and line.lstrip("#").strip() == heading) if heading else 0
    level = len(lines[start]) - len(lines[start].lstrip("#"))
    ends = (n for n in range(start + 1, len(lines)) if lines[n].startswith("#") and heading and len(lines[n].split(" ")[0]) <= level)
    return "\n".join(lines[start : next(ends, len(lines))]).strip()
