"""The smoke suite: its tasks are whole, its ground truths run."""

import pytest

from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.errors import UsageError


def test_the_suite() -> None:
    suite = load_suite("smoke")
    assert (len(suite.samples), suite.runs) == (12, True)
    assert {sample.language for sample in suite.samples} == {"bash", "python"}
    by_key = {sample.key: sample for sample in suite.samples}
    assert by_key["tinynets/6"].output == "bash scripts/run.sh -e 12 -s 4 moons softmax"
    assert by_key["tinynets/8"].workdir == "examples/names"
    assert by_key["tinynets/8"].output == "python train.py --order 2 --names 8 --smoothing 1.5 --seed 11"
    assert by_key["tinynets/10"].arguments == {"argument1": "rings", "samples": 300, "hidden": 12, "classes": 3, "lr": 0.05}
    assert not any(sample.unreachable for sample in suite.samples)


def test_the_oracle_segment_is_a_section_of_the_readme() -> None:
    for sample in load_suite("smoke").samples:
        assert sample.oracle
        assert any(sample.oracle in path.read_text() for path in REPOSITORY.rglob("README.md"))


def test_it_brings_its_own_rows() -> None:
    with pytest.raises(UsageError, match="smoke brings its own tasks"):
        load_suite("smoke", "rows.jsonl")
