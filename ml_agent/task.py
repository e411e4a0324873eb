"""The plain data that everything else speaks of: Task, Answer, Evidence."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Language = Literal["bash", "python"]
CONTEXT = "\n\nFrom the repository:\n\n"
"""Stands in an instruction between the task and text of the repository that is given with it: the benchmark's settings."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is wanted, of which repository. Nothing of a benchmark row beyond these."""

    instruction: str
    repository: Path
    time_limit: float | None = None
    """Seconds for the whole solve; None leaves it to the limits of the run."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why one part of an answer is there."""

    part: str
    """The words of the answer that this justifies, e.g. `--lr 0.01`."""
    words: str | None = None
    """The words of the task that ask for it, verbatim."""
    source: str | None = None
    """`path:line` in the repository, the path relative to its root."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A command line or a Python program that does the task."""

    language: Language
    code: str
    workdir: str = "."
    """Folder it starts in: relative to the repository's root, with forward slashes."""
    evidence: tuple[Evidence, ...] = ()
    unused: tuple[str, ...] = ()
    """Words of the task, verbatim, that ask for something this answer does not do."""

    def as_text(self) -> str:
        """The answer as one text that starts in the repository's root (`cd DIR && ...` for bash)."""
        import shlex

        if self.language == "bash" and self.workdir not in (".", ""):
            return f"cd {shlex.quote(self.workdir)} && {self.code}"
        return self.code
