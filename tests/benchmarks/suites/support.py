"""What the tests of suites share."""

from ml_agent.benchmarks.base import Attempt, Sample
from ml_agent.benchmarks.scorers.static import StaticScorer
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.wide import is_unseen
from ml_agent.task import Answer


def check_halves(suite: str, at_least: int) -> None:
    """That its samples, so many at least, fall into those of repositories that are looked at and those of the others."""
    whole, seen, unseen = (load_suite(suite, split=split).samples for split in ("full", "seen", "unseen"))
    assert {s.key for s in seen} | {s.key for s in unseen} == {s.key for s in whole}
    assert len(seen) + len(unseen) == len(whole) >= at_least
    assert all(is_unseen(s.repository) for s in unseen)
    assert not any(is_unseen(s.repository) for s in seen)


def passes(sample: Sample) -> bool:
    """Whether the scorer takes the sample's own ground truth."""
    answer = Answer(sample.language, sample.output, sample.workdir)
    return StaticScorer().score(sample, Attempt(sample.key, 0, "answered", answer)).passed
