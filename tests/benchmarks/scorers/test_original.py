import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.base import Attempt
from ml_agent.benchmarks.scorers.original import OriginalScorer, limit_seconds
from ml_agent.sandbox.outcome import ExecutionRecord
from tests.benchmarks.scorers.samples import attempt, bash, python

SAMPLE = bash("python x.py --lr 0.1", {"lr": 0.1, "name": "Cora"})
FITS = "echo python x.py --lr 0.1 CORA"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (FITS, "passed"),
        ("python x.py 10.11cora", "passed"),  # a substring is enough
        ("python x.py --lr 0.2 cora", "wrong_value"),
        ("python x.py", "wrong_value"),
        ("0.1 cora", "wrong_type"),
        ("0.1 cora x.py", "wrong_type"),  # the space behind belongs to it
        ("0.1 cora x.sh ", "passed"),
        ("", "no_answer"),
        ("  \n", "no_answer"),
    ],
)
def test_the_rule_for_bash(code: str, reason: str) -> None:
    verdict = OriginalScorer().score(SAMPLE, attempt(code))
    assert (verdict.reason, verdict.passed) == (reason, reason == "passed")


def test_the_rule_for_python() -> None:
    sample = python("f('Cora')", {"x": "Cora"})
    assert OriginalScorer().score(sample, attempt("# cora", "python")).passed
    assert OriginalScorer().score(sample, attempt("cora.py ", "python")).reason == "wrong_type"


def test_the_folder_of_an_answer_is_a_part_of_its_text() -> None:
    assert OriginalScorer().score(bash("", {"model": "gat"}), attempt("python train.py -x", workdir="examples/gat")).passed


@pytest.mark.parametrize(
    ("record", "passed", "reason"),
    [
        (ExecutionRecord("completed", 0), True, "passed"),
        (ExecutionRecord("running_at_limit"), True, "passed"),
        (ExecutionRecord("failed", 1), False, "failed"),
        (ExecutionRecord("environment", 1, missing="module torch"), False, "environment"),
        (ExecutionRecord("not_run", reason="no sandbox"), False, "not_run"),
    ],
)
def test_execution(record: ExecutionRecord, passed: bool, reason: str) -> None:
    verdict = OriginalScorer().score(SAMPLE, attempt(FITS, record=record))
    assert (verdict.passed, verdict.reason) == (passed, reason)
    assert OriginalScorer(execution=False).score(SAMPLE, attempt(FITS, record=record)).passed
    assert OriginalScorer().score(SAMPLE, attempt("python x.py ", record=record)).reason == "wrong_value"


def test_limits() -> None:
    assert [limit_seconds(key, "python") for key in ("5/1", "11/3", "1/5", "15/2")] == [4, 7, 10, 10]
    assert limit_seconds("11/3", "bash") == 10


def test_no_answer() -> None:
    assert OriginalScorer().score(SAMPLE, Attempt("1/1", 0, "crashed")).reason == "no_answer"


@given(st.text(max_size=40), st.dictionaries(st.text(max_size=5), st.text(max_size=5) | st.integers() | st.floats() | st.none()))
def test_any_text_and_any_values(code: str, asked: dict[str, object]) -> None:
    verdict = OriginalScorer().score(bash("x", asked), attempt(code))
    expected = all(str(v).lower() in code.lower() for v in asked.values()) and (".py " in code or ".sh " in code)
    assert verdict.passed == expected
