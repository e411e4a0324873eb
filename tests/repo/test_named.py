import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.named import named

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
    assert named(DEFINED, text)[0][1] == name


def test_tests_and_everyday_names_come_behind_and_private_ones_never() -> None:
    ranked = [name for _, name, _ in named(DEFINED, "train a Toast")]
    assert ranked[0] == "Toast"
    assert ranked.index("train") > 0
    assert "_Toast" not in ranked
    assert named(DEFINED, "") == []
    assert named({}, "toast") == []


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    assert all(score > 0 for score, _, _ in named(DEFINED, text))
