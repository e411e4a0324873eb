"""`ml-agent usage` as a user meets it."""

import json
import subprocess
import sys
from pathlib import Path

from tests.commandline import ml_agent, one_line

CLICK = """\
import click


@click.group()
def cli():
    "Tools."


@cli.command()
@click.option("--lr", type=float, default=0.1, help="learning rate")
def train(lr):
    "Train it."


if __name__ == "__main__":
    cli()
"""


def test_a_program(smoke: Path) -> None:
    done = ml_agent("usage", smoke, "evaluate.py")
    assert (done.returncode, done.stderr) == (0, "")
    own = subprocess.run([sys.executable, "evaluate.py", "--help"], cwd=smoke, capture_output=True, text=True, check=True).stdout
    options = [line.split()[0] for line in own.splitlines() if line.startswith("  --")]
    assert len(options) >= 4
    assert all(f"  {option}" in done.stdout for option in options)
    assert done.stdout.splitlines()[-1].startswith("argparse, read from evaluate.py:")
    data = json.loads(ml_agent("usage", smoke, "evaluate", "--json").stdout)
    assert (data["path"], data["run"], data["commands"]) == ("evaluate.py", ["python", "evaluate.py"], [])
    assert data["usage"].startswith("usage: evaluate.py ")


def test_a_sub_command(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(CLICK)
    done = ml_agent("usage", tmp_path, "tool.py", "train")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: tool.py train [OPTIONS]\n\n  Train it.\n")
    assert "learning rate [default: 0.1]" in done.stdout
    done = ml_agent("usage", tmp_path, "tool.py", "trian")
    assert (done.returncode, one_line(done)) == (2, "ml-agent: tool.py has no sub-command trian; there are train")


def test_no_such_program(smoke: Path) -> None:
    for name, message in (("evalute.py", "nearest: evaluate.py"), ("no\x1b[31mthing", "no\\x1b[31mthing"), ("", "no such program")):
        done = ml_agent("usage", smoke, name)
        assert done.returncode == 2
        assert message in one_line(done)
