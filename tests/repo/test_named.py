import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.named import named, names_of

DEFINED = {
    "PreRollNet12": ["a.py"],
    "RollNet12": ["a.py"],
    "Toast": ["b.py"],
    "train": ["c.py"],
    "ToastTest": ["tests/b.py"],
    "_Toast": ["b.py"],
}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the pre-rolling RollNet-12", "PreRollNet12"),
        ("a roll net 12", "RollNet12"),
        ("RollNet12's output", "RollNet12"),
        ("toast it", "Toast"),
    ],
)
def test_the_one_that_is_said(text: str, name: str) -> None:
    assert named(names_of(DEFINED), text)[0][1] == name


def test_tests_and_everyday_names_come_behind_and_private_ones_never() -> None:
    ranked = [name for _, name, _ in named(names_of(DEFINED), "train a Toast")]
    assert ranked[0] == "Toast"
    assert ranked.index("train") > 0
    assert "_Toast" not in ranked
    assert named(names_of(DEFINED), "") == []
    assert named(names_of({}), "toast") == []


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    assert all(score > 0 for score, _, _ in named(names_of(DEFINED), text))


def test_scores_are_the_same_in_each_process() -> None:
    """Sets of words have another order in each, and sums of their rarities one more last digit."""
    code = (
        "from ml_agent.repo.named import named, names_of\n"
        "names = {f'{a}_{b}_{c}_net': [f'{b}/{c}/{a}.py'] for a in ('roll', 'pre', 'deep') for b in ('ham', 'egg') for c in ('x', 'yy')}\n"
        "print(named(names_of(names), 'roll the deep ham net over the eggs x'))\n"
    )
    found = {
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in "123456"
    }
    assert len(found) == 1
