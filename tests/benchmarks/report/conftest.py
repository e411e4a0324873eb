"""The pages of one report for all tests that only look at them, and one browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.benchmarks.report.html import write_html
from ml_agent.benchmarks.report.model import Report
from tests.benchmarks.report.browser import Browser
from tests.benchmarks.report.hostile import hostile_report
from tests.benchmarks.report.scored_runs import example_report


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return example_report(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="session")
def pages(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages") / "report"
    write_html(report, folder)
    return folder


@pytest.fixture(scope="session")
def hostile_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile") / "report"
    write_html(hostile_report(tmp_path_factory.mktemp("hostile-run")), folder)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started
