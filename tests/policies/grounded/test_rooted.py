"""Files of which a program wants the folder apart."""

import pytest

from tests.policies.grounded.support import code, command, option, program

MADE = program(option("--root"), option("--songs"))
SHOWN = command("python train.py --root nests/ --songs hen.csv")


@pytest.mark.parametrize(
    ("text", "code_"),
    [
        ("train with the songs nests/owl.csv", "python train.py --root nests/ --songs owl.csv"),
        ("train with the songs eggs/new/owl.csv", "python train.py --root eggs/new/ --songs owl.csv"),
        ("train with the songs owl.csv", "python train.py --root nests/ --songs owl.csv"),
    ],
)
def test_the_folder_of_a_file_goes_to_the_root(text: str, code_: str) -> None:
    assert code(text, MADE, SHOWN) == code_


def test_not_where_files_are_documented_with_their_folder() -> None:
    shown = command("python train.py --root nests/ --songs eggs/hen.csv")
    assert code("train with the songs eggs/owl.csv", MADE, shown) == "python train.py --root nests/ --songs eggs/owl.csv"
