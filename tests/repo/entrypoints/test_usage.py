import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import Style
from ml_agent.repo.entrypoints.usage import usage
from tests.repo.entrypoints.programs import read_program

ARGPARSE = """
import argparse
p = argparse.ArgumentParser(description="Train it.")
p.add_argument("data", help="where it is")
p.add_argument("--lr", type=float, default=0.1, help="the rate, %(default)s or 10%%")
p.add_argument("-e", "--epochs", type=int, nargs="+")
p.add_argument("--mode", choices=["a", "b"], required=True)
g = p.add_mutually_exclusive_group()
g.add_argument("--cpu", action="store_true", help="slow")
g.add_argument("--gpu", type=int)
p.parse_args()
"""

CLICK = '''
import click

@click.group()
def cli():
    """All of it."""

@cli.command()
@click.option("--lr", "-l", type=float, help="the rate")
@click.option("--mode", type=click.Choice(["a", "b"]))
@click.option("--deep/--no-deep", help="more layers")
@click.argument("data")
@click.argument("rest", nargs=-1)
def train(**kwargs):
    """Train it."""

if __name__ == "__main__":
    cli()
'''


def real_help(folder: Path, *words: str) -> str:
    environment = {"COLUMNS": "102", "PATH": "/usr/bin"}
    return subprocess.run(
        [sys.executable, "train.py", *words, "--help"], cwd=folder, capture_output=True, text=True, timeout=20, check=True, env=environment
    ).stdout


def test_argparse_prints_the_same(tmp_path: Path) -> None:
    entry = read_program(tmp_path, ARGPARSE)
    ours, real = usage(entry), real_help(tmp_path)
    assert sorted(ours.split()) == sorted(real.replace("show this help message and exit", "show the help and exit").split())
    assert [line for line in real.splitlines() if "--lr" in line][-1] in ours


@pytest.mark.parametrize("command", [None, "train"])
def test_click_prints_the_same(tmp_path: Path, command: str | None) -> None:
    entry = read_program(tmp_path, CLICK)
    assert " ".join(usage(entry, command).split()) == " ".join(real_help(tmp_path, *([command] if command else [])).split())


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        usage(read_program(tmp_path, CLICK), "test")


def test_what_could_not_be_read_is_said(tmp_path: Path) -> None:
    code = "import argparse\np = argparse.ArgumentParser()\nfor n in load():\n    p.add_argument('--' + n)\np.parse_args()\n"
    shown = usage(read_program(tmp_path, code))
    assert shown.endswith(
        "It may take more options than these, for this could not be read:\n  an option whose name is made at run time at train.py:4\n"
    )


_texts = st.text(max_size=30)
_options = st.builds(
    Option,
    name=st.sampled_from(["--a", "--b[", "c", "d)", "%s", "e.f"]) | _texts.filter(bool),
    aliases=st.just(()),
    source=st.just("x.py:1"),
    type=st.none() | _texts,
    default=st.none() | _texts,
    choices=st.none() | st.lists(_texts, max_size=3).map(tuple),
    nargs=st.sampled_from([None, "?", "*", "+", "2", "A...", "..."]),
    required=st.booleans(),
    help=_texts,
    action=st.sampled_from(["store", "flag", "append", "count", "help"]),
    group=st.sampled_from([None, "g"]),
    assigned=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_options, max_size=5), st.sampled_from(["gnu", "absl", "click", "optparse", "fire", "assign", "hydra", "docopt", "make"]))
def test_any_entry_point_has_a_usage(options: list[Option], style: Style) -> None:
    listed = tuple(dataclasses.replace(o, aliases=(o.name,)) for o in options)
    assert usage(EntryPoint("x.py", "argparse", ("python", "x.py"), listed, flag_style=style))


def test_variables_of_the_environment_are_shown(tmp_path: Path) -> None:
    entry = read_program(tmp_path, "# TAG: name of the trial\npython x.py ${N:-3} $TAG\n", path="run.sh")
    assert usage(entry).rstrip().endswith("Environment:\n  N=3\n  TAG=  name of the trial")
