"""The latest tasks in the manner of ML-Bench, on repositories that no other suite has."""

import pytest

from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.ml_bench import COMMITS
from ml_agent.errors import UsageError
from tests.benchmarks.suites.support import check_halves, passes


def test_on_repositories_that_no_other_suite_has() -> None:
    mine = {name.lower() for name in load_suite("fresh").repositories}
    others = [name for suite in ("wide", "further", "reserve", "lessons", "kindred") for name in load_suite(suite).repositories]
    assert len(mine) >= 68
    assert mine.isdisjoint({name.lower() for name in (*others, *COMMITS)})


def test_the_halves_are_apart_and_complete() -> None:
    check_halves("fresh", at_least=270)


def test_each_ground_truth_passes() -> None:
    assert [sample.key for sample in load_suite("fresh").samples if not passes(sample)] == []


def test_rows_of_another_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^fresh brings its own tasks: leave --data out; its splits are full, seen, unseen$"):
        load_suite("fresh", "rows.jsonl")
