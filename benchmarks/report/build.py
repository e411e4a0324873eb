"""Scored runs put together as a report."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from ml_agent.benchmarks.report.model import Pair, Report, ScoredRun
from ml_agent.benchmarks.scoring import Scored, compare_scored
from ml_agent.errors import UsageError

_PAIRS = 6
"""Runs of which all pairs are compared; of more, each with the first alone."""


def build_report(scored: Sequence[Scored]) -> Report:
    """The report over runs. Raises UsageError unless all are of one suite and scored by one scorer."""
    if not scored:
        raise UsageError("nothing to report on: name one run at least")
    first = scored[0]
    for other in scored[1:]:
        if other.suite.hash != first.suite.hash:
            raise UsageError(
                f"{other.run.policy} ran over the suite {other.suite.hash[:12]}, {first.run.policy} over {first.suite.hash[:12]}: "
                "only runs of one suite can be ranked together"
            )
        if (other.scorer.name, other.scorer.version) != (first.scorer.name, first.scorer.version):
            raise UsageError("the runs are scored by different scorers: score all with one")
    covered = {sample.key for one in scored for sample in one.samples}
    samples = tuple(sample for sample in first.suite.samples if sample.key in covered)
    numbers = combinations(range(len(scored)), 2) if len(scored) <= _PAIRS else ((0, other) for other in range(1, len(scored)))
    pairs = tuple(Pair(one, other, compare_scored(scored[one], scored[other])) for one, other in numbers)
    return Report(first.suite, first.scorer.name, first.scorer.version, tuple(map(_noted, scored)), samples, pairs)


def _noted(scored: Scored) -> ScoredRun:
    notes = list(scored.notes)
    if len(scored.samples) < len(scored.suite.samples):
        notes.append(f"over {len(scored.samples):,} of the suite's {len(scored.suite.samples):,} samples only")
    if scored.missing:
        notes.append(f"not finished: {scored.missing:,} attempt{'s' if scored.missing > 1 else ''} missing, counted as failed")
    if scored.raised:
        notes.append(f"the scorer failed on {scored.raised:,} attempt{'s' if scored.raised > 1 else ''}, counted as failed")
    return replace(scored.run, notes=tuple(notes))
