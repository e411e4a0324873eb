"""The registry, and the figures that the scorers give on the published answers."""

import pytest

from ml_agent.benchmarks.scorers import SCORERS, load_scorer
from ml_agent.benchmarks.suites import load_suite
from ml_agent.errors import UsageError
from tests.benchmarks.data import answers_of, data_folder, rate


def test_the_registry() -> None:
    assert {name: load_scorer(name).name for name in SCORERS} == {name: name for name in SCORERS}
    with pytest.raises(UsageError, match="there is no scorer 'best': choose one of original, static, executed"):
        load_scorer("best")


def test_the_original_reproduces_the_published_rule_to_the_digit() -> None:
    folder, scorer = data_folder(), load_scorer("original", execution=False)
    suite, first = load_suite("ml-bench", folder / "rows.jsonl"), load_suite("ml-bench", folder / "rows_v1.jsonl")
    assert rate(suite, scorer, {sample.key: [sample.output] for sample in suite.samples}) == 90.6
    assert rate(suite, scorer, answers_of(folder / "gpt41_outputs.jsonl")) == 76.5
    published = answers_of(folder / "ml_agent_gpt4_outputs.jsonl")
    assert (rate(first, scorer, published), rate(first, scorer, published, 5)) == (44.0, 70.0)


def test_the_figures_of_static() -> None:
    """The other grader has 36.3, 13.8 and 36.0 (54.0) without the repositories; static.py says why these differ."""
    folder, scorer = data_folder(), load_scorer("static", from_root=False)
    suite, first = load_suite("ml-bench", folder / "rows.jsonl"), load_suite("ml-bench", folder / "rows_v1.jsonl")
    gpt41 = answers_of(folder / "gpt41_outputs.jsonl")
    assert [rate(suite, scorer, gpt41, 1, language) for language in ("bash", "python")] == [36.3, 15.5]
    published = answers_of(folder / "ml_agent_gpt4_outputs.jsonl")
    assert (rate(first, scorer, published), rate(first, scorer, published, 5)) == (36.0, 52.0)
