"""The scorers tell the ground truth from doing nothing, from saying it and from a wrong value; the original does not."""

import os
from pathlib import Path

import pytest

from ml_agent.benchmarks.agents import AGENTS, Validation, validate, wrong_argument
from ml_agent.benchmarks.base import Sample, Suite
from ml_agent.benchmarks.execution import execute
from ml_agent.benchmarks.scorers import load_scorer
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.sandbox.options import Options
from tests.benchmarks.data import data_folder

SMOKE = load_suite("smoke")


def rates(found: Validation) -> dict[str, float | None]:
    return {line.agent: line.rate for line in found.lines}


@pytest.mark.parametrize("checkouts", [None, {"tinynets": REPOSITORY}], ids=["guessing", "with the programs"])
def test_static_on_smoke(checkouts: dict[str, Path] | None) -> None:
    found = validate(SMOKE, load_scorer("static", checkouts))
    assert found.ok
    assert rates(found) == {"oracle": 1, "nop": 0, "exit0": 0, "echo": 0, "wrong-argument": 0}
    assert [line.samples for line in found.lines] == [12] * 5
    assert not any(line.astray for line in found.lines)


def test_the_original_is_pleased_by_words() -> None:
    found = validate(SMOKE, load_scorer("original", execution=False))
    assert not found.ok
    known = rates(found)
    assert (known["oracle"], known["nop"]) == (1, 0)
    assert [line.passed for line in found.lines if line.agent in ("exit0", "echo")] == [12, 12]
    assert found.lines[3].astray


@pytest.mark.bubblewrap
def test_executed_on_smoke() -> None:
    """All agents on two tasks, to keep it short."""
    scorer, options = load_scorer("executed", {"tinynets": REPOSITORY}), Options(sandbox="bubblewrap")
    chosen = tuple(sample for sample in SMOKE.samples if sample.key.endswith(("/9", "/12")))
    suite = Suite("smoke", "x", chosen, SMOKE.repositories, runs=True)
    found = validate(suite, scorer, lambda sample, answer: execute(sample, answer, REPOSITORY, options=options, seconds=20))
    assert found.ok, [line.astray for line in found.lines]


@pytest.mark.bubblewrap
def test_the_ground_truths_run() -> None:
    scorer, options = load_scorer("executed", {"tinynets": REPOSITORY}), Options(sandbox="bubblewrap")
    only = {"oracle": AGENTS["oracle"]}
    found = validate(SMOKE, scorer, lambda sample, answer: execute(sample, answer, REPOSITORY, options=options, seconds=20), agents=only)
    assert found.lines[0].astray == []
    assert found.lines[0].passed == 12


def test_the_development_rows() -> None:
    suite = load_suite("ml-bench", data_folder() / "rows.jsonl")
    found = validate(suite, load_scorer("static"))
    assert found.ok
    assert len(found.unreachable) == 2
    known = rates(found)
    assert [known[name] for name in ("oracle", "nop", "exit0", "echo")] == [1, 0, 0, 0]
    assert known["wrong-argument"] is not None
    assert known["wrong-argument"] <= 0.02
    assert found.lines[-1].samples == found.lines[0].samples == 147  # each has a value that can be changed
    if os.environ.get("ML_AGENT_REPOS"):
        folders = {path.name.lower(): path for path in Path(os.environ["ML_AGENT_REPOS"]).iterdir()}
        checkouts = {name: folders[name.lower()] for name in suite.repositories}
        assert validate(suite, load_scorer("static", checkouts)).ok


def test_a_wrong_argument_is_wrong() -> None:
    """Each answer differs from the ground truth in code, whatever the value is."""
    values = {"a": "-1", "b": "0.5", "c": "Cora", "d": "(1,2)", "e": "../x y", "f": 7}
    truth = "import p\n# Cora\np.f(-1, 0.5, 'Cora', (1,2), '../x y', 7)"
    sample = Sample("1/1", "r", "", "python", truth, arguments=values)
    suite = Suite("x", "1", (sample,), {})
    answers = [answer.code for answer in wrong_argument(sample, suite)]
    assert len(set(answers)) == 6
    scorer = load_scorer("static")
    found = validate(suite, scorer, agents={"wrong-argument": wrong_argument})
    assert found.lines[0].passed == 0
    only_said = Sample("1/2", "r", "", "python", "import p\n# Cora\np.f()", arguments={"c": "Cora"})
    assert list(wrong_argument(only_said, suite)) == []
