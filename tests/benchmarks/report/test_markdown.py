"""The Markdown of a report, read back by a Markdown parser."""

from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ml_agent.benchmarks.report.markdown import markdown
from ml_agent.benchmarks.report.model import Pair, Report
from ml_agent.benchmarks.statistics import Comparison
from tests.benchmarks.report.hostile import hostile_report


def parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)


def table(tokens: list[Token], number: int) -> list[list[str]]:
    """The cells of the n-th table, as a reader sees them."""
    rows: list[list[list[str]]] = []
    for token in tokens:
        if token.type == "table_open":
            rows.append([])
        elif token.type == "tr_open":
            rows[-1].append([])
        elif token.type == "inline" and rows and token.level >= 4:
            rows[-1][-1].append("".join(child.content for child in token.children or []))
    return rows[number]


def test_the_tables_hold_the_figures(report: Report) -> None:
    one = Comparison(12, 1.0, 0.2, 0.8, 0.1, 0.5, 1.0, 0.0001, 10, 1, 1, 0.01)
    tokens = parsed(markdown(replace(report, pairs=(Pair(2, 1, one),))))
    assert table(tokens, 0) == [
        ["Place", "Policy", "Setting", "Score", "", "95 %", "n"],
        ["1", "grounded", "agent", "100.0 %", "hit@1", "[87.0, 100.0]", "12"],
        ["2", "react", "oracle", "20.0 %", "pass@1", "[7.0, 33.0]", "12"],
        ["n/a", "nothing", "agent", "n/a", "pass@1", "–", "12"],
    ]
    assert table(tokens, 1)[2] == ["react", "–", "–", "–", "20.0 %", "20.0 %", "20.0 %", "20.0 %", "20.0 %", "20.0 %"]
    assert table(tokens, 2)[2] == ["react", "10", "60", "20.0 %", "12", "24.0 %", "10"]
    assert table(tokens, 7)[1] == ["grounded", "react", "+80.0", "[+50.0, +100.0]", "< 0.001", "10", "1", "1"]


@pytest.mark.parametrize("number", range(6))
def test_foreign_text_stays_text(tmp_path: Path, number: int) -> None:
    hostile = hostile_report(tmp_path)
    text = markdown(replace(hostile, runs=hostile.runs[number : number + 1]))
    tokens = parsed(text)
    kinds = {child.type for token in tokens for child in token.children or []} | {token.type for token in tokens}
    assert not kinds & {"html_inline", "html_block", "link_open", "image", "code_inline", "fence", "code_block", "em_open", "strong_open"}
    assert {len(row) for row in table(tokens, 0)} == {7}
    assert "window.hacked=1" in text or number > 2
