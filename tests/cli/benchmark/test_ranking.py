"""A report on the screen."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from ml_agent.benchmarks.report.model import Report
from ml_agent.cli.benchmark.ranking import show_report
from ml_agent.console import Screen
from tests.benchmarks.report.hostile import hostile_report
from tests.benchmarks.report.scored_runs import example_report


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(report: Report, make: Callable[[], io.StringIO] = io.StringIO) -> str:
    stream = make()
    show_report(Screen(stream), report)
    return stream.getvalue()


def test_the_ranking_and_all_figures_are_on_the_screen(tmp_path: Path) -> None:
    report = example_report(tmp_path)
    text = shown(report)
    lines = text.splitlines()
    assert lines[0].startswith(f"smoke 1 · 12 samples · scorer static 1  {report.suite.hash[:12]}")
    assert lines[1].split() == ["1", "grounded", "hit@1", "100.0", "%", "[87.0,", "100.0],", "n", "12"]
    assert lines[2].split()[:5] == ["2", "react", "pass@1", "20.0", "%"]
    assert lines[3].split() == ["n/a", "nothing", "pass@1", "n/a", "no", "interval,", "n", "12"]
    assert "react: 10 of 60 attempts ended by the surroundings, counted as failed; without them 24.0 %, n 10" in text
    for line in (["tinynets", "100.0", "%", "of", "12"], ["hallucination", "0", "38", "0"], ["infrastructure", "0", "10", "0"]):
        assert any(found.split()[: len(line)] == line for found in lines)
    assert any(found.split() == ["money", "$0", "unknown", "$0"] for found in lines)


@pytest.mark.parametrize("make", [io.StringIO, Terminal])
def test_foreign_text_is_shown_and_not_sent(tmp_path: Path, make: Callable[[], io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    text = shown(hostile_report(tmp_path), make)
    assert not [c for c in "\x00\x07\x1b\x9b\u202e\u2066\ud800" if c in text]
    assert "<script>window.hacked=1</script>" in text
    assert max(map(len, text.splitlines())) < 500
