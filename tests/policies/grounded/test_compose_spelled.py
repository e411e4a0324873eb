"""Flags that a documented command has already, in another spelling."""

import pytest

from tests.policies.grounded.support import code, command, flag, option, program

OWLS = program(flag("--owls", aliases=("--no-owls",)), option("--lr"))


@pytest.mark.parametrize("text", ["train with owls off", "the owls shall not be used", "train, owls disabled"])
def test_a_flag_of_the_command_is_not_put_twice(text: str) -> None:
    assert code(text, OWLS, command("python train.py --no-owls --lr 3")) == "python train.py --no-owls --lr 3"
    assert code(text, OWLS, command("python train.py --lr 3")) == "python train.py --lr 3 --no-owls"


@pytest.mark.parametrize(
    ("text", "documented", "right"),
    [
        ("use --no-owls", "python train.py --lr 3", "python train.py --lr 3 --no-owls"),
        ("train with owls", "python train.py --no-owls --lr 3", "python train.py --owls --lr 3"),
        ("train with owls off", "python train.py --owls --lr 3", "python train.py --no-owls --lr 3"),
    ],
)
def test_the_other_spelling_takes_the_place_of_the_documented_one(text: str, documented: str, right: str) -> None:
    assert code(text, OWLS, command(documented)) == right
