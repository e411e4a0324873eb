"""Is an answer possible in this repository, and does it place what the task asks for? Nothing is run to find out."""

from itertools import islice

from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer, Task
from ml_agent.verify.bash import check_bash
from ml_agent.verify.findings import Check, Finding
from ml_agent.verify.folders import check_workdir
from ml_agent.verify.python import check_python
from ml_agent.verify.review import MAX_UNPLACED, unplaced

__all__ = ["Check", "Finding", "review", "verify"]

MAX_CHARACTERS = 200_000
"""Of an answer; a longer one is not read, and a warning says so."""
MAX_FINDINGS = 50
_NESTED = 2
"""Levels of `python -c` in a command in a program ... that are followed."""


def verify(answer: Answer, index: RepoIndex) -> Check:
    """Check an answer before anything runs. Never raises for what the answer says.

    An error among the findings means that the answer cannot work; a warning, that it may not.
    """
    if len(answer.code) > MAX_CHARACTERS:
        return Check((Finding("syntax", f"longer than {MAX_CHARACTERS:,} characters: not checked", "", severity="warning"),))
    if not answer.code.strip():
        return Check((Finding("nothing", "the answer is empty", ""),))
    if finding := check_workdir(answer.workdir, index):
        return Check((_printable(finding),))
    workdir = index.files.normalise(answer.workdir or ".") or "."
    findings = _bash(answer.code, workdir, index, 0) if answer.language == "bash" else _python(answer.code, workdir, index, 0)
    ordered = sorted(dict.fromkeys(map(_printable, findings)), key=lambda f: f.severity != "error")
    return Check(tuple(ordered[:MAX_FINDINGS]))


def review(task: Task, answer: Answer, index: RepoIndex) -> Check:
    """The findings of `verify`, and a warning for each value, name and flag that the task asks for and the answer has nowhere.

    `index`: of the task's repository. Never raises for what the task or the answer says. The warnings are hints: a name may be there
    under another word, and a number in a file that the answer uses.
    """
    check = verify(answer, index)
    if len(answer.code) > MAX_CHARACTERS or len(task.instruction) > MAX_CHARACTERS or not answer.code.strip():
        return check
    hints = map(_printable, islice(unplaced(task.instruction, answer, index), MAX_UNPLACED))
    return Check((*check.findings, *hints)[:MAX_FINDINGS])


def _bash(text: str, workdir: str, index: RepoIndex, depth: int) -> list[Finding]:
    return check_bash(text, workdir, index, lambda code, folder: _python(code, folder, index, depth + 1) if depth < _NESTED else [])


def _python(code: str, workdir: str, index: RepoIndex, depth: int) -> list[Finding]:
    return check_python(code, workdir, index, lambda command, folder: _bash(command, folder, index, depth + 1) if depth < _NESTED else [])


def _printable(finding: Finding) -> Finding:
    """Without lone surrogates, which no output stream takes."""
    return Finding(
        finding.kind,
        _clean(finding.message),
        _clean(finding.place),
        finding.source and _clean(finding.source),
        finding.suggestion and _clean(finding.suggestion),
        finding.severity,
    )


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
