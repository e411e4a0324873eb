"""A repository written into a folder, and answers checked against it."""

from collections.abc import Mapping
from pathlib import Path

from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer
from ml_agent.verify import Check, verify


def repository(folder: Path, files: Mapping[str, str]) -> RepoIndex:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return RepoIndex(folder)


def bash(index: RepoIndex, code: str, workdir: str = ".") -> Check:
    return verify(Answer("bash", code, workdir), index)


def python(index: RepoIndex, code: str, workdir: str = ".") -> Check:
    return verify(Answer("python", code, workdir), index)


def found(check: Check) -> list[tuple[str, str, str | None]]:
    """Kind, severity and suggestion of each finding."""
    return [(f.kind, f.severity, f.suggestion) for f in check.findings]


def errors(check: Check) -> list[str]:
    return [f.kind for f in check.findings if f.severity == "error"]
