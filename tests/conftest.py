"""What all tests share: the rule for tests that need bubblewrap, and a state folder of their own."""

import os
import shutil
import subprocess
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest

REQUIRE = "ML_AGENT_REQUIRE_BUBBLEWRAP"
"""Set to 1 (CI does) to make a skipped bubblewrap test a failure."""


@cache
def _why_no_bubblewrap() -> str | None:
    """None if bubblewrap can make a sandbox here."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed (Debian: apt-get install bubblewrap)"
    command = [program, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    return None if done.returncode == 0 else f"bubblewrap cannot make a sandbox here: {done.stderr.strip()}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("bubblewrap") and (reason := _why_no_bubblewrap()):
        pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and item.get_closest_marker("bubblewrap") and os.environ.get(REQUIRE) == "1":
        report.outcome = "failed"
        report.longrepr = f"skipped, but {REQUIRE}=1: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _state_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test records a run among the user's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state"))


@pytest.fixture
def smoke(tmp_path: Path) -> Path:
    """A copy of the example repository."""
    source = Path(__file__).parent.parent / "benchmarks" / "smoke" / "repository"
    return Path(shutil.copytree(source, tmp_path / "tinynets", ignore=shutil.ignore_patterns("__pycache__", "runs")))
