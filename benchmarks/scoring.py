"""Scores a run's stored attempts, or a file of answers: pure, and the same whatever the order, the machine or the number of workers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ml_agent.benchmarks import statistics
from ml_agent.benchmarks.base import Attempt, Sample, Scorer, Suite, Verdict
from ml_agent.benchmarks.errors import SURROUNDINGS, error_class
from ml_agent.benchmarks.faults import COUNTS
from ml_agent.benchmarks.published import read_answers
from ml_agent.benchmarks.report.model import FAMILIES, KS, Family, Figures, Judged, Rate, ScoredRun
from ml_agent.benchmarks.runs import Run
from ml_agent.errors import UsageError

RAISED = "scorer_raised"
"""Reason of a verdict that there is none: the scorer is at fault, not the answer."""
INFRASTRUCTURE = "infrastructure"
NOT_MADE = "not_made"
_NO_VERDICT = SURROUNDINGS | {RAISED}
_DETAIL = 300

_Marks = Sequence[statistics.Mark]
_Form = Callable[[Iterable[statistics.Mark]], list[bool]]
_FORMS: Mapping[str, _Form] = {"counted_as_failed": statistics.counted, "left_out": statistics.left_out}


@dataclass(frozen=True, slots=True)
class _Row:
    """What is kept of a sample."""

    repository: str
    language: str
    marks: _Marks


@dataclass(frozen=True, slots=True)
class Scored:
    """A run with its score."""

    suite: Suite
    samples: tuple[Sample, ...]
    """Those that it is over."""
    scorer: Scorer
    run: ScoredRun
    each: int
    """Attempts at each sample."""
    both: Mapping[str, Mapping[Family, Mapping[int, Rate]]]
    """Form (`counted_as_failed`, `left_out`: the infrastructure failures) -> family -> k -> rate."""
    missing: int
    """Attempts that were not made: the run is not finished. Shown like infrastructure failures, in both forms."""
    raised: int
    """Attempts that the scorer raised an exception on. In both forms, too."""
    first: Mapping[str, float]
    """Sample key -> what it counts for in the score: to compare policies by."""
    notes: tuple[str, ...] = ()


def score_run(run: Run, scorer: Scorer) -> Scored:
    """Score what a run's folder holds. Nothing is executed, and nothing is written."""
    settings = run.settings
    scored = ScoredRun(
        policy=str(settings.get("policy_name") or settings.get("policy")),
        digest=str(settings["policy_digest"]),
        ranked=run.ranked,
        figures=Figures(Rate(None, 0), ""),
        judged=_judging(run.samples, run.attempts_at, scorer),
        setting=str(settings.get("setting", "")),
        model=str(settings.get("model", "")),
        folder=run.folder,
        settings=settings,
    )
    return _score(run.suite, run.samples, scorer, scored, run.attempts_each)


def score_answers(path: Path, suite: Suite, scorer: Scorer, *, ranked: bool = False) -> Scored:
    """Score a file of answers in the original's format. Raises UsageError if it is none."""
    answers = read_answers(path, suite)
    samples = {sample.key: sample for sample in suite.samples}
    judged = _judging(suite.samples, lambda key: answers.attempts(samples[key], pad=ranked), scorer)
    settings = {"answers": path.name, "suite_hash": suite.hash, "policy_digest": answers.digest, "attempts": answers.each}
    scored = ScoredRun(answers.name, answers.digest, ranked, Figures(Rate(None, 0), ""), judged, setting="", settings=settings)
    return _score(suite, suite.samples, scorer, scored, answers.each, answers.notes)


def _judging(
    samples: Iterable[Sample], attempts_at: Callable[[str], Sequence[Attempt]], scorer: Scorer
) -> Callable[[str], Sequence[Judged]]:
    by_key = {sample.key: sample for sample in samples}
    return lambda key: [judge(by_key[key], attempt, scorer) for attempt in attempts_at(key)]


def judge(sample: Sample, attempt: Attempt, scorer: Scorer) -> Judged:
    """The verdict on one attempt. What the surroundings ended is not shown to the scorer."""
    if COUNTS[attempt.ending] == "infrastructure":
        return Judged(attempt, Verdict(False, INFRASTRUCTURE, _line(attempt.message)))
    try:
        verdict = scorer.score(sample, attempt)
    except Exception as error:  # noqa: BLE001 - it may raise nothing; if it does, that is said, and costs nobody anything else
        return Judged(attempt, Verdict(False, RAISED, _line(f"{type(error).__name__}: {error}")))
    return Judged(attempt, verdict, error_class(attempt, verdict) or "")


def _line(text: str) -> str:
    return " ".join(text.split())[:_DETAIL]


