"""Results, checks and trajectories laid out on a screen."""

import json
import os
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.api import Result
from ml_agent.console import Screen, Segment, safe
from ml_agent.task import Answer, Evidence
from ml_agent.trajectory import Decision, End, Observation, ToolCall, Trajectory

if TYPE_CHECKING:
    from ml_agent.sandbox.outcome import ExecutionRecord
    from ml_agent.verify import Check, Finding

_LABEL = 9
_PART = 40
"""Columns of a part of the answer, before its source."""
_TAIL = 12
"""Lines of output that are shown of a run."""
_LINES = 12
"""Lines of a tool's text that are shown of a stored run."""
_DOING = {"run": "running", "check_answer": "checking", "submit": "submitting", "write_file": "writing", "edit_file": "writing"}
"""What a tool does, for the status line; all others read."""
_NAMES = 12
"""Files made that are named."""
_COLUMNS = 500
"""Characters of one line of foreign output, unless all is asked for."""
_NOTES = 5
"""Notes of one kind."""


def show_result(screen: Screen, result: Result, *, output: str | None = None) -> None:
    """The answer, what was found out about it, and where each part comes from."""
    answer = result.answer
    if answer is not None:
        _show_answer(screen, answer)
        if result.check is not None:
            show_check(screen, result.check)
        _show_run(screen, result.run)
        _show_evidence(screen, answer.evidence)
        if result.made:
            named = ", ".join(safe(name) for name in result.made[:_NAMES])
            more = f" and {len(result.made) - _NAMES} more" if len(result.made) > _NAMES else ""
            kept = f" (kept in {safe(output)})" if output and result.outcome == "answered" else " (not kept)"
            fate = kept if output else " (dropped; --output DIR keeps them)"
            _label(screen, "made", (named + more, ""), (fate, "dim"))
    _label(screen, "record", (safe(_short(result.trajectory)), "dim"))


def show_notes(screen: Screen, result: Result, *, said: Collection[str] = ()) -> None:
    """What was not as one might expect, but for what was `said` before, and, in one line, why there is no answer.

    Of notes that differ in a name only, a few are shown and the others counted. Nothing if all is well.
    """
    kinds: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for note in result.notes:
        if note not in said:
            kinds[tuple(note.split()[-3:])].append(note)  # a note begins with the path that it is about
    for notes in kinds.values():
        for note in notes[:_NOTES]:
            screen.line((f"note: {safe(note)}", "yellow"))
        if len(notes) > _NOTES:
            screen.line((f"note: and {len(notes) - _NOTES} more like the last", "yellow"))
    if result.outcome == "answered":
        return
    what = {
        "no_answer": "no answer",
        "limit": "no answer within the limits",
        "infrastructure": "the surroundings failed",
        "cancelled": "interrupted",
    }[result.outcome]
    why = f": {safe(result.message)}" if result.message else ""
    screen.line((f"ml-agent: {what}{why}", "red"))


def show_check(screen: Screen, check: "Check") -> None:
    """Passed or not, and each finding with its place and the nearest right thing."""
    errors = sum(f.severity == "error" for f in check.findings)
    warnings = len(check.findings) - errors
    counts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    verdict, style = ("passed", "green") if check.ok else ("not passed", "red")
    _label(screen, "check", (verdict, style), (f" ({', '.join(counts)})" if counts else "", ""))
    for finding in check.findings:
        _show_finding(screen, finding)


def show_trajectory(screen: Screen, trajectory: Trajectory, *, full: bool = False) -> None:
    """A stored run: the task, each step, the end. Long texts are cut unless `full`."""
    task, end = trajectory.task, trajectory.end
    _label(screen, "task", (safe(task.instruction), "bold"))
    _label(screen, "repo", (safe(str(task.repository)), ""))
    _label(screen, "policy", (safe(trajectory.policy), ""))
    for number, step in enumerate(trajectory.steps, 1):
        screen.line()
        screen.line((f"step {number}  ", "bold cyan"), (safe(step.decision.thought), "italic"))
        for call, observation in zip(step.decision.calls, step.observations, strict=False):
            _show_call(screen, call, observation, full=full)
    screen.line()
    if end is None:
        _label(screen, "end", ("none: the run was killed", "red"))
        return
    _label(screen, "end", (safe(end.outcome), "green" if end.outcome == "answered" else "red"), (_because(end), ""))
    if end.answer is not None:
        screen.line()
        _show_answer(screen, end.answer)
        _label(screen, "check", ("passed", "green") if end.verified else ("not passed", "red"))
        _show_evidence(screen, end.answer.evidence)


def progress(event: Any) -> str:
    """What is being done, in a few words, after an event of the loop."""
    if isinstance(event, End):
        return "finishing"
    if not isinstance(event, Decision) or not event.calls:
        return "deciding"
    call = event.calls[0]
    code = str(call.arguments.get("code", "")).strip().partition("\n")[0]
    doing = _DOING.get(call.tool, "reading the repository")
    return safe(f"{doing}: {code}" if code else doing)


