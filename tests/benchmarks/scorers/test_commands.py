"""Ground truths that run no script, but an installed command or a binary that is built."""

import pytest

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.scorers.commands import judge_command
from ml_agent.benchmarks.scorers.static import StaticScorer, unreachable
from tests.benchmarks.scorers.samples import attempt, bash

BUILT = bash("make\nbuild/embed -dim 50 -in text.txt", {"dim": "50", "in": "text.txt"})
BELOW = bash("./embed -dim 50", {"dim": "50"}, workdir="build")
INSTALLED = bash("birds-train nest --wings 2", {"wings": "2", "argument1": "nest"})


def reason(sample: Sample, code: str, workdir: str = ".") -> str:
    return StaticScorer().score(sample, attempt(code, workdir=workdir)).reason


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("build/embed -dim 50 -in text.txt", "passed"),
        ("./build/embed -in ./text.txt -dim 50 > out 2>&1", "passed"),
        ("make -C src; cd build && ./embed -dim 50 -in text.txt", "passed"),
        ("nice -n 5 build/embed -dim 50 -in text.txt", "passed"),
        ("build/embed -dim 60 -in text.txt", "wrong_value"),
        ("build/embed -dim 50", "missing_option"),
        ("build/embed -dim 50 -in text.txt --help", "nothing_run"),
        ("build/other -dim 50 -in text.txt", "wrong_program"),
        ("build/embed -dim 50 -in text.txt; build/other", "wrong_program"),
        ("embed -dim 50 -in text.txt", "wrong_program"),
        ("cd build && embed -dim 50 -in text.txt", "wrong_program"),  # not from PATH
        ("/build/embed -dim 50 -in text.txt", "wrong_program"),
        ("../x/build/embed -dim 50 -in text.txt", "wrong_program"),
        ("echo build/embed -dim 50 -in text.txt", "wrong_program"),
        ("true || build/embed -dim 50 -in text.txt", "wrong_program"),
        ("exit; build/embed -dim 50 -in text.txt", "wrong_program"),
        ("build/embed() { :; }; build/embed -dim 50 -in text.txt", "wrong_program"),
        ("shopt -s expand_aliases\nalias build/embed=true\nbuild/embed -dim 50 -in text.txt", "nothing_run"),
        ("if false; then build/embed -dim 50 -in text.txt; fi", "nothing_run"),
        ("build/embed 'unclosed", "nothing_run"),
    ],
)
def test_a_binary(code: str, why: str) -> None:
    assert reason(BUILT, code) == why


def test_a_binary_from_its_folder() -> None:
    assert reason(BELOW, "./embed -dim 50", "build") == "passed"
    assert reason(BELOW, "build/embed -dim 50") == "passed"
    assert reason(BELOW, "./embed -dim 50") == "wrong_program"
    assert reason(BELOW, "cd build; ./embed -dim 50") == "passed"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("birds-train nest --wings 2", "passed"),
        ("pip install . && birds-train nest --wings=2", "passed"),
        ("python birds-train.py nest --wings 2", "passed"),
        ("birds-train --wings 2", "missing_argument"),
        ("birds-train nest --wings 3", "wrong_value"),
        ("./birds-train nest --wings 2", "wrong_program"),
        ("birds-test nest --wings 2", "wrong_program"),
        ("alias birds-test=birds-train; birds-test nest --wings 2", "wrong_program"),
        ("birds-train() { true; }; birds-train nest --wings 2", "wrong_program"),
        ("hash -p /bin/true birds-train; birds-train nest --wings 2", "nothing_run"),
    ],
)
def test_an_installed_command(code: str, why: str) -> None:
    assert reason(INSTALLED, code) == why


def test_a_command_outside_of_the_repository_is_like_none() -> None:
    """Two of which no path in the repository is known are not the same for that."""
    outside = bash("/opt/bin/fly --n 2", {"n": "2"})
    assert "wrong_program" in unreachable(outside)
    assert reason(outside, "/bin/true --n 2") == "wrong_program"


def test_a_ground_truth_without_any_command() -> None:
    assert judge_command(bash("while", {}), "make", ".").reason == "unreachable"


def test_a_script_is_not_replaced_by_a_command() -> None:
    assert reason(bash("python train.py --lr 1", {"lr": "1"}), "train --lr 1") == "nothing_run"
