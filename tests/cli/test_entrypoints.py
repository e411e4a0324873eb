"""`ml-agent entrypoints` as a user meets it."""

import json
from pathlib import Path

from tests.commandline import ml_agent, one_line


def test_all_programs_and_how_documents_run_them(smoke: Path) -> None:
    done = ml_agent("entrypoints", smoke)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert sum(not line.startswith(" ") for line in lines) == 5
    at = lines.index(next(line for line in lines if line.startswith("python evaluate.py  evaluate.py:")))
    assert "argparse, " in lines[at]
    assert lines[at + 1] == "    Evaluate a model that train.py wrote, on points that it has not seen."
    assert lines[at + 2].startswith("    python evaluate.py --checkpoint ")
    assert "  README.md:" in lines[at + 2]


def test_those_that_fit(smoke: Path) -> None:
    data = json.loads(ml_agent("entrypoints", smoke, "invent names", "--json").stdout)
    first = data["entry_points"][0]
    assert first["path"] == "examples/names/train.py"
    assert first["score"] > 0
    assert "--temperature" in [option["name"] for option in first["options"]]
    assert first["commands"][0]["workdir"] == "examples/names"
    assert len(json.loads(ml_agent("entrypoints", smoke, "train", "-k", "1", "--json").stdout)["entry_points"]) == 1


def test_nothing_and_bad_input(smoke: Path) -> None:
    done = ml_agent("entrypoints", smoke, "zyxwvut")
    assert (done.returncode, done.stdout) == (1, "no program fits 'zyxwvut'\n")
    done = ml_agent("entrypoints", smoke / "train.py")
    assert done.returncode == 2
    one_line(done)
