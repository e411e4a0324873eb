"""What came of a solve: the answer, how it was checked and run, and the JSON object of it."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.errors import InfrastructureError
from ml_agent.task import Answer
from ml_agent.trajectory import End, Outcome, Trajectory

if TYPE_CHECKING:
    from ml_agent.sandbox.outcome import ExecutionRecord
    from ml_agent.verify import Check
    from ml_agent.workspace import Workspace

_EXIT_CODES: Mapping[Outcome, int] = {"answered": 0, "no_answer": 1, "limit": 1, "infrastructure": 3, "cancelled": 130}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a solve."""

    answer: Answer | None
    check: "Check | None"
    """Of the answer, as it was checked when it was accepted; None without an answer."""
    run: "ExecutionRecord | None"
    """The last run of this very answer; None if it was not run."""
    trajectory: Path
    outcome: Outcome
    message: str = ""
    """Why there is no answer, or what the answer comes with."""
    made: tuple[str, ...] = ()
    """Files that the runs made or changed, relative to the repository's root."""
    tokens: int = 0
    """That a model was paid for."""
    money: float | None = None
    """US dollars; None without a model, and where its price is not known."""
    notes: tuple[str, ...] = ()
    """What was not as one might expect: no sandbox to be had, data that was not copied, a damaged index, ..."""

    @property
    def exit_code(self) -> int:
        """Of the command line: 0 an accepted answer, 1 none, 3 the surroundings failed, 130 interrupted."""
        return _EXIT_CODES[self.outcome]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `ml-agent solve --json`."""
        return {
            "answer": _answer_dict(self.answer),
            "check": check_dict(self.check) if self.check else None,
            "run": _run_dict(self.run),
            "usage": {"tokens": self.tokens, "money": self.money},
            "trajectory": os.fspath(self.trajectory),
        }


def check_dict(check: "Check") -> dict[str, Any]:
    """The JSON object of a check: `ok` and the findings."""
    return {"ok": check.ok, "findings": [asdict(f) for f in check.findings]}


def result_of(done: Trajectory, path: Path, workspace: "Workspace") -> Result:
    """What a finished run over a workspace comes to; `path` is that of its trajectory."""
    from ml_agent.sandbox.outcome import ExecutionRecord
    from ml_agent.verify import Check, Finding

    end, notes = done.end or End("no_answer"), (*workspace.notes, *workspace.index.notes)
    if end.answer is None:
        return Result(None, None, None, path, end.outcome, end.message, notes=notes)
    submitted = [o.data for _, o in done.observations("submit") if o.accepted]
    checked = Check(tuple(Finding(**f) for f in submitted[-1]["findings"])) if submitted else None
    runs = [o.data for call, o in done.observations("run") if o.error is None and _same(call.arguments, end.answer)]
    record = ExecutionRecord(**{**runs[-1], "made": tuple(runs[-1]["made"])}) if runs else None
    return Result(end.answer, checked, record, path, end.outcome, end.message, workspace.made(), notes=notes)


def _same(arguments: Mapping[str, Any], answer: Answer) -> bool:
    """Whether a call of `run` ran this answer."""
    given = (arguments.get("language"), str(arguments.get("code")).strip(), os.path.normpath(str(arguments.get("workdir", "."))))
    return given == (answer.language, answer.code.strip(), os.path.normpath(answer.workdir))


def _answer_dict(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    return {
        "language": answer.language,
        "code": answer.code,
        "workdir": answer.workdir,
        "evidence": [asdict(e) for e in answer.evidence],
        "unused": list(answer.unused),
    }


def _run_dict(record: "ExecutionRecord | None") -> dict[str, Any]:
    if record is None:
        return {"outcome": "not_run", "exit_code": None, "seconds": None, "missing": None, "output_tail": ""}
    return {
        "outcome": record.outcome,
        "exit_code": record.exit_code,
        "seconds": record.seconds,
        "missing": record.missing,
        "output_tail": record.output_tail,
    }


def write_answer(answer: Answer, folder: Path) -> None:
    """The answer as a script that is started from the repository's root. Raises InfrastructureError if it cannot be written."""
    name = "answer.py" if answer.language == "python" else "answer.sh"
    head = "" if answer.language == "python" else "#!/usr/bin/env bash\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{head}{answer.as_text()}\n", encoding="utf-8", errors="surrogateescape", newline="\n")
    except OSError as error:
        raise InfrastructureError(f"cannot write the answer to {folder}: {error.strerror or error}") from error