def _score(suite: Suite, samples: tuple[Sample, ...], scorer: Scorer, run: ScoredRun, each: int, notes: tuple[str, ...] = ()) -> Scored:
    rows: dict[str, _Row] = {}
    reasons, errors = Counter[str](), Counter[str]()
    seconds, tokens, money, made = 0.0, 0, _Money(), 0
    for sample in samples:
        judged = run.judged(sample.key)
        reasons.update(one.verdict.reason for one in judged)
        errors.update(one.error_class for one in judged if one.error_class)
        for one in judged:
            seconds, tokens, made = seconds + one.attempt.usage.seconds, tokens + one.attempt.usage.tokens, made + 1
            money.add(one.attempt.usage.money)
        rows[sample.key] = _Row(sample.repository, sample.language, _marks(judged, each if run.folder else len(judged)))
    missing = sum(len(row.marks) for row in rows.values()) - made
    if missing:
        reasons[NOT_MADE] = missing
    both = {form: _rates(rows.values(), prepare, run.ranked) for form, prepare in _FORMS.items()}
    family: Family = "first" if scorer.name == "original" else "hit" if run.ranked else "pass"
    figures = Figures(
        score=both["counted_as_failed"][family][1],
        score_name=FAMILIES[family].format(1),
        rates=both["counted_as_failed"],
        infrastructure=sum(reasons[reason] for reason in SURROUNDINGS),
        attempts=made,
        without_infrastructure=both["left_out"][family][1],
        by_repository=_by(rows.values(), lambda row: row.repository, family),
        by_type=_by(rows.values(), lambda row: row.language, family),
        by_error=dict(sorted(errors.items())),
        by_reason=dict(sorted(reasons.items())),
        seconds=round(seconds, 3),
        tokens=tokens,
        money=money.total,
    )
    first = {key: value for key, row in rows.items() if (value := _value(statistics.counted(row.marks), family, 1)) is not None}
    return Scored(suite, samples, scorer, replace(run, figures=figures), each, both, missing, reasons[RAISED], first, notes)


class _Money:
    """A sum, None once any part of it is not known."""

    total: float | None = 0.0

    def add(self, part: float | None) -> None:
        self.total = None if self.total is None or part is None else self.total + part


def _marks(judged: Sequence[Judged], expected: int) -> tuple[statistics.Mark, ...]:
    """By the number of the attempt: what was not made, was not ended by the policy, or was not judged, is None."""
    marks: list[statistics.Mark] = [None] * expected
    for one in judged:
        marks[one.attempt.attempt] = None if one.verdict.reason in _NO_VERDICT else one.verdict.passed
    return tuple(marks)


def _value(marks: Sequence[bool], family: Family, k: int) -> float | None:
    if family == "pass":
        return statistics.pass_at_k(len(marks), sum(marks), k)
    return statistics.hit_at_k(marks, k) if family == "hit" else statistics.first_k(marks, k) if marks else None


def _rate(rows: Iterable[_Row], prepare: _Form, family: Family, k: int) -> Rate:
    values = ((row.repository, _value(prepare(row.marks), family, k)) for row in rows)
    return statistics.rate([(repository, value) for repository, value in values if value is not None])


def _rates(rows: Iterable[_Row], prepare: _Form, ranked: bool) -> dict[Family, dict[int, Rate]]:
    families: tuple[Family, ...] = ("hit" if ranked else "pass", "first")
    return {family: {k: _rate(rows, prepare, family, k) for k in KS} for family in families}


def _by(rows: Iterable[_Row], name: Callable[[_Row], str], family: Family) -> dict[str, Rate]:
    groups: dict[str, list[_Row]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return {group: _rate(groups[group], statistics.counted, family, 1) for group in sorted(groups)}


def compare_scored(first: Scored, second: Scored) -> statistics.Comparison:
    """Two scored runs on the samples that both are over. Raises UsageError unless suite and scorer are the same."""
    if first.suite.hash != second.suite.hash:
        raise UsageError("the two runs are of different suites: only runs with the same suite hash can be compared")
    if (first.scorer.name, first.scorer.version) != (second.scorer.name, second.scorer.version):
        raise UsageError("the two runs are scored by different scorers")
    return statistics.compare(first.first, second.first, {sample.key: sample.repository for sample in first.samples})


def scores_object(scored: Scored, *, verdicts: bool = True) -> dict[str, Any]:
    """The JSON object of a score. Samples are in the order of their keys, so that equal scores are equal objects."""
    run, figures = scored.run, scored.run.figures
    suite = scored.suite
    value: dict[str, Any] = {
        "suite": {"name": suite.name, "version": suite.version, "hash": suite.hash, "samples": len(suite.samples)},
        "policy": {"name": run.policy, "digest": run.digest, "model": run.model, "setting": run.setting, "ranked": run.ranked},
        "scorer": {"name": scored.scorer.name, "version": scored.scorer.version},
        "samples": len(scored.samples),
        "attempts": scored.each,
        "score": {"name": figures.score_name, **asdict(figures.score)},
        "rates": {
            form: {FAMILIES[family].format(k): asdict(rate) for family, rates in found.items() for k, rate in rates.items()}
            for form, found in scored.both.items()
        },
        "infrastructure": figures.infrastructure,
        "not_made": scored.missing,
        "scorer_raised": scored.raised,
        "by_repository": {name: asdict(rate) for name, rate in figures.by_repository.items()},
        "by_type": {name: asdict(rate) for name, rate in figures.by_type.items()},
        "by_error": dict(figures.by_error),
        "by_reason": dict(figures.by_reason),
        "usage": {"seconds": figures.seconds, "tokens": figures.tokens, "money": figures.money},
        "notes": list(scored.notes),
    }
    if verdicts:
        value["verdicts"] = [
            {"sample": sample.key, "attempt": one.attempt.attempt, **asdict(one.verdict), "error_class": one.error_class or None}
            for sample in sorted(scored.samples, key=lambda sample: sample.key)
            for one in run.judged(sample.key)
        ]
    return value
