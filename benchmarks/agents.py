"""Agents that know the ground truth or nothing at all: what a scorer has to tell apart before its numbers mean anything.

`oracle` gives the ground truth and must pass. The others must not: `nop` does nothing, `exit0` succeeds before it does anything, `echo`
says what should be done, `wrong-argument` does it with one value changed, each value in turn.
"""

import ast
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ml_agent.benchmarks.base import Attempt, Sample, Scorer, Suite
from ml_agent.repo.pysource import parse_python
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer

Maker = Callable[[Sample, Suite], Iterator[Answer]]
Execute = Callable[[Sample, Answer], tuple[ExecutionRecord, tuple[tuple[str, ...], ...] | None]]
"""Runs an answer in a fresh workspace: what came of it, and what programs received."""


def _answer(sample: Sample, code: str) -> Answer:
    return Answer(sample.language, code, sample.workdir)


def oracle(sample: Sample, _suite: Suite) -> Iterator[Answer]:
    """The ground truth."""
    prefix = "".join(f"export {line}\n" for line in _exports(sample)) if sample.language == "bash" else ""
    yield _answer(sample, prefix + sample.output)


def _exports(sample: Sample) -> Iterator[str]:
    for found in re.finditer(r"^\s*(?:export\s+)?([A-Za-z_]\w*=[^\s;&]+)\s*$", sample.prefix_code, re.MULTILINE):
        yield found[1]


def nop(sample: Sample, _suite: Suite) -> Iterator[Answer]:
    """Nothing, in a form that is none and in one that runs."""
    yield _answer(sample, "")
    yield _answer(sample, ":" if sample.language == "bash" else "pass")


def exit0(sample: Sample, _suite: Suite) -> Iterator[Answer]:
    """Success before anything is done; also with the ground truth behind it."""
    ends = ("exit 0",) if sample.language == "bash" else ("raise SystemExit(0)", "import sys\nsys.exit(0)", "import os\nos._exit(0)")
    for end in ends:
        yield _answer(sample, end)
        yield _answer(sample, f"{end}\n{sample.output}")


def echo(sample: Sample, _suite: Suite) -> Iterator[Answer]:
    """The ground truth, the instruction, and what an agent was told, all said and nothing run."""
    for text in (sample.output, sample.instruction, f"{sample.instruction}\n{sample.oracle}\n{dict(sample.arguments)}"):
        if sample.language == "bash":
            yield _answer(sample, f"echo {shlex.quote(text)}")
            delimiter = "END_OF_TEXT"
            yield _answer(sample, f"cat <<'{delimiter}'\n{text}\n{delimiter}")
        else:
            yield _answer(sample, f"print({text!r})")
            yield _answer(sample, f"text = {text!r}\nprint(text)")


def wrong_argument(sample: Sample, suite: Suite) -> Iterator[Answer]:
    """The ground truth with one value that the task asks for changed wherever it stands: to one that another row has, else to none's."""
    for name, value in sample.arguments.items():
        text = str(value)
        pattern = re.compile(rf"(?<![\w.]){re.escape(text)}(?![\w]|\.\d)", re.IGNORECASE)
        if not text.strip() or not pattern.search(sample.output):
            continue
        changed = pattern.sub(_other(name, text, suite).replace("\\", "\\\\"), sample.output)
        if sample.language == "bash" or _program(changed) != _program(sample.output):
            yield _answer(sample, changed)


def _program(code: str) -> str:
    """The program without its comments, or as it is if it is none."""
    try:
        return ast.dump(parse_python(code))
    except (SyntaxError, RecursionError):
        return code


def _other(name: str, value: str, suite: Suite) -> str:
    """Another value for that argument; of the same kind, and no part of the right one or the other way round."""
    try:
        number = float(value)
    except ValueError:
        pool = sorted({str(sample.arguments[name]) for sample in suite.samples if name in sample.arguments})
        fit = (one for one in pool if re.fullmatch(r"[\w./-]+", one, re.ASCII) and not _overlap(one.lower(), value.lower()))
        return next(fit, f"other{value[::-1] if value.isalnum() else ''}")
    changed = abs(number) * 2 + 1
    return str(int(changed)) if re.fullmatch(r"-?\d+", value) else f"{changed:g}"


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


AGENTS: Mapping[str, Maker] = {"oracle": oracle, "nop": nop, "exit0": exit0, "echo": echo, "wrong-argument": wrong_argument}


@dataclass(slots=True)
class Line:
    """How one agent fared. `samples` are those that it has an answer for and that are reachable."""

    agent: str
    samples: int = 0
    passed: int = 0
    """Samples that one of its answers passed."""
    answers: int = 0
    passed_answers: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Verdict's reason -> answers."""
    astray: list[str] = field(default_factory=list)
    """Keys of samples that it should have passed and did not, or should not have and did, with the reason."""

    @property
    def rate(self) -> float | None:
        """Passed answers of all answers, from 0 to 1; None without any."""
        return self.passed_answers / self.answers if self.answers else None


@dataclass(frozen=True, slots=True)
class Validation:
    suite: str
    hash: str
    scorer: str
    lines: tuple[Line, ...]
    unreachable: Mapping[str, str]
    """Key -> why its own ground truth cannot pass; left out of the lines."""
    limits: Mapping[str, float] = field(default_factory=lambda: {"wrong-argument": 0.02})

    @property
    def ok(self) -> bool:
        """The oracle passes everything that can be, at most one sample in twenty cannot be, and the others pass (nearly) nothing."""
        few = len(self.unreachable) <= 0.05 * (max(line.samples for line in self.lines) + len(self.unreachable))
        return few and all(self.is_right(line) for line in self.lines)

    def is_right(self, line: Line) -> bool:
        rate = line.rate
        if rate is None:
            return False
        return rate == 1 if line.agent == "oracle" else rate <= self.limits.get(line.agent, 0.0)


def validate(suite: Suite, scorer: Scorer, execute: Execute | None = None, *, agents: Mapping[str, Maker] = AGENTS) -> Validation:
    """Give the scorer each agent's answers to each sample. With `execute` they are run first; without, nothing is run."""
    lines = {name: Line(name) for name in agents}
    for sample in suite.samples:
        if sample.unreachable:
            continue
        for name, maker in agents.items():
            _score(lines[name], sample, list(maker(sample, suite)), scorer, execute)
    unreachable = {sample.key: sample.unreachable for sample in suite.samples if sample.unreachable}
    return Validation(suite.name, suite.hash, f"{scorer.name} {scorer.version}", tuple(lines.values()), unreachable)


def _score(line: Line, sample: Sample, answers: list[Answer], scorer: Scorer, execute: Execute | None) -> None:
    line.samples += bool(answers)
    any_passed = False
    for number, answer in enumerate(answers):
        record, received = execute(sample, answer) if execute is not None and answer.code.strip() else (None, None)
        verdict = scorer.score(sample, Attempt(sample.key, number, "answered", answer, record=record, received=received))
        line.answers += 1
        line.passed_answers += verdict.passed
        line.reasons[verdict.reason] += 1
        any_passed = any_passed or verdict.passed
        if verdict.passed != (line.agent == "oracle"):
            line.astray.append(f"{sample.key}: {verdict.reason} {verdict.detail}".rstrip())
    line.passed += any_passed
