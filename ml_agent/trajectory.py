"""What happened in a run: decisions, tool calls, observations. In memory here, on disk as JSON lines.

A file holds one JSON object a line, append-only: a `header`, then a `decision` and its `observation`s in turn, then an
`end`; before a decision stand the `exchange`s with a model that led to it. Each event is flushed when it is written and the file is
synced at the end, so a killed run loses at most one torn last line, which the reader drops. Keys are redacted.
"""

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from ml_agent.config import TRAJECTORY_BYTES
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.inputs import read_regular
from ml_agent.limits import Remaining
from ml_agent.models.redaction import redact, redacted
from ml_agent.task import Answer, Evidence, Task

SCHEMA = 1

Outcome = Literal["answered", "no_answer", "limit", "infrastructure", "cancelled"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a policy wants made."""

    id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy decides in one step: why, and one or more calls."""

    thought: str
    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """What a tool call brought back.

    `text` is for a model and is capped; `data` is for a program and is JSON-able. `accepted` is set by the tool `submit`
    alone: nothing that stands in `text` can end a run.
    """

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None
    """The class of the failure, if the call failed."""
    accepted: Answer | None = None


INTERRUPTED = Observation("the run ended before this call had a result", error="Interrupted")
"""Stands for the result that a call never had."""


@dataclass(frozen=True, slots=True)
class Step:
    """A decision with the observations of its calls, in the order of the calls."""

    decision: Decision
    observations: tuple[Observation, ...]
    remaining: Remaining | None = None
    """What was left of the limits when it was decided, as the policy was told; None in older files."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a model was asked and replied, in the form of ml_agent.models.recording, before the step of this number was decided."""

    step: int
    content: Mapping[str, Any]


@dataclass(slots=True)
class End:
    """How a run ended."""

    outcome: Outcome
    answer: Answer | None = None
    verified: bool = False
    message: str = ""


@dataclass(slots=True)
class Trajectory:
    """All of one run. The loop alone appends to it."""

    task: Task
    policy: str = ""
    steps: list[Step] = field(default_factory=list)
    end: End | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the run was made with."""
    exchanges: list[Exchange] = field(default_factory=list)
    """With the model, as far as they were read from a file."""

    def observations(self, tool: str) -> Iterator[tuple[ToolCall, Observation]]:
        """The calls of one tool with what they brought back, oldest first."""
        for step in self.steps:
            for call, observation in zip(step.decision.calls, step.observations, strict=False):
                if call.tool == tool:
                    yield call, observation


class TrajectoryFile:
    """Writes a trajectory to disk, one event at a time.

    Raises InfrastructureError if the disk refuses.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = path.open("x", encoding="utf-8", errors="backslashreplace", newline="\n")
        except OSError as error:
            raise InfrastructureError(f"cannot write the trajectory {path}: {error.strerror or error}") from error

    def header(self, trajectory: Trajectory) -> None:
        task = trajectory.task
        self._write(
            "header",
            schema=SCHEMA,
            time=datetime.now(UTC).isoformat(timespec="seconds"),
            policy=trajectory.policy,
            settings=dict(trajectory.settings),
            task={"instruction": task.instruction, "repository": os.fsdecode(task.repository), "time_limit": task.time_limit},
        )

    def before(self, trajectory: Trajectory) -> None:
        """All of a run that this one takes up; its interrupted calls get the result that says so."""
        exchanges = iter(trajectory.exchanges)
        following = next(exchanges, None)
        for number, step in enumerate(trajectory.steps):
            while following is not None and following.step <= number:
                self.exchange(following.content)
                following = next(exchanges, None)
            self.decision(step.decision, step.remaining)
            for call, observation in zip(step.decision.calls, step.observations, strict=True):
                self.observation(call, observation)

    def exchange(self, content: Mapping[str, Any]) -> None:
        self._write("exchange", content=dict(content))

    def decision(self, decision: Decision, remaining: Remaining | None) -> None:
        calls = [{"id": c.id, "tool": c.tool, "arguments": dict(c.arguments)} for c in decision.calls]
        left = remaining and {name: None if math.isinf(value) else value for name, value in asdict(remaining).items()}
        self._write("decision", thought=decision.thought, calls=calls, remaining=left)

    def observation(self, call: ToolCall, observation: Observation) -> None:
        accepted = asdict(observation.accepted) if observation.accepted else None
        fields = {"text": observation.text, "data": dict(observation.data), "error": observation.error, "accepted": accepted}
        self._write("observation", call=call.id, **fields)

    def end(self, end: End) -> None:
        self._write("end", **asdict(end))

    def close(self) -> None:
        """Sync and close; safe to call twice."""
        if self._file.closed:
            return
        try:
            try:
                self._file.flush()
                os.fsync(self._file.fileno())
            finally:
                self._file.close()
        except OSError as error:
            raise InfrastructureError(f"cannot write the trajectory {self.path}: {error.strerror or error}") from error

    def discard(self) -> None:
        """Close and remove it, as if there had been no run."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self.path.unlink()

    def _write(self, event: str, **fields: Any) -> None:
        line = json.dumps({"event": event, **redacted(fields)}, ensure_ascii=False, default=lambda value: redact(str(value)))
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise InfrastructureError(f"cannot write the trajectory {self.path}: {error.strerror or error}") from error


def read_trajectory(path: Path) -> Trajectory:
    """Read a trajectory back. A torn last line is dropped; a call without a result is recorded as interrupted.

    Raises UsageError if the file cannot be read, is too large, or is not a trajectory.
    """
    events = list(_events(path))
    if not events or events[0].get("event") != "header":
        raise UsageError(f"{path} is not a trajectory: its first line is no header")
    if events[0].get("schema") != SCHEMA:
        raise UsageError(f"{path} has trajectory schema {events[0].get('schema')!r}; this version reads {SCHEMA}")
    try:
        return _build(events)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise UsageError(f"{path} is not a whole trajectory: {type(error).__name__} {error}") from error


def _events(path: Path) -> Iterator[dict[str, Any]]:
    lines = read_regular(path, TRAJECTORY_BYTES).split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines):  # no newline behind it: it was being written
                return
            raise UsageError(f"{path}:{number} is not JSON") from error
        if not isinstance(event, dict):
            raise UsageError(f"{path}:{number} is not a JSON object")
        yield event


def _build(events: list[dict[str, Any]]) -> Trajectory:
    head = events[0]["task"]
    task = Task(_text(head["instruction"]), Path(head["repository"]), head["time_limit"])
    trajectory = Trajectory(task, policy=_text(events[0]["policy"]), settings=dict(events[0]["settings"]))
    for event in events[1:]:
        if event["event"] == "exchange":
            trajectory.exchanges.append(Exchange(len(trajectory.steps), dict(event["content"])))
        elif event["event"] == "decision":
            calls = tuple(ToolCall(_text(c["id"]), _text(c["tool"]), dict(c["arguments"])) for c in event["calls"])
            trajectory.steps.append(Step(Decision(_text(event["thought"]), calls), (), _remaining(event.get("remaining"))))
        elif event["event"] == "observation":  # they stand in the order of the calls; ids may repeat from step to step
            step = trajectory.steps[-1]
            if event["call"] != step.decision.calls[len(step.observations)].id:
                raise KeyError(event["call"])
            trajectory.steps[-1] = replace(step, observations=(*step.observations, _observation(event)))
        elif event["event"] == "end":
            trajectory.end = End(_text(event["outcome"]), _answer(event["answer"]), event["verified"], _text(event["message"]))
    for number, step in enumerate(trajectory.steps):
        missing = len(step.decision.calls) - len(step.observations)
        trajectory.steps[number] = replace(step, observations=(*step.observations, *[INTERRUPTED] * missing))
    return trajectory


def _remaining(value: Mapping[str, Any] | None) -> Remaining | None:
    if value is None:
        return None
    return Remaining(**{f.name: math.inf if value[f.name] is None else float(value[f.name]) for f in fields(Remaining)})


def _observation(event: Mapping[str, Any]) -> Observation:
    return Observation(_text(event["text"]), dict(event["data"]), _text_or_none(event["error"]), _answer(event["accepted"]))


def _answer(value: Mapping[str, Any] | None) -> Answer | None:
    if value is None:
        return None
    evidence = tuple(Evidence(_text(e["part"]), _text_or_none(e["words"]), _text_or_none(e["source"])) for e in value["evidence"])
    unused = tuple(map(_text, value.get("unused", ())))  # older files lack it
    return Answer(_text(value["language"]), _text(value["code"]), _text(value["workdir"]), evidence, unused)


def _text(value: Any) -> Any:
    """A string, as it has to be: any other value would fail far from here."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} in place of a text")
    return value


def _text_or_none(value: Any) -> Any:
    return None if value is None else _text(value)
