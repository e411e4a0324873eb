"""Helpers of the sandbox tests: sandboxes over a folder, and a look at the machine's processes."""

import os
import sys
import time
import uuid
from pathlib import Path

from ml_agent.sandbox.base import ExecResult, Sandbox
from ml_agent.sandbox.cgroups import Resources, limited
from ml_agent.sandbox.environment import Environment, find_environment
from ml_agent.sandbox.private_copy import copy_repository
from ml_agent.sandbox.survey import Survey, survey

SYSTEM: Environment = find_environment(Path("/nonexistent"), sys.executable)
"""The interpreter that runs the tests."""


def bash(sandbox: Sandbox, code: str, *, timeout: float = 20.0, workdir: str = ".") -> ExecResult:
    return sandbox.exec(["bash", "-c", code], timeout=timeout, workdir=workdir)


def token() -> str:
    """A word that no other process has on its command line."""
    return f"token-{uuid.uuid4().hex}"


def processes_with(word: str) -> list[int]:
    """Living processes with that word on their command line."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            line = Path("/proc", name, "cmdline").read_bytes()
            state = Path("/proc", name, "stat").read_bytes().rpartition(b")")[2].split()[0]
        except OSError:
            continue
        if word.encode() in line and state != b"Z":
            found.append(int(name))
    return found


def wait_until_gone(word: str, seconds: float = 5.0) -> list[int]:
    end = time.monotonic() + seconds
    while (found := processes_with(word)) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def wait_until_there(word: str, seconds: float = 10.0, *, accept: int | None = None) -> list[int]:
    """`accept`: that many, no more and no less."""
    end = time.monotonic() + seconds
    while (not (found := processes_with(word)) or (accept is not None and len(found) != accept)) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def copied(repository: Path, tmp_path: Path) -> tuple[Path, Survey]:
    target = tmp_path / "copy"
    target.mkdir()
    found = survey(repository)
    found.notes += copy_repository(repository, found, target)
    return target, found


def names(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*")}


def can_bound() -> tuple[bool, bool]:
    """Whether memory and processes can be bounded by a control group here."""
    with limited(Resources()) as limits:
        names = {part for folder in limits.group.folders for part in folder.parts}
        both = any((folder / "memory.max").exists() for folder in limits.group.folders)
        return both or "memory" in names, both or "pids" in names
