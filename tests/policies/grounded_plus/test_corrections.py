"""What of a model's correction can be taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.grounded.request import Mention
from ml_agent.policies.grounded_plus.corrections import keeps, program_of
from ml_agent.task import Answer, Evidence

PLACED = (
    Evidence("--lr 0.1", "rate of 0.1", "train.py:3"),
    Evidence("--name=owl", "owl", "train.py:4"),
    Evidence("train.py", None, "README.md:1"),
)
BEFORE = Answer("bash", "python train.py --lr 0.1 --name=owl", "songs", PLACED)
LEFT = (Mention("7", "number", 3, "7"),)


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("python train.py --lr 0.1 --name owl --seed 7", True),
        ("python3 ./train.py --seed 7 --name owl --lr 0.1", True),
        ("python train.py --lr 0.1 --name owl", False),  # the value that was left over
        ("python train.py --lr 0.2 --name owl --seed 7", False),
        ("python test.py --lr 0.1 --name owl --seed 7", False),
        ("import train\ntrain.main(0.1, 'owl', 7)  # train.py", False),
        ("", False),
    ],
)
def test_keeps(code: str, kept: bool) -> None:
    proposal = Proposal(1.0, BEFORE, None, LEFT, {})
    assert keeps(proposal, Answer("bash", code, "songs")) is kept


@pytest.mark.parametrize(
    ("answer", "program"),
    [
        (BEFORE, "songs/train.py"),
        (Answer("bash", "CUDA_VISIBLE_DEVICES=1 bash ./scripts/a.sh -x"), "scripts/a.sh"),
        (Answer("bash", "python -m songs.train"), None),
        (Answer("bash", "python 'unclosed"), None),
        (Answer("python", "import train"), None),
    ],
)
def test_program_of(answer: Answer, program: str | None) -> None:
    assert program_of(answer) == program


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert keeps(Proposal(1.0, BEFORE, None, (), {}), Answer("bash", text, "songs")) in (True, False)
