"""What stands in one cell of the grid: how one policy did on one sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ml_agent.benchmarks.errors import SURROUNDINGS
from ml_agent.benchmarks.report.model import Judged

State = Literal["first", "later", "never", "infrastructure", "absent"]
"""The first attempt passes, a later one does, none does, the surroundings ended all, there is none."""

MARKS: dict[State, str] = {"first": "✓", "later": "◐", "never": "✗", "infrastructure": "!", "absent": "–"}
SAID: dict[State, str] = {
    "first": "the first attempt passes",
    "later": "a later attempt passes",
    "never": "no attempt passes",
    "infrastructure": "the surroundings failed",
    "absent": "not attempted",
}


@dataclass(frozen=True, slots=True)
class Cell:
    state: State
    text: str = ""
    """`2nd` of ranked alternatives, `3/5` of independent attempts."""
    why: str = ""
    """The reason of the first attempt that counts, if it did not pass."""

    @property
    def mark(self) -> str:
        return MARKS[self.state]

    @property
    def said(self) -> str:
        """The mark in words."""
        return SAID[self.state]


def cell(judged: Sequence[Judged], *, ranked: bool) -> Cell:
    """The cell of a sample's attempts, in their order."""
    if not judged:
        return Cell("absent")
    passed = [index for index, one in enumerate(judged) if one.verdict.passed]
    counted = "" if ranked or len(judged) == 1 else f"{len(passed)}/{len(judged)}"
    if not passed:
        graded = [one for one in judged if one.verdict.reason not in SURROUNDINGS]
        return Cell("never" if graded else "infrastructure", counted, (graded or judged)[0].verdict.reason)
    state: State = "later" if passed[0] else "first"
    why = judged[0].verdict.reason if passed[0] else ""
    return Cell(state, _nth(judged[passed[0]].attempt.attempt + 1) if ranked and passed[0] else counted, why)


def state_of(judged: Judged) -> State:
    """How one attempt did, as a state of a cell."""
    return "first" if judged.verdict.passed else "infrastructure" if judged.verdict.reason in SURROUNDINGS else "never"


def _nth(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
