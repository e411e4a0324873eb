"""What a cell of the grid says of the attempts at one sample."""

import pytest

from ml_agent.benchmarks.base import Attempt, Verdict
from ml_agent.benchmarks.report.cells import Cell, cell
from ml_agent.benchmarks.report.model import Judged


def attempts(marks: str) -> list[Judged]:
    """`+` passed, `-` did not, `!` the surroundings ended it."""
    verdicts = {"+": Verdict(True, "passed"), "-": Verdict(False, "wrong_value"), "!": Verdict(False, "infrastructure")}
    return [Judged(Attempt("1/1", n, "answered"), verdicts[mark]) for n, mark in enumerate(marks)]


@pytest.mark.parametrize(
    ("marks", "ranked", "wanted"),
    [
        ("", True, Cell("absent")),
        ("+", True, Cell("first")),
        ("+-", True, Cell("first")),
        ("--+", True, Cell("later", "3rd", "wrong_value")),
        ("-" * 10 + "+", True, Cell("later", "11th", "wrong_value")),
        ("---", True, Cell("never", "", "wrong_value")),
        ("+-+", False, Cell("first", "2/3")),
        ("-+", False, Cell("later", "1/2", "wrong_value")),
        ("!-", False, Cell("never", "0/2", "wrong_value")),
        ("!!", False, Cell("infrastructure", "0/2", "infrastructure")),
        ("!+", True, Cell("later", "2nd", "infrastructure")),
        ("-", False, Cell("never", "", "wrong_value")),
    ],
)
def test_cell(marks: str, ranked: bool, wanted: Cell) -> None:
    assert cell(attempts(marks), ranked=ranked) == wanted
