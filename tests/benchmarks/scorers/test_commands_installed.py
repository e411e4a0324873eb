"""Ground truths that run a command which the repository installs, with what the repository says about it."""

from pathlib import Path

import pytest

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.scorers.programs import ProgramsOf
from ml_agent.benchmarks.scorers.static import StaticScorer
from tests.benchmarks.scorers.samples import attempt, bash

SETUP = """
[project]
name = "kiln"
[project.scripts]
kiln-fire = "kiln.firing:main"
kiln-cool = "kiln.cooling:main"
kiln-glaze = "kiln.glazes:main"
"""
FIRING = """
import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pots", nargs="+")
    parser.add_argument("-t", "--temp", type=int)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--lid", action=argparse.BooleanOptionalAction)
    parser.parse_args()


if __name__ == "__main__":
    main()
"""
COOLING = """
import fire


def cool(pots, hours=2, fan=False):
    pass


def main():
    fire.Fire(cool)
"""
GLAZES = """
import click


@click.group()
def main():
    pass


@main.command()
@click.option("--colour", "-c")
def mix(colour):
    pass


@main.command()
@click.option("--colour", "-c")
def brush(colour):
    pass
"""
FIRE = bash("kiln-fire a.pot b.pot --slow --temp 900 --lid", {"temp": 900, "pots": "a.pot b.pot"}, instruction="a.pot b.pot")
COOL = bash("kiln-cool a.pot --hours=8", {"pots": "a.pot", "hours": 8})
SCRIPT = bash("python -m kiln.firing a.pot --temp 900", {"temp": 900, "pots": "a.pot"})
BELOW = bash("python firing.py a.pot --temp 900", {"temp": 900, "pots": "a.pot"}, workdir="kiln")
GLAZE = bash("kiln-glaze mix --colour blue", {"colour": "blue"})


@pytest.fixture
def scorer(tmp_path: Path) -> StaticScorer:
    (tmp_path / "kiln").mkdir()
    (tmp_path / "pyproject.toml").write_text(SETUP)
    for name, text in (("__init__", ""), ("firing", FIRING), ("cooling", COOLING), ("glazes", GLAZES)):
        (tmp_path / "kiln" / f"{name}.py").write_text(text)
    return StaticScorer(ProgramsOf({"tinynets": tmp_path}))


@pytest.mark.parametrize(
    ("sample", "code", "why"),
    [
        (FIRE, "kiln-fire -t 900 --lid a.pot b.pot --slow", "passed"),
        (FIRE, "kiln-fire --slow a.pot b.pot --temp=900 --lid", "passed"),  # a flag takes none of them
        (FIRE, "python kiln/firing.py -t 900 --lid a.pot b.pot", "passed"),
        (FIRE, "python -m kiln.firing -t 900 --lid a.pot b.pot", "passed"),
        (FIRE, "kiln-fire -t 900 --no-lid a.pot b.pot", "passed"),  # nobody asks for the lid
        (FIRE, "kiln-fire -t 900 a.pot b.pot --heat 1", "unknown_option"),
        (FIRE, "kiln-fire -t 900 b.pot a.pot", "wrong_value"),
        (FIRE, "kiln-fire -t 800 a.pot b.pot", "wrong_value"),
        (FIRE, "kiln-fire -t 900 b.pot", "missing_argument"),
        (FIRE, "cd kiln && python firing.py -t 900 a.pot b.pot", "wrong_program"),  # a.pot is not there
        (FIRE, "python kiln/cooling.py -t 900 a.pot b.pot", "wrong_program"),
        (FIRE, "kiln-cool -t 900 a.pot b.pot", "wrong_program"),
        (COOL, "kiln-cool --pots a.pot --hours 8", "passed"),
        (COOL, "kiln-cool a.pot 8", "passed"),
        (COOL, "kiln-cool --hours 8 a.pot", "passed"),
        (COOL, "kiln-cool 8 a.pot", "wrong_value"),
        (COOL, "python kiln/cooling.py a.pot 8", "wrong_program"),  # the file does nothing by itself
        (SCRIPT, "kiln-fire -t 900 a.pot", "passed"),
        (SCRIPT, "kiln-fire -t 800 a.pot", "wrong_value"),
        (SCRIPT, "kiln-cool a.pot --temp 900", "nothing_run"),
        (BELOW, "cd kiln && kiln-fire -t 900 a.pot", "passed"),
        (BELOW, "kiln-fire -t 900 a.pot", "nothing_run"),  # a.pot is another one
        (GLAZE, "kiln-glaze mix -c blue", "passed"),
        (GLAZE, "kiln-glaze brush -c blue", "wrong_program"),
    ],
)
def test_spellings(scorer: StaticScorer, sample: Sample, code: str, why: str) -> None:
    assert scorer.score(sample, attempt(code)).reason == why


def test_what_denies_a_flag_is_another_option(scorer: StaticScorer) -> None:
    denied = bash("kiln-fire a.pot --no-lid=0", {"lid": 0})
    assert scorer.score(denied, attempt("kiln-fire a.pot --lid=0")).reason == "missing_option"


def test_without_the_repository_spellings_are_those_of_the_ground_truth() -> None:
    assert StaticScorer().score(FIRE, attempt("kiln-fire -t 900 a.pot b.pot")).reason == "missing_option"
    assert StaticScorer(ProgramsOf({})).score(FIRE, attempt("kiln-fire a.pot b.pot --temp 900")).passed
