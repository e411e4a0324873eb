"""Scored runs put together: of one suite and one scorer, with what one has to know."""

from dataclasses import replace
from pathlib import Path

import pytest

from ml_agent.benchmarks.report.build import build_report
from ml_agent.benchmarks.report.order import ranking
from ml_agent.benchmarks.scoring import Scored, score_run
from ml_agent.errors import UsageError
from tests.benchmarks.test_leaderboard import SUITE, Equal, make_run


def scored(folder: Path, codes: list[str | None], only: str = "", scorer: Equal | None = None) -> Scored:
    return score_run(make_run(folder, codes, policy=folder.name, only=only), scorer or Equal())


def test_runs_are_ranked_and_compared(tmp_path: Path) -> None:
    report = build_report([scored(tmp_path / "some", ["right", "x", "x", "x"]), scored(tmp_path / "best", ["right"] * 4)])
    assert [row.label for row in ranking(report.runs)] == ["best", "some"]
    (pair,) = report.pairs
    assert (pair.first, pair.second, pair.comparison.wins, pair.comparison.losses) == (0, 1, 0, 3)
    assert [one.judged(SUITE.samples[1].key)[0].verdict.passed for one in report.runs] == [False, True]


def test_what_one_has_to_know_is_noted(tmp_path: Path) -> None:
    report = build_report([
        scored(tmp_path / "part", ["right"] * 4, only="0/*"),
        scored(tmp_path / "short", ["right"] * 3),
        scored(tmp_path / "raised", ["right", "raise", "x", "x"]),
        scored(tmp_path / "whole", ["x"] * 4),
    ])  # fmt: skip
    assert [run.notes for run in report.runs] == [
        ("over 2 of the suite's 4 samples only",),
        ("not finished: 1 attempt missing, counted as failed",),
        ("the scorer failed on 1 attempt, counted as failed",),
        (),
    ]
    assert report.samples == SUITE.samples


def test_samples_that_no_run_is_over_are_not_in_the_report(tmp_path: Path) -> None:
    report = build_report([scored(tmp_path / "part", ["right"] * 4, only="0/*")])
    assert [sample.key for sample in report.samples] == ["0/0", "0/2"]


def test_what_cannot_be_ranked_together_is_refused(tmp_path: Path) -> None:
    first = scored(tmp_path / "a", ["right"] * 4)
    other = replace(SUITE, samples=SUITE.samples[:3])
    second = score_run(make_run(tmp_path / "b", ["right"] * 3, suite=other), Equal())
    with pytest.raises(UsageError, match="only runs of one suite"):
        build_report([first, second])
    with pytest.raises(UsageError, match="different scorers"):
        build_report([first, scored(tmp_path / "c", ["right"] * 4, scorer=Equal(version="2"))])
    with pytest.raises(UsageError, match="name one run"):
        build_report([])


def test_of_many_runs_each_is_compared_with_the_first(tmp_path: Path) -> None:
    report = build_report([scored(tmp_path / str(n), ["right"] * 4) for n in range(8)])
    assert [(pair.first, pair.second) for pair in report.pairs] == [(0, n) for n in range(1, 8)]
