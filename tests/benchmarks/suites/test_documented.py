"""Tasks on the repositories of `wide`, in the words of their documentation."""

from collections import Counter

import pytest

from ml_agent.benchmarks.suites import load_suite
from ml_agent.errors import UsageError
from tests.benchmarks.suites.support import passes


def test_three_tasks_on_each_repository_of_wide() -> None:
    suite, wide = load_suite("documented"), load_suite("wide")
    assert set(Counter(sample.repository for sample in suite.samples).values()) == {3}
    assert dict(suite.repositories) == dict(wide.repositories)
    assert not {sample.key for sample in suite.samples} & {sample.key for sample in wide.samples}


def test_each_ground_truth_passes() -> None:
    assert [sample.key for sample in load_suite("documented").samples if not passes(sample)] == []


def test_the_halves_are_those_of_wide() -> None:
    for split in ("seen", "unseen"):
        assert load_suite("documented", split=split).repositories.keys() == load_suite("wide", split=split).repositories.keys()


def test_rows_of_another_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^documented brings its own tasks: leave --data out; its splits are full, seen, unseen$"):
        load_suite("documented", "rows.jsonl")
