from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.benchmarks.base import Attempt
from ml_agent.benchmarks.scorers import load_scorer
from ml_agent.benchmarks.scorers.static import StaticScorer, unreachable
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from tests.benchmarks.scorers.samples import attempt, bash, python

SAMPLE = bash(
    "python train.py --dataset moons --lr 0.05 --epochs 20 --seed 7",
    {"dataset": "moons", "lr": "0.05", "n": "20"},
    instruction="train on moons, rate 0.05, 20 epochs",
)
NAMES = bash("python train.py --order 2", {"order": 2}, workdir="examples/names")
PROGRAMS = load_scorer("static", {"tinynets": REPOSITORY})
GUESSING = load_scorer("static")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("python train.py --dataset moons --lr 0.05 --epochs 20", "passed"),  # nobody asks for the seed
        ("python3 -u ./train.py --dataset=Moons --epochs=20.0 --lr 5e-2 --out a.json", "passed"),
        ("cd examples && cd .. && python train.py --lr 1 --dataset moons --lr 0.05 --epochs 20", "passed"),
        ("cd examples/names && python ../../train.py --dataset moons --lr 0.05 --epochs 20", "passed"),
        ("cd examples && python train.py --dataset moons --lr 0.05 --epochs 20", "wrong_program"),
        ("python train.py --dataset moons --lr 0.05 --epochs 20 --lr 0.5", "wrong_value"),
        ("python train.py --dataset moons --lr 0.5 --epochs 20", "wrong_value"),
        ("python train.py --dataset moons --lr 0.05", "missing_option"),
        ("python train.py --dataset moons --lr 0.05 --epochs 20 --help", "nothing_run"),
        ("python evaluate.py --dataset moons --lr 0.05 --epochs 20", "wrong_program"),
        ("python train.py --dataset moons --lr 0.05 --epochs 20; python evaluate.py", "wrong_program"),
        ("python train.py --dataset moons --lr 0.05 --epochs 20 20 0.05 moons", "wrong_value"),
        ("echo python train.py --dataset moons --lr 0.05 --epochs 20", "nothing_run"),
        ("exit 0; python train.py --dataset moons --lr 0.05 --epochs 20", "nothing_run"),
        ("", "no_answer"),
    ],
)
def test_commands(code: str, reason: str) -> None:
    assert GUESSING.score(SAMPLE, attempt(code)).reason == reason


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("", "passed"),
        ("--out a.json", "passed"),
        ("--gpu 0", "unknown_option"),
        ("--epoch 20", "unknown_option"),
        ("moons", "extra_argument"),
    ],
)
def test_with_the_programs(more: str, reason: str) -> None:
    verdict = PROGRAMS.score(SAMPLE, attempt(f"python train.py --dataset moons --lr 0.05 --epochs 20 {more}"))
    assert verdict.reason == reason
    assert PROGRAMS.version != GUESSING.version


def test_a_value_in_another_case_than_the_choice_is_refused_by_the_program() -> None:
    assert PROGRAMS.score(SAMPLE, attempt("python train.py --dataset Moons --lr 0.05 --epochs 20")).reason == "wrong_value"


def test_aliases_and_positional_arguments_of_a_script() -> None:
    sample = bash("bash scripts/run.sh -e 12 -s 4 moons softmax", {"e": 12, "d": "moons", "m": "softmax"})
    assert PROGRAMS.score(sample, attempt("cd scripts && bash run.sh -e 12 moons softmax")).passed
    assert PROGRAMS.score(sample, attempt("bash scripts/run.sh -e 12 moons mlp")).reason == "missing_argument"


def test_where_an_answer_starts() -> None:
    anywhere = load_scorer("static", from_root=False)
    assert GUESSING.score(NAMES, attempt("python train.py --order 2", workdir="examples/names")).passed
    assert GUESSING.score(NAMES, attempt("cd examples/names && python train.py --order 2")).passed
    assert GUESSING.score(NAMES, attempt("python examples/names/train.py --order 2")).passed
    assert GUESSING.score(NAMES, attempt("python train.py --order 2")).reason == "wrong_program"
    assert anywhere.score(NAMES, attempt("python train.py --order 2")).passed
    assert anywhere.version != GUESSING.version


def test_options_behind_a_comment_sign_are_asked_for() -> None:
    sample = bash("python a.py --flag   # Some Words --lr 0.05 --n 20", {"lr": "0.05"})
    assert "missing_option" in unreachable(sample)
    assert GUESSING.score(sample, attempt("python a.py --flag --lr 0.05")).passed


def test_languages() -> None:
    assert GUESSING.score(SAMPLE, attempt("x = 1", "python")).reason == "wrong_language"
    assert GUESSING.score(python("import pkg\npkg.f(1)", {}), attempt("python x.py")).reason == "wrong_language"
    mislabelled = python("python3 main.py --lr 2", {"lr": 2})
    assert GUESSING.score(mislabelled, attempt("python3 main.py --lr 2", "python")).passed
    assert GUESSING.score(mislabelled, attempt("python main.py --lr 2", "bash")).passed
    assert GUESSING.score(mislabelled, attempt("import main", "python")).reason == "nothing_run"
    assert unreachable(mislabelled) == ""


def test_ground_truths_that_cannot_be_read() -> None:
    for sample in (bash("for x in", {}), python("Note that nothing", {}), bash("echo (", {})):
        assert unreachable(sample).startswith("its own ground truth does not pass: unreachable")
        assert not GUESSING.score(sample, attempt(sample.output, sample.language)).passed


def test_no_answer() -> None:
    assert GUESSING.score(SAMPLE, Attempt("1/1", 0, "limit")).reason == "no_answer"


def test_an_unknown_repository_is_read_without_it(tmp_path: Path) -> None:
    assert load_scorer("static", {"other": tmp_path}).score(SAMPLE, attempt(SAMPLE.output)).passed


@settings(deadline=None, max_examples=80)
@given(st.text(max_size=40), st.sampled_from(["bash", "python"]), st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=3))
def test_any_sample_has_a_verdict_and_its_ground_truth_passes_or_is_unreachable(text: str, language: str, asked: dict[str, str]) -> None:
    sample = bash(text, asked) if language == "bash" else python(text, asked)
    verdict = StaticScorer().score(sample, attempt(text, sample.language))
    assert verdict.passed == (unreachable(sample) == "")
    assert not StaticScorer().score(sample, attempt("", sample.language)).passed
