"""The whole of it, on this machine and on worse ones."""

import os
import sys
from pathlib import Path

import pytest

from tests.doctor.support import by_name, diagnosed, mute_engine, read_only
from tests.pace import within
from tests.sandbox.support import processes_with

NAMES = [
    *("ml-agent", "packages", "grammars", "interpreter", "docker engine", "docker sandbox", "bubblewrap", "control groups", "gpu"),
    *("cache folder", "state folder", "left-overs", "runs"),
]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's own folders would be; neither is there yet."""
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache" / "deep"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command is given in: an empty repository."""
    return tmp_path_factory.mktemp("repository")


@pytest.fixture
def no_engine(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{place}/nosuch.sock")


@pytest.mark.docker
@pytest.mark.bubblewrap
def test_all_is_well(place: Path, elsewhere: Path) -> None:
    found = diagnosed(elsewhere, sys.executable)
    checks = by_name(found.checks)
    assert list(checks) == NAMES
    assert found.ok
    assert found.sandbox == "docker"
    assert {name: checks[name].status for name in ("docker engine", "docker sandbox", "bubblewrap", "runs")} == dict.fromkeys(
        ("docker engine", "docker sandbox", "bubblewrap", "runs"), "ok"
    )
    assert all(check.remedy for check in found.checks if check.status != "ok")
    assert list(place.iterdir()) == []


@pytest.mark.bubblewrap
@pytest.mark.usefixtures("no_engine")
def test_without_an_engine(place: Path, elsewhere: Path) -> None:
    found = diagnosed(elsewhere, sys.executable)
    checks = by_name(found.checks)
    assert found.ok
    assert found.sandbox == "bubblewrap"
    assert checks["docker engine"].status == "warning"
    assert "there is no Docker engine" in checks["docker engine"].detail
    assert "not needed here, as bubblewrap works" in checks["docker engine"].detail
    assert "install one" in (checks["docker engine"].remedy or "")
    assert list(place.iterdir()) == []


@pytest.mark.usefixtures("no_engine")
def test_without_any_sandbox(elsewhere: Path) -> None:
    found = diagnosed(elsewhere, sys.executable, "import shutil; shutil.which = lambda *_, **__: None")
    checks = by_name(found.checks)
    assert not found.ok
    assert found.sandbox is None
    assert {name for name in NAMES if checks[name].status == "error"} == {"docker engine", "docker sandbox", "bubblewrap", "runs"}
    assert "apt-get install bubblewrap" in f"{checks['bubblewrap'].detail} {checks['bubblewrap'].remedy}"
    assert "`bubblewrap` or `docker engine`" in (checks["runs"].remedy or "")


@pytest.mark.bubblewrap
def test_an_engine_that_hangs_costs_some_seconds(place: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mute_engine(place / "d.sock") as host:
        monkeypatch.setenv("DOCKER_HOST", host)
        with within(12):
            found = diagnosed(elsewhere, sys.executable)
    checks = by_name(found.checks)
    assert "does not answer" in checks["docker engine"].detail
    assert "restart it" in (checks["docker engine"].remedy or "")
    assert checks["left-overs"].status in ("ok", "warning")
    assert (found.ok, found.sandbox) == (True, "bubblewrap")
    assert processes_with(str(place)) == []


@pytest.mark.bubblewrap
@pytest.mark.usefixtures("no_engine")
def test_a_read_only_cache(place: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with read_only(place / "closed") as folder:
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
        found = diagnosed(elsewhere, sys.executable)
        checks = by_name(found.checks)
        assert checks["cache folder"].status == "warning"
        assert checks["bubblewrap"].status == "ok"
        assert found.ok
        assert list(folder.iterdir()) == []


@pytest.mark.bubblewrap
@pytest.mark.usefixtures("no_engine")
def test_a_broken_interpreter_hides_no_sandbox(elsewhere: Path) -> None:
    found = diagnosed(elsewhere, "/nonexistent/python")
    checks = by_name(found.checks)
    assert not found.ok
    assert found.sandbox is None
    assert checks["interpreter"].status == "error"
    assert checks["bubblewrap"].status == "ok"
    assert "there is no interpreter" in checks["runs"].detail


@pytest.mark.skipif(os.getuid() != 0, reason="only root can write to nowhere")
@pytest.mark.bubblewrap
@pytest.mark.usefixtures("no_engine")
def test_what_was_there_stays(place: Path, elsewhere: Path) -> None:
    (place / "cache" / "deep" / "ml-agent").mkdir(parents=True)
    diagnosed(elsewhere, sys.executable)
    assert sorted(path.name for path in place.rglob("*")) == ["cache", "deep", "ml-agent"]
