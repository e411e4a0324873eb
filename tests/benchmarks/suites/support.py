"""What the tests of suites share."""

from ml_agent.benchmarks.base import Attempt, Sample
from ml_agent.benchmarks.scorers.static import StaticScorer
from ml_agent.task import Answer


def passes(sample: Sample) -> bool:
    """Whether the scorer takes the sample's own ground truth."""
    answer = Answer(sample.language, sample.output, sample.workdir)
    return StaticScorer().score(sample, Attempt(sample.key, 0, "answered", answer)).passed
