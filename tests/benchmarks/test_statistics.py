import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.report.model import Rate
from ml_agent.benchmarks.statistics import compare, counted, first_k, hit_at_k, left_out, pass_at_k, rate

MARKS = st.lists(st.booleans(), max_size=7)
VALUES = st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from([0.0, 0.2, 0.4, 1 / 3, 1.0])), max_size=40)


@given(MARKS, st.integers(1, 7))
def test_pass_at_k_is_the_mean_over_all_choices_of_k(marks: list[bool], k: int) -> None:
    found = pass_at_k(len(marks), sum(marks), k)
    if len(marks) < k:
        assert found is None
    else:
        choices = [any(chosen) for chosen in itertools.combinations(marks, k)]
        assert found == pytest.approx(sum(choices) / len(choices))


def test_pass_at_k_of_fewer_than_k_is_not_1() -> None:
    assert pass_at_k(4, 4, 5) is None
    assert pass_at_k(5, 5, 5) == 1.0
    with pytest.raises(ValueError, match="6 passed of 5"):
        pass_at_k(5, 6, 1)


def test_ranked_alternatives_and_the_original() -> None:
    assert [hit_at_k([False, True, False], k) for k in (1, 2, 3, 5)] == [0.0, 1.0, 1.0, None]
    assert [first_k([False, True], k) for k in (1, 2, 5)] == [0.0, 1.0, 1.0]
    assert first_k([], 1) == 0.0


def test_both_forms() -> None:
    marks = [True, None, False]
    assert (counted(marks), left_out(marks)) == ([True, False, False], [True, False])


def test_a_rate_by_hand() -> None:
    """Five repositories with two samples each; means 1, 1, 0.5, 0, 0."""
    values = [
        (name, float(passed)) for name, pair in zip("abcde", [(1, 1), (1, 1), (1, 0), (0, 0), (0, 0)], strict=True) for passed in pair
    ]
    found = rate(values)
    error = math.sqrt(5 / 4 * (1 + 1 + 0 + 1 + 1)) / 10  # sums of residuals 1, 1, 0, -1, -1
    reach = 2.7764451051977987 * error  # Student's t, 4 degrees of freedom, 97.5 %
    assert found.value == 0.5
    assert found.error == pytest.approx(error)
    assert found.low == pytest.approx(max(0.0, 0.5 - reach))
    assert found.high == pytest.approx(min(1.0, 0.5 + reach))


def test_no_interval_below_five_repositories() -> None:
    assert rate([(name, 1.0) for name in "abcd"] * 10) == Rate(1.0, 40)
    assert rate([]) == Rate(None, 0)
    assert rate([(name, 1.0) for name in "abcde"]).error == 0.0


def test_samples_alike_in_a_repository_are_no_more_than_one() -> None:
    """Ten times the same samples of the same repositories say nothing new."""
    values = [(str(number), float(number % 3 == 0)) for number in range(9)]
    once, often = rate(values), rate(values * 10)
    assert once.error is not None
    assert often.error == pytest.approx(once.error)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    chosen, inside, trials = random.Random(11), 0, 600  # noqa: S311
    for _ in range(trials):
        values = []
        for repository in range(12):
            hard = chosen.betavariate(4, 4)
            values += [(str(repository), float(chosen.random() < hard)) for _ in range(15)]
        found = rate(values)
        assert found.low is not None
        assert found.high is not None
        inside += found.low <= 0.5 <= found.high
    assert 0.92 <= inside / trials <= 0.98


@given(VALUES, st.randoms())
def test_the_order_of_samples_does_not_count(values: list[tuple[str, float]], chance: random.Random) -> None:
    shuffled = values[:]
    chance.shuffle(shuffled)
    assert rate(shuffled) == rate(values)


def test_a_comparison() -> None:
    repositories = {str(number): str(number % 5) for number in range(20)}
    first = {key: float(int(key) < 12) for key in repositories}
    second = {key: float(2 < int(key) < 6) for key in repositories}
    found = compare(first, second, repositories)
    assert (found.n, found.wins, found.losses, found.ties) == (20, 9, 0, 11)
    assert found.first == pytest.approx(0.6)
    assert found.second == pytest.approx(0.15)
    assert found.difference == pytest.approx(0.45)
    assert found.sign_p == pytest.approx(2 / 2**9)
    assert found.difference is not None
    assert found.error is not None
    assert found.low is not None
    assert found.p is not None
    assert 0.45 - 3 * found.error < found.low < 0.45
    assert found.p < 0.05
    back = compare(second, first, repositories)
    assert (back.difference, back.error, back.p, back.sign_p) == (-found.difference, found.error, found.p, found.sign_p)


def test_a_comparison_of_few_or_nothing() -> None:
    alike = compare({"a": 1.0, "b": 0.0}, {"a": 1.0, "b": 0.0, "c": 1.0}, {"a": "x", "b": "y", "c": "z"})
    assert (alike.n, alike.difference, alike.error, alike.p, alike.ties, alike.sign_p) == (2, 0.0, None, None, 2, None)
    assert compare({"a": 1.0}, {"b": 1.0}, {"a": "x", "b": "x"}).difference is None
    equal = {str(number): 1.0 for number in range(6)}
    assert compare(equal, equal, {key: key for key in equal}).p == 1.0
