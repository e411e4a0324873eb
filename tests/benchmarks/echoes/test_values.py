"""Requests made from documented commands, and what comes of them."""

from pathlib import Path

import pytest

from ml_agent.benchmarks.echoes.__main__ import main
from ml_agent.benchmarks.echoes.values import other_values
from ml_agent.repo.index import RepoIndex
from tests.policies.grounded.support import write

PROGRAM = """import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--nest-size", type=int, default=4)
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--species", choices=["owl", "lark", "wren"], default="owl")
parser.add_argument("--steps", type=int, default=50, help="number of flights over the wood, at most")
parser.add_argument("--loud", action="store_true")
args = parser.parse_args()
"""
README = "# Birds\n\n## Hatching\n\n```bash\npython hatch.py --nest-size 6 --lr 0.02 --species owl\npython hatch.py --help\n```\n"


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    return write(tmp_path / "checkouts", {"birds/hatch.py": PROGRAM, "birds/README.md": README})


def test_a_request_asks_for_other_values_by_names_that_only_one_option_has(checkouts: Path) -> None:
    index = RepoIndex(checkouts / "birds")
    phrases = {
        "nest-size": ("nest size",),
        "lr": ("learning rate",),
        "species": ("species",),
        "steps": ("steps", "number of flights over the wood"),
    }
    asked = set[str]()
    for seed in range(20):
        (sample,) = other_values(index, "birds", 5, seed)
        assert "hatch.py" in sample.instruction
        for name, value in sample.arguments.items():
            assert value in sample.instruction.replace(",", " ").replace(". ", " ").rstrip(".").split()
            assert any(phrase in sample.instruction for phrase in phrases[name])
            assert f"--{name} {value}" in sample.output
        assert "loud" not in sample.arguments
        asked |= sample.arguments.keys()
    assert asked == phrases.keys()


def test_the_same_seed_asks_for_the_same(checkouts: Path) -> None:
    index = RepoIndex(checkouts / "birds")
    assert list(other_values(index, "birds", 5, 1)) == list(other_values(index, "birds", 5, 1))
    assert not list(other_values(index, "birds", 0, 1))


def test_it_is_answered_right(checkouts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(checkouts), "--each", "2", "--workers", "1", "--kinds", "values"]) == 0
    assert "1 of 1, 100.0 %" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--each", "0"], ["--workers", "0"]])
def test_bad_input_is_said_in_a_line(checkouts: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(checkouts), *arguments]) == 2
    assert main([str(checkouts / "birds" / "README.md")]) == 2
    empty = checkouts.parent / "empty"
    empty.mkdir()
    assert main([str(empty)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3
