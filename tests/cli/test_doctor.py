"""`ml-agent doctor` as a user meets it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commandline import COMMAND, environment, ml_agent, one_line
from tests.doctor.support import mute_engine
from tests.doctor.test_doctor import NAMES
from tests.sandbox.support import processes_with


@pytest.mark.bubblewrap
def test_one_line_each_and_what_to_do(tmp_path: Path) -> None:
    done = ml_agent("doctor", "--python", sys.executable, cwd=tmp_path, DOCKER_HOST="unix:///nosuch.sock")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line[9:25].strip() for line in lines if not line.startswith(" ")] == NAMES
    at = next(number for number, line in enumerate(lines) if line[9:22] == "docker engine")
    assert lines[at].startswith("warning  docker engine   there is no Docker engine (no socket /nosuch.sock)")
    assert lines[at + 1].strip().startswith("to do: install one")
    assert lines[-1].startswith("ok       runs            --sandbox auto takes bubblewrap: ")


@pytest.mark.bubblewrap
def test_json_is_one_object(tmp_path: Path) -> None:
    done = ml_agent("doctor", "--json", "--python", sys.executable, cwd=tmp_path, DOCKER_HOST="unix:///nosuch.sock")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert (said["ok"], said["sandbox"]) == (True, "bubblewrap")
    assert [check["name"] for check in said["checks"]] == NAMES
    for check in said["checks"]:
        assert set(check) == {"name", "status", "detail", "remedy"}
        assert check["status"] in ("ok", "warning", "error")
        assert "\n" not in check["detail"]
        assert check["remedy"] is None if check["status"] == "ok" else check["remedy"]


def test_nothing_red_is_silent(tmp_path: Path) -> None:
    """Nor does foreign text reach the terminal as it is."""
    done = ml_agent("doctor", "--python", "no\x1b[31msuch", cwd=tmp_path, DOCKER_HOST="unix:///nosuch.sock")
    assert done.returncode == 1
    red = [line for line in done.stdout.splitlines() if line.startswith("error")]
    assert red[0].startswith("error    interpreter     --python 'no\\x1b[31msuch' cannot be used")
    assert red[-1].startswith("error    runs ")
    assert done.stdout.splitlines()[-1].startswith("ml-agent: not everything works here: interpreter, ")
    assert "\x1b" not in done.stdout


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    code = f"import os, sys; os.chdir(sys.argv[1]); os.rmdir(sys.argv[1]); os.execv({sys.executable!r}, {[*COMMAND, 'doctor']!r})"
    command = [sys.executable, "-c", code, str(tmp_path / "gone")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=50)
    assert done.returncode == 2
    assert "change to one that exists" in one_line(done)


def test_the_home_folder_is_no_repository(tmp_path: Path) -> None:
    """A user's own interpreters stand there, and are used."""
    link = tmp_path / "bin" / "python3"
    link.parent.mkdir()
    link.write_text(f'#!/bin/sh\nexec {os.path.realpath(sys.executable)} "$@"\n')
    link.chmod(0o755)
    variables = {
        "HOME": str(tmp_path),
        "PATH": f"{link.parent}:{os.environ['PATH']}",
        "VIRTUAL_ENV": "",
        "DOCKER_HOST": "unix:///nosuch.sock",
    }
    said = json.loads(ml_agent("doctor", "--json", cwd=tmp_path, **variables).stdout)
    (check,) = [check for check in said["checks"] if check["name"] == "interpreter"]
    assert "stands inside the repository" not in check["detail"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    cache = tmp_path / "cache"
    with mute_engine(tmp_path / "d.sock") as host:
        env = environment(DOCKER_HOST=host, XDG_CACHE_HOME=str(cache))
        process = subprocess.Popen(
            [*COMMAND, "doctor", "--python", str(tmp_path)], cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True
        )
        time.sleep(1.5)
        process.send_signal(number)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 130, said
    assert said == "ml-agent: interrupted\n"
    assert processes_with(str(tmp_path)) == []
    assert not cache.exists()
