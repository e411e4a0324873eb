from collections.abc import Mapping
from typing import get_args

import pytest

from ml_agent.benchmarks.base import Attempt, Ending, Verdict
from ml_agent.benchmarks.errors import BY_FINDING, BY_REASON, CLASSES, error_class
from ml_agent.benchmarks.faults import COUNTS
from ml_agent.task import Answer
from ml_agent.verify.findings import Kind


def attempt(*kinds: str, severity: str = "error", ending: Ending = "answered") -> Attempt:
    findings: tuple[Mapping[str, str], ...] = tuple({"kind": kind, "severity": severity} for kind in kinds)
    return Attempt("1/1", 0, ending, Answer("bash", "x") if ending == "answered" else None, findings=findings)


@pytest.mark.parametrize(
    ("given", "reason", "expected"),
    [
        (attempt(), "wrong_value", "knowledge manipulation"),
        (attempt("option"), "wrong_value", "hallucination"),
        (attempt("option", severity="warning"), "wrong_value", "knowledge manipulation"),
        (attempt("option", "syntax"), "wrong_value", "syntax"),
        (attempt("missing"), "wrong_value", "lack of knowledge"),
        (attempt(), "wrong_program", "lack of knowledge"),
        (attempt("program"), "wrong_program", "hallucination"),
        (attempt(), "unknown_option", "hallucination"),
        (attempt(), "nothing_run", "operational"),
        (attempt(), "unreachable", None),
        (attempt(), "environment", None),
        (attempt(), "not_run", None),
        (attempt(ending="no_answer"), "no_answer", "operational"),
        (attempt(ending="limit"), "no_answer", "operational"),
        (attempt(ending="crashed"), "no_answer", "operational"),
        (attempt(ending="killed"), "no_answer", "operational"),
        (attempt(ending="infrastructure"), "infrastructure", None),
    ],
)
def test_the_class(given: Attempt, reason: str, expected: str | None) -> None:
    assert error_class(given, Verdict(False, reason)) == expected


def test_what_passed_has_none() -> None:
    assert error_class(attempt("option"), Verdict(True, "passed")) is None


def test_each_kind_of_finding_has_a_class() -> None:
    assert set(BY_FINDING) == set(get_args(Kind))
    assert {*BY_FINDING.values(), *BY_REASON.values()} == set(CLASSES)


def test_each_ending_counts_as_something() -> None:
    assert set(COUNTS) == {value for part in get_args(Ending) for value in (get_args(part) or (part,))}
