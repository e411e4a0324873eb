"""Requests for documented commands with other files, folders and names."""

import random
from pathlib import Path

import pytest

from ml_agent.benchmarks.echoes.__main__ import main
from ml_agent.benchmarks.echoes.paths import other_path, other_paths
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.index import RepoIndex
from tests.policies.grounded.support import option, write

PROGRAM = """import argparse
parser = argparse.ArgumentParser()
parser.add_argument("songs", help="folder with the songs of one wood")
parser.add_argument("--net-file", default="nets/owl.pt")
parser.add_argument("--species", choices=["owl", "lark"], default="owl")
parser.add_argument("--steps", type=int, default=50)
args = parser.parse_args()
"""
README = "# Birds\n\n## Hatching\n\n```bash\npython hatch.py data/woods --net-file nets/wren.pt --species owl\n```\n"


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    return write(tmp_path / "checkouts", {"birds/hatch.py": PROGRAM, "birds/README.md": README})


def drawn(place: Option, value: str) -> set[str]:
    return {other_path(place, value, random.Random(seed)) for seed in range(20)}  # noqa: S311 - no secret


@pytest.mark.parametrize(
    ("place", "value", "ending"),
    [
        (option("--net"), "nets/owl.pt", ".pt"),
        (option("--net"), "owl.pt", ".pt"),
        (option("--songs"), "data/woods/", "/"),
        (option("--scans"), "data/owl.nii.gz", ".nii.gz"),
    ],
)
def test_a_file_keeps_its_ending(place: Option, value: str, ending: str) -> None:
    for other in drawn(place, value):
        assert other.endswith(ending)
        assert other != value


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (option("--species", choices=["owl", "lark"]), "nets/owl"),
        (option("--steps", type="int"), "50"),
        (option("--rate"), "0.5"),
        (option("--loud"), "True"),
        (option("--net"), "/path/to/net.pt"),
        (option("--net"), "owl"),
        (option("--net"), "v2.owls"),
    ],
)
def test_nothing_comes_to_mind_for_what_is_no_place(place: Option, value: str) -> None:
    assert drawn(place, value) == {""}


def test_a_name_of_ones_own() -> None:
    assert drawn(option("--run-name"), "first").isdisjoint({"", "first"})


def test_what_is_asked_for_is_in_the_command(checkouts: Path) -> None:
    index = RepoIndex(checkouts / "birds")
    asked = set[str]()
    for seed in range(20):
        (sample,) = other_paths(index, "birds", 5, seed)
        for value in sample.arguments.values():
            assert value in sample.instruction
            assert value in sample.output.split()
        asked |= sample.arguments.keys()
    assert asked == {"songs", "net-file"}


def test_it_is_answered_right(checkouts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(checkouts), "--each", "2", "--workers", "1", "--kinds", "paths"]) == 0
    assert "1 of 1, 100.0 %" in capsys.readouterr().out
