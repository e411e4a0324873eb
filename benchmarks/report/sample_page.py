"""What a sample's page shows of one attempt, cut to a size that a browser takes."""

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Attempt
from ml_agent.benchmarks.report import texts
from ml_agent.benchmarks.report.cells import MARKS, state_of
from ml_agent.benchmarks.report.model import Judged, ScoredRun
from ml_agent.errors import UsageError
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.trajectory import Observation, ToolCall, Trajectory, read_trajectory

_CODE = 20_000
"""Characters of code."""
_TEXT = 4_000
"""Characters of what a tool said."""
_NAME = 80
_STEPS = 100
_LONG = 200
"""Characters of a text that is not shown twice."""
_VECTORS = 20
"""Argument vectors of programs."""

Url = Callable[[str | None], str]
"""Where a source stands on the web; empty if nowhere."""


Shown = dict[tuple[str, str], tuple[str, str]]
"""A call and what it brought back -> where that stands on the page: its name and its address. Attempts of one policy begin alike."""


def attempt_view(judged: Judged, run: ScoredRun, url: Url, place: str, shown: Shown) -> dict[str, Any]:
    """The attempt as its template takes it; `place` is unique on the page, `shown` is added to."""
    attempt, state = judged.attempt, state_of(judged)
    title = f"{'Alternative' if run.ranked else 'Attempt'} {attempt.attempt + 1}"
    trajectory, missing = _trajectory(attempt, run.folder)
    if trajectory is not None:
        _refer(trajectory["steps"], title, f"{place}-{attempt.attempt}", shown)
    return {
        "title": title,
        "state": state,
        "mark": MARKS[state],
        "reason": texts.line(judged.verdict.reason, _NAME),
        "detail": "" if judged.verdict.detail in (attempt.ending, judged.verdict.reason) else texts.cut(judged.verdict.detail, _TEXT),
        "facts": _facts(judged),
        "answer": attempt.answer,
        "glance": texts.line(attempt.answer.code, 90) if attempt.answer else "",
        "message": "" if attempt.ending == "answered" else attempt.message,
        "findings": [_finding(finding, url) for finding in attempt.findings],
        "evidence": [
            {"part": one.part, "words": one.words, "source": one.source, "url": url(one.source)}
            for one in (attempt.answer.evidence if attempt.answer else ())
        ],
        "record": attempt.record,
        "execution": _execution(attempt.record) if attempt.record else "",
        "received": [shlex.join(vector) for vector in (attempt.received or ())[:_VECTORS]],
        "output": texts.terminal(attempt.record.output_tail).strip("\n") if attempt.record else "",
        "trajectory": trajectory,
        "no_trajectory": missing,
    }


def _facts(judged: Judged) -> list[str]:
    attempt, usage = judged.attempt, judged.attempt.usage
    checked = "check passed" if attempt.verified else "check not passed" if attempt.findings else ""
    facts = [attempt.ending.replace("_", " "), checked, judged.error_class and f"error class: {texts.line(judged.error_class, _NAME)}"]
    facts += [f"{usage.seconds:.1f} s" if usage.seconds else "", _counted(usage.steps, "step"), _counted(usage.tokens, "token")]
    facts.append(f"money: {texts.money(usage.money)}" if usage.money != 0 else "")
    return [fact for fact in facts if fact]


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}" if number else ""


def _finding(finding: Mapping[str, Any], url: Url) -> dict[str, Any]:
    """Findings are stored as JSON objects, and may come from anywhere."""
    source = finding.get("source")
    known = str(source) if source else None
    return {
        "warning": finding.get("severity") == "warning",
        "kind": texts.line(str(finding.get("kind", "finding")), _NAME),
        "message": texts.cut(str(finding.get("message", "")), _TEXT),
        "source": known,
        "url": url(known),
        "suggestion": texts.line(str(finding.get("suggestion") or "")),
    }


def _execution(record: ExecutionRecord) -> str:
    said = record.outcome.replace("_", " ")
    if record.outcome != "not_run":
        said += f" after {record.seconds:.1f} s"
    if record.exit_code is not None:
        said += f", exit code {record.exit_code}"
    if record.missing:
        said += f"; missing: {record.missing}"
    return texts.cut(f"{said}; {record.reason}" if record.reason else said, _TEXT)


def _trajectory(attempt: Attempt, folder: Path | None) -> tuple[dict[str, Any] | None, str]:
    """The trajectory, or in words why there is none. A path that leaves the run's folder is not followed."""
    if not attempt.trajectory or folder is None:
        return None, ""
    try:
        path = (folder / attempt.trajectory).resolve()
        if not path.is_relative_to(folder.resolve()):
            return None, "The trajectory is outside the run's folder: not read."
        return _view(read_trajectory(path)), ""
    except (UsageError, OSError, ValueError) as error:  # ValueError: no path can be made of that text
        return None, f"No trajectory: {error}"


def _view(trajectory: Trajectory) -> dict[str, Any]:
    steps = [
        {
            "thought": texts.cut(step.decision.thought, _TEXT),
            "calls": [_call(call, seen) for call, seen in zip(step.decision.calls, step.observations, strict=False)],
        }
        for step in trajectory.steps[:_STEPS]
    ]
    end = trajectory.end
    said = "none: the run was killed" if end is None else end.outcome.replace("_", " ") + (f": {end.message}" if end.message else "")
    return {"steps": steps, "left_out": max(0, len(trajectory.steps) - _STEPS), "end": texts.cut(said, _TEXT)}


def _refer(steps: list[dict[str, Any]], title: str, place: str, shown: Shown) -> None:
    """Long texts that stand on the page already are referred to."""
    for number, step in enumerate(steps, 1):
        step["id"] = f"{place}-{number}"
        for call in step["calls"]:
            if len(call["text"]) > _LONG:
                name, address = shown.setdefault((call["line"], call["text"]), (f"{title}, step {number}", step["id"]))
                if address != step["id"]:
                    call |= {"text": "", "same": name, "address": address}


def _call(call: ToolCall, seen: Observation) -> dict[str, Any]:
    code = call.arguments.get("code")
    rest = {name: value for name, value in call.arguments.items() if name != "code" or not isinstance(code, str)}
    words = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in rest.items())
    return {
        "line": texts.line(f"{call.tool}({words})", 300),
        "code": texts.cut(code, _CODE) if isinstance(code, str) else "",
        "text": texts.cut(texts.terminal(seen.text), _TEXT),
        "error": texts.line(seen.error or "", _NAME),
        "same": "",
    }
