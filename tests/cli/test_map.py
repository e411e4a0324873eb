"""`ml-agent map` as a user meets it."""

import json
from pathlib import Path

from tests.commandline import ml_agent, one_line


def test_an_outline(smoke: Path) -> None:
    done = ml_agent("map", smoke, "--task", "moons and rings", "--tokens", "150")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "tinynets/data.py:"
    assert any(line.startswith("  29: def _moons(") for line in lines)
    assert lines[-1].endswith(" definitions more")
    data = json.loads(ml_agent("map", smoke, "--task", "moons and rings", "--tokens", "150", "--json").stdout)
    assert data["tokens"] <= 150
    assert data["files"][0]["path"] == "tinynets/data.py"
    assert len(ml_agent("map", smoke).stdout) > len(done.stdout)


def test_nothing_and_bad_input(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "notes.txt").write_text("nothing here\n")
    done = ml_agent("map", tmp_path / "x")
    assert (done.returncode, done.stdout) == (1, "there are no definitions\n")
    assert ml_agent("map", smoke, "--tokens", "1").returncode == 1
    done = ml_agent("map", smoke, "--tokens", "many")
    assert done.returncode == 2
    assert "not a whole number above zero" in one_line(done)
