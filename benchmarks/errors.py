"""The five classes of errors that the ML-Bench paper tells apart, assigned by rule.

The first that applies: it gave up or was ended (operational); it does not parse (syntax); it names what the repository does not have
(hallucination); it leaves out what had to be known (lack of knowledge); it has the right pieces and puts them together wrongly
(knowledge manipulation).
"""

from collections.abc import Mapping
from typing import Any, Literal

from ml_agent.benchmarks.base import Attempt, Verdict

ErrorClass = Literal["hallucination", "lack of knowledge", "knowledge manipulation", "syntax", "operational"]

CLASSES: tuple[ErrorClass, ...] = ("hallucination", "lack of knowledge", "knowledge manipulation", "syntax", "operational")

BY_FINDING: Mapping[str, ErrorClass] = {
    "syntax": "syntax",
    "folder": "hallucination",
    "program": "hallucination",
    "option": "hallucination",
    "import": "hallucination",
    "file": "hallucination",
    "name": "hallucination",
    "missing": "lack of knowledge",
    "placeholder": "lack of knowledge",
    "nothing": "lack of knowledge",
    "unplaced": "lack of knowledge",
    "value": "knowledge manipulation",
    "positional": "knowledge manipulation",
    "signature": "knowledge manipulation",
}
"""Kind of an error that verification found in the answer -> class."""

BY_REASON: Mapping[str, ErrorClass] = {
    "no_answer": "operational",
    "nothing_run": "operational",
    "syntax": "syntax",
    "unknown_option": "hallucination",
    "wrong_program": "lack of knowledge",
    "missing_option": "lack of knowledge",
    "missing_argument": "lack of knowledge",
    "wrong_value": "knowledge manipulation",
    "extra_argument": "knowledge manipulation",
    "wrong_language": "knowledge manipulation",
    "wrong_type": "knowledge manipulation",
    "not_received": "knowledge manipulation",
    "failed": "knowledge manipulation",
}
"""Reason of a verdict -> class. One that is not here and that no finding explains has none, as `unreachable`."""

SURROUNDINGS = frozenset({"infrastructure", "environment", "not_run", "not_watched"})
"""Reasons that say nothing of the answer: something was missing on the machine."""

_ORDER: tuple[ErrorClass, ...] = ("operational", "syntax", "hallucination", "lack of knowledge", "knowledge manipulation")


def error_class(attempt: Attempt, verdict: Verdict) -> ErrorClass | None:
    """None for what passed, for what the surroundings ended, and for what no rule explains."""
    if verdict.passed or verdict.reason in SURROUNDINGS or attempt.ending in ("infrastructure", "cancelled"):
        return None
    if attempt.answer is None:
        return "operational"
    found = {_of_finding(finding) for finding in attempt.findings} | {BY_REASON.get(verdict.reason)}
    return next((kind for kind in _ORDER if kind in found), None)


def _of_finding(finding: Mapping[str, Any]) -> ErrorClass | None:
    return BY_FINDING.get(str(finding.get("kind"))) if finding.get("severity", "error") == "error" else None
