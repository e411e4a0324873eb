from typing import Any

import pytest

from ml_agent.benchmarks.scorers import load_scorer
from ml_agent.sandbox.outcome import ExecutionRecord
from tests.benchmarks.scorers.samples import attempt, bash, python

SAMPLE = bash("python train.py --lr 0.05", {"lr": "0.05"}, workdir="a")
RIGHT = ("a/train.py", "--lr", "0.05")
WRONG = ("a/train.py", "--lr", "0.5")
DONE = ExecutionRecord("completed", 0)
SCORER = load_scorer("executed")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"record": DONE, "received": (RIGHT,)}, "passed"),
        ({"record": DONE, "received": (("a/prepare.py",), WRONG, RIGHT, ("b.py",))}, "passed"),
        ({"record": ExecutionRecord("running_at_limit"), "received": (RIGHT,)}, "running_at_limit"),
        ({"record": DONE, "received": (RIGHT, WRONG)}, "wrong_value"),
        ({"record": DONE, "received": (("a/train.py",),)}, "missing_option"),
        ({"record": DONE, "received": ()}, "not_received"),
        ({"record": DONE, "received": (("train.py", "--lr", "0.05"),)}, "not_received"),
        ({"record": ExecutionRecord("running_at_limit"), "received": ()}, "not_received"),
        ({"record": DONE}, "not_watched"),
        ({}, "not_run"),
        ({"record": ExecutionRecord("not_run", reason="no sandbox"), "received": (RIGHT,)}, "not_run"),
        ({"record": ExecutionRecord("failed", 1, reason="boom"), "received": (RIGHT,)}, "failed"),
        ({"record": ExecutionRecord("completed", 3), "received": (RIGHT,)}, "failed"),
        ({"record": ExecutionRecord("environment", 1, missing="module torch"), "received": (RIGHT,)}, "environment"),
    ],
)
def test_commands(more: dict[str, Any], reason: str) -> None:
    verdict = SCORER.score(SAMPLE, attempt("python train.py --lr 0.05", workdir="a", **more))
    assert verdict.reason == reason
    assert verdict.passed == (reason in ("passed", "running_at_limit"))


def test_what_is_printed_is_not_what_was_received() -> None:
    code = "echo python train.py --lr 0.05"
    record = ExecutionRecord("completed", 0, output_tail="python train.py --lr 0.05")
    assert SCORER.score(SAMPLE, attempt(code, workdir="a", record=record, received=())).reason == "nothing_run"


def test_python() -> None:
    sample = python("import pkg\npkg.f(12)", {"n": 12})
    assert SCORER.score(sample, attempt(sample.output, "python", record=DONE, received=())).passed
    assert SCORER.score(sample, attempt(sample.output, "python", record=ExecutionRecord("failed", 1))).reason == "failed"
    assert SCORER.score(sample, attempt("print(12)", "python", record=DONE)).reason == "wrong_program"
