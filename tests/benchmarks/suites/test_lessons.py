"""Tasks that weights are fitted on."""

import pytest

from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.ml_bench import COMMITS
from ml_agent.errors import UsageError
from tests.benchmarks.suites.support import passes


def test_on_repositories_that_no_other_suite_has() -> None:
    mine = {name.lower() for name in load_suite("lessons").repositories}
    others = [name for suite in ("wide", "further", "reserve") for name in load_suite(suite).repositories]
    assert len(mine) >= 150
    assert mine.isdisjoint({name.lower() for name in (*others, *COMMITS)})


def test_keys_are_of_one_task() -> None:
    keys = [sample.key for sample in load_suite("lessons").samples]
    assert len(keys) == len(set(keys)) >= 700


def test_each_ground_truth_passes() -> None:
    assert [sample.key for sample in load_suite("lessons").samples if not passes(sample)] == []


@pytest.mark.parametrize(("data", "split"), [("rows.jsonl", "full"), (None, "unseen")])
def test_it_brings_its_own_tasks_in_one_split(data: str | None, split: str) -> None:
    with pytest.raises(UsageError, match=r"^lessons brings its own tasks: leave --data out; its split is full$"):
        load_suite("lessons", data, split)
