"""`python -m ml_agent` in a foreign repository: Python puts that folder first on its path, and what is planted there is not used."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commandline import COMMAND, environment

GROUPS = ("policies", "agents", "tools", "sandboxes", "suites")
_MODULES = ("evil", "pydantic", "numpy", "jinja2", "docker", "rich", "argparse", "yaml")
"""Of them all but the first are imported by ml-agent itself, sooner or later."""


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "imported"


@pytest.fixture
def planted(smoke: Path, marker: Path) -> Path:
    points = "".join(f"[ml_agent.{group}]\nevil = evil:Evil\ngrounded = evil:Evil\n" for group in GROUPS)
    for folder, metadata in (("evil-1.0.dist-info", "METADATA"), ("worse.egg-info", "PKG-INFO")):
        (smoke / folder).mkdir()
        (smoke / folder / metadata).write_text(f"Metadata-Version: 2.1\nName: {folder.partition('.')[0]}\nVersion: 1.0\n")
        (smoke / folder / "entry_points.txt").write_text(points)
    for name in _MODULES:
        (smoke / f"{name}.py").write_text(f"open({str(marker)!r}, 'a').write(__name__ + chr(10))\nclass Evil: ...\n")
    return smoke


def started(folder: Path, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=50, cwd=folder, env=environment(**variables))


def test_the_plants_are_live(planted: Path, marker: Path) -> None:
    code = "from importlib.metadata import entry_points as e; print(len(e(group='ml_agent.policies', name='evil'))); import pydantic"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=planted, env=environment())
    assert done.stdout.strip() == "2"
    assert marker.read_text() == "pydantic\n"


@pytest.mark.parametrize("words", [["policies"], ["tools"], ["bench", "list"]])
def test_nothing_planted_is_listed(planted: Path, marker: Path, words: list[str]) -> None:
    done = started(planted, *words, "--json")
    assert done.returncode == 0, done.stderr
    (listed,) = json.loads(done.stdout).values()
    assert "evil" not in [one["name"] for one in listed]
    assert {one["distribution"] for one in listed if one["name"] in ("grounded", "grep", "smoke")} == {"ml-agent"}
    assert not marker.exists(), marker.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--policy", "evil"], "no policy is called 'evil'"),
        (["--policy", "evil:Evil"], "there is no module 'evil'"),
        (["--tool", "evil"], "no tool is called 'evil'"),
        (["--sandbox", "evil"], "no sandbox is called 'evil'"),
        (["--no-run"], None),
    ],
)
def test_nothing_planted_is_imported(planted: Path, marker: Path, words: list[str], told: str | None) -> None:
    done = started(planted, "solve", "--repo", ".", "--task", "train the MLP on the moons for 3 epochs", *words)
    assert not marker.exists(), marker.read_text()
    assert done.returncode == (0 if told is None else 2), done.stderr
    assert (told or "") in done.stderr


def test_what_the_user_has_put_on_the_path_is_found(planted: Path, marker: Path, tmp_path: Path) -> None:
    """The same folder, by PYTHONPATH: a decision of the user's own."""
    for name in _MODULES[1:]:
        (planted / f"{name}.py").unlink()
    (tmp_path / "elsewhere").mkdir()
    path = os.pathsep.join((environment()["PYTHONPATH"], str(planted)))
    for folder in (planted, tmp_path / "elsewhere"):
        done = started(folder, "solve", "--repo", str(planted), "--task", "x y", "--policy", "evil", "--no-run", PYTHONPATH=path)
        assert "evil is no policy" in done.stderr
        assert marker.read_text() == "evil\n"
        marker.unlink()


def test_from_a_folder_that_is_gone(tmp_path: Path) -> None:
    leave = "import os, runpy, sys; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); sys.argv[1:] = ['--version']"
    code = f"{leave}; runpy.run_module('ml_agent', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50, cwd=tmp_path, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
