"""Checks that hang, crash and fail cost no other check."""

import ctypes
import faulthandler
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from ml_agent.doctor import looking
from ml_agent.doctor.check import Found, Given, Probe
from ml_agent.doctor.looking import look
from ml_agent.errors import SandboxUnavailable, UsageError
from tests.pace import within

GIVEN = Given(Path("/nonexistent"), None, Path("/nonexistent"))


def well(given: Given) -> Found:
    os.write(1, b"noise")
    os.write(2, b"noise")
    return Found("ok", "well", value={"a": 1})


def crash(given: Given) -> Found:
    faulthandler.disable()
    given.say("reading address 0")
    ctypes.string_at(0)
    return Found("ok", "not reached")


def hang(given: Given) -> Found:
    given.say("sleeping")
    time.sleep(60)
    return Found("ok", "not reached")


def leave(given: Given) -> Found:
    os._exit(3)


def fail(given: Given) -> Found:
    raise ZeroDivisionError("no division")


def refuse(given: Given) -> Found:
    raise SandboxUnavailable("it is not there", "get it")


def misuse(given: Given) -> Found:
    raise UsageError("give another")


def lack(given: Given) -> Found:
    import no_such_module  # type: ignore[import-not-found] # noqa: F401

    return Found("ok", "not reached")


def test_one_that_fails_hides_no_other(capfd: pytest.CaptureFixture[str]) -> None:
    looks = (hang, crash, leave, fail, refuse, misuse, lack, well)
    with within(5):
        found = look([Probe(one.__name__, one, 1.0 if one is hang else 30.0) for one in looks], GIVEN)
    assert list(found) == [one.__name__ for one in looks]
    assert found["well"] == Found("ok", "well", value={"a": 1})
    assert [one.status for name, one in found.items() if name != "well"] == ["error"] * 7
    assert found["hang"].detail == "no result within 1 seconds while sleeping"
    assert found["crash"].detail == "this check ended with SIGSEGV while reading address 0"
    assert found["leave"].detail == "this check ended with exit code 3"
    assert "ZeroDivisionError: no division" in found["fail"].detail
    assert (found["refuse"].detail, found["refuse"].remedy) == ("it is not there", "get it")
    assert found["misuse"].detail == "give another"
    assert found["lack"].remedy == "do what `packages` says"
    assert all(one.remedy for name, one in found.items() if name not in ("well", "misuse"))
    assert capfd.readouterr() == ("", "")


def test_one_that_is_ended_cleans_up(tmp_path: Path) -> None:
    def work(given: Given) -> Found:
        (tmp_path / "made").touch()
        try:
            time.sleep(60)
        finally:
            (tmp_path / "made").unlink()
            (tmp_path / "cleaned").touch()
        return Found("ok", "not reached")

    look([Probe("work", work, 0.5)], GIVEN)
    assert [path.name for path in tmp_path.iterdir()] == ["cleaned"]


def test_one_that_cannot_be_ended_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_GRACE", 0.3)

    def stay(given: Given) -> Found:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        return hang(given)

    with within(4):
        assert look([Probe("stay", stay, 1.0)], GIVEN)["stay"].status == "error"
    assert multiprocessing.active_children() == []


def test_an_interruption_ends_all() -> None:

    def interrupt(given: Given) -> Found:
        time.sleep(0.5)
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)
        return Found("ok", "not reached")

    with pytest.raises(KeyboardInterrupt):
        look([Probe("hang", hang, 30.0), Probe("interrupt", interrupt, 30.0)], GIVEN)
    assert multiprocessing.active_children() == []