def _short(path: Path) -> str:
    """With `~` for the home folder, as a shell takes it."""
    home = os.environ.get("HOME", "")
    inside = os.path.isabs(home) and home.strip("/") and path.is_relative_to(home)
    return f"~/{path.relative_to(home)}" if inside else str(path)


def _because(end: End) -> str:
    return f": {safe(end.message)}" if end.message else ""


def _label(screen: Screen, label: str, *segments: Segment) -> None:
    screen.line((f"{label:<{_LABEL}}", "dim"), *segments)


def _folder(workdir: str) -> str:
    return "the repository's root" if workdir in (".", "") else safe(workdir)


def _show_answer(screen: Screen, answer: Answer) -> None:
    screen.code(answer.as_text(), answer.language)
    screen.line()
    if answer.unused:
        screen.line(("not used  " + f" {screen.dot} ".join(f'"{safe(words)}"' for words in answer.unused), "yellow"))
    _label(screen, "folder", (_folder(answer.workdir), "bold"))


def _show_finding(screen: Screen, finding: "Finding") -> None:
    style = "red" if finding.severity == "error" else "yellow"
    source = f" [{safe(finding.source)}]" if finding.source else ""
    screen.line((f"  {finding.severity}: ", style), (f"{finding.kind}: {safe(finding.message)}", ""), (source, "dim"))
    if finding.suggestion:
        screen.line(("    nearest: ", "dim"), (safe(finding.suggestion), "bold"))


def _show_run(screen: Screen, record: "ExecutionRecord | None") -> None:
    if record is None or record.outcome == "not_run":
        why = f": {safe(record.reason)}" if record and record.reason else ""
        _label(screen, "run", (f"not run{why}", "yellow"))
        return
    seconds = f"{record.seconds:.1f} s"
    said = {
        "completed": (f"completed in {seconds}", "green"),
        "running_at_limit": (f"still going after {seconds}, when it was stopped", "green"),
        "failed": (f"failed after {seconds}", "red"),
        "environment": (f"cannot run here: {safe(record.missing or 'something')} is missing", "yellow"),
    }[record.outcome]
    _label(screen, "run", said, (f" (exit code {record.exit_code})" if record.exit_code is not None else "", ""))
    if hint := _hint(record.missing or ""):
        _label(screen, "", (hint, "dim"))
    tail = record.output_tail.strip("\n").split("\n")[-_TAIL:]
    if any(tail):
        screen.block("\n".join(map(_cut, tail)), "dim")


def _hint(missing: str) -> str:
    """How to provide what a run lacked."""
    kind, _, name = missing.partition(" ")
    if kind == "module":
        from ml_agent.repo.dependencies.pypi import DISTRIBUTIONS

        module = name.partition(".")[0]
        return f"to provide it: --setup 'pip install {safe(DISTRIBUTIONS.get(module, module))}' --network setup; see also ml-agent env"
    if kind.startswith("network"):
        return "to provide it: --network on"
    if kind in ("file", "data"):
        return "to provide it, if it is data of yours: --data PATH:NAME"
    return ""


def _show_evidence(screen: Screen, evidence: tuple[Evidence, ...]) -> None:
    if not evidence:
        return
    width = min(_PART, max(len(safe(e.part)) for e in evidence))
    for number, item in enumerate(evidence):
        words = f'"{safe(item.words)}"' if item.words else ""
        source = safe(item.source) if item.source else ""
        between = f" {screen.dot} " if words and source else ""
        part = safe(item.part)
        _label(
            screen,
            "sources" if number == 0 else "",
            (f"{part:<{width}}  ", "bold"),
            (f"{screen.arrow} ", "dim"),
            (words, "green"),
            (between, "dim"),
            (source, "cyan"),
        )


def _show_call(screen: Screen, call: ToolCall, observation: Observation, *, full: bool) -> None:
    screen.line(("  ", ""), (_call_line(call, full=full), "cyan"))
    lines = observation.text.split("\n")
    shown = lines if full else [_cut(line) for line in lines[:_LINES]]
    screen.block("\n".join(shown), "red" if observation.error else "dim")
    if len(shown) < len(lines):
        screen.line((f"    ... {len(lines) - len(shown)} more lines; --full shows them", "dim italic"))


def _cut(line: str) -> str:
    return line if len(line) <= _COLUMNS else f"{line[:_COLUMNS]} ... {len(line) - _COLUMNS:,} more characters"


def _call_line(call: ToolCall, *, full: bool = False) -> str:
    """A call as `tool(name=value, ...)` in one line."""
    arguments = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in call.arguments.items())
    line = safe(f"{call.tool}({arguments})")
    return line if full or len(line) <= 160 else line[:157] + "..."
