"""Running `ml-agent` as a user does, in a process of its own, and policies written to a file."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "ml_agent"]


@cache
def _bytecode() -> "tempfile.TemporaryDirectory[str]":
    """Where commands keep their bytecode while these tests run: to compile all anew is half of what most of them do."""
    return tempfile.TemporaryDirectory()


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": _bytecode().name, **more}


def ml_agent(*arguments: "str | Path", cwd: Path | None = None, **env: str) -> "subprocess.CompletedProcess[str]":
    """Exit code, standard output and standard error of one command."""
    command = [*COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="surrogateescape", timeout=50, cwd=cwd, env=environment(**env))


def one_line(done: "subprocess.CompletedProcess[str]") -> str:
    """What a refused command says: one line on standard error, nothing else."""
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def submit(
    code: str,
    *,
    language: str = "bash",
    workdir: str = ".",
    evidence: list[dict[str, Any]] | None = None,
    unused: list[str] | None = None,
) -> tuple[str, dict[str, Any]]:
    return "submit", {"language": language, "code": code, "workdir": workdir, "evidence": evidence or [], "unused": unused or []}


def run(code: str, *, language: str = "bash", workdir: str = ".", timeout: float = 30) -> tuple[str, dict[str, Any]]:
    return "run", {"language": language, "code": code, "workdir": workdir, "timeout": timeout}


def scripted(folder: Path, *calls: tuple[str, Mapping[str, Any]]) -> str:
    """A policy that makes these calls, one a step, as `--policy` takes it."""
    path = folder / "played.py"
    path.write_text(
        "from ml_agent.policies.scripted import Scripted, decision\n\n"
        "class Played(Scripted):\n"
        f"    def __init__(self):\n        super().__init__([decision(call) for call in {[*calls]!r}])\n"
    )
    return f"{path}:Played"
