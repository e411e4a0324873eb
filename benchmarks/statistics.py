"""Rates over samples, their uncertainty, and the comparison of two policies. Pure functions of numbers.

Samples of one repository are alike, so standard errors and intervals are clustered on it. What cannot be known is None: pass@k of fewer
than k attempts, an interval over fewer than five repositories. Sums are exact (fsum): not even the last digit depends on the order of
samples.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ml_agent.benchmarks.report.model import Rate

CLUSTERS = 5
"""Repositories that a standard error needs at least."""
LEVEL = 0.95

Mark = bool | None
"""Whether an attempt passed; None if the surroundings ended it, or if it was not made."""
Value = tuple[str, float]
"""A sample's repository, and what the sample counts for, 0 to 1."""


def pass_at_k(scored: int, passed: int, k: int) -> float | None:
    """The probability that one of k independent attempts passes, of which `passed` of `scored` did: unbiased (Chen et al., 2021)."""
    if not 0 <= passed <= scored or k < 1:
        raise ValueError(f"{passed} passed of {scored}, at {k}")
    if scored < k:
        return None
    return 1.0 - math.comb(scored - passed, k) / math.comb(scored, k)


def hit_at_k(marks: Sequence[bool], k: int) -> float | None:
    """Whether one of the first k ranked alternatives passes, 1 or 0; None if fewer were scored."""
    return None if len(marks) < k else float(any(marks[:k]))


def first_k(marks: Sequence[bool], k: int) -> float:
    """The original's: whether one of the first k passes, however many there are."""
    return float(any(marks[:k]))


def counted(marks: Iterable[Mark]) -> list[bool]:
    """Infrastructure failures counted as failed."""
    return [bool(mark) for mark in marks]


def left_out(marks: Iterable[Mark]) -> list[bool]:
    """Infrastructure failures left out."""
    return [mark for mark in marks if mark is not None]


def rate(values: Iterable[Value]) -> Rate:
    """The mean over samples with its standard error and 95 % interval (Student's t, one degree of freedom less than repositories)."""
    found = list(values)
    if not found:
        return Rate(None, 0)
    mean = math.fsum(value for _, value in found) / len(found)
    error, clusters = _clustered_error(found, mean)
    if error is None:
        return Rate(mean, len(found))
    reach = _quantile(clusters - 1) * error
    return Rate(mean, len(found), error, max(0.0, mean - reach), min(1.0, mean + reach))


def _clustered_error(values: Sequence[Value], mean: float) -> tuple[float | None, int]:
    """The standard error of the mean, clustered, corrected for few clusters; and the number of clusters."""
    sums: dict[str, list[float]] = {}
    for cluster, value in values:
        sums.setdefault(cluster, []).append(value - mean)
    count = len(sums)
    if count < CLUSTERS:
        return None, count
    squares = math.fsum(math.fsum(residuals) ** 2 for residuals in sums.values())
    return math.sqrt(count / (count - 1) * squares) / len(values), count


def _quantile(freedom: int) -> float:
    from scipy.stats import t

    return float(t.ppf((1 + LEVEL) / 2, freedom))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two policies on the same samples; what is positive speaks for the first."""

    n: int
    """Samples that both were scored on."""
    first: float | None
    second: float | None
    difference: float | None
    error: float | None
    """Clustered on the repository, as the next three are; None below five repositories."""
    low: float | None
    high: float | None
    p: float | None
    """Of no difference: t test of the paired differences."""
    wins: int
    """Samples where the first is better."""
    losses: int
    ties: int
    sign_p: float | None
    """Of as many wins as losses: exact sign test, which takes samples to be independent. None without either."""


def compare(first: Mapping[str, float], second: Mapping[str, float], repositories: Mapping[str, str]) -> Comparison:
    """By sample key: what each policy's sample counts for, and its repository. Only samples that both have count."""
    keys = sorted(set(first) & set(second))
    if not keys:
        return Comparison(0, None, None, None, None, None, None, None, 0, 0, 0, None)
    values = [(repositories[key], first[key] - second[key]) for key in keys]
    means = [math.fsum(one[key] for key in keys) / len(keys) for one in (first, second)]
    difference = math.fsum(value for _, value in values) / len(values)
    error, clusters = _clustered_error(values, difference)
    low = high = p = None
    if error is not None:
        reach = _quantile(clusters - 1) * error
        low, high, p = max(-1.0, difference - reach), min(1.0, difference + reach), _t_test(difference, error, clusters - 1)
    wins, losses = sum(value > 0 for _, value in values), sum(value < 0 for _, value in values)
    return Comparison(
        len(keys), means[0], means[1], difference, error, low, high, p, wins, losses, len(keys) - wins - losses, _sign_test(wins, losses)
    )


def _t_test(difference: float, error: float, freedom: int) -> float:
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    from scipy.stats import t

    return float(2 * t.sf(abs(difference / error), freedom))


def _sign_test(wins: int, losses: int) -> float | None:
    if wins + losses == 0:
        return None
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses).pvalue)
