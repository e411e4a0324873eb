import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.shell import parse
from ml_agent.repo.shell.continuations import continued
from tests.pace import within


def words(code: str) -> list[list[str]]:
    return [[word.text for word in command.words] for command in parse(continued(code)).commands]


WHOLE = [["python", "train.py", "--data", "d", "--lr", "0.1"]]


@pytest.mark.parametrize(
    "code",
    [
        "python train.py --data d \\ \n    --lr 0.1",
        "python train.py --data d \\  # the folder\n    --lr 0.1",
        "python train.py --data d\n    --lr 0.1",
        "python train.py\n--data d\n--lr 0.1\n",
        "python train.py\n# where it lies\n--data d\n\n# how fast\n--lr 0.1",
        "python train.py \\\n# where it lies\n--data d \\\n--lr 0.1",
        "python train.py\n--data d   # where it lies\n--lr 0.1",
        "python train.py\n--data d (where it lies)\n--lr 0.1",
    ],
)
def test_an_option_begins_no_command(code: str) -> None:
    assert words(code) == WHOLE


@pytest.mark.parametrize(
    "code",
    [
        "python a.py --x 1\npython b.py\n",
        "python a.py -h\n  --epochs N    How many times to go through\n",
        "usage: a.py [-h]\n  --epochs N",
        "The program:\n  --epochs 3",
        "x=1\n--y 2",
        "for i in 1 2; do\n  --y 2",
        "python a.py \\\n  --x 1",
    ],
)
def test_what_is_left_as_it_is(code: str) -> None:
    assert continued(code) == code


def test_numbers_in_parentheses_are_a_value() -> None:
    assert continued("python a.py\n--size (256, 192)\n--x") == "python a.py \\\n--size (256, 192) \\\n--x"


@given(st.text(alphabet="ab -=\\#()\n.p y", max_size=200))
def test_lines_stay_where_they_are(code: str) -> None:
    assert continued(code).count("\n") == code.count("\n")
    assert continued(continued(code)) == continued(code)


@pytest.mark.parametrize("piece", [",", " ,", " #", " (", "\\ ", " a", "=", " --a", "\\#", " (1", "{", " |"])
def test_a_long_line_takes_no_longer_than_its_length(piece: str) -> None:
    lines = "\n".join(["python a.py", "--a" + piece * 20_000, "--b" + piece * 20_000 + "\t", "x"])
    with within(2.0):
        continued(lines)


def test_many_remarks_take_no_longer_than_their_number() -> None:
    with within(2.0):
        assert continued("python a.py\n" + "# x\n" * 20_000 + "--b 1").count("\\") == 20_001


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("brew tea.txt \u2013leaves 3 \u2014cup owl", "brew tea.txt --leaves 3 --cup owl"),
        ("brew tea.txt \u2013l 3 \u2014c owl", "brew tea.txt -l 3 -c owl"),
        ("brew tea.txt\n\u2014leaves 3", "brew tea.txt \\\n--leaves 3"),
        ("brew tea \u2013 or not \u2014 in 3\u20135 cups", None),
        ("a tea\u2014green or black\u2013is brewed", None),
        ("brew \u20143", None),
    ],
)
def test_dashes_that_an_editor_made_one(code: str, meant: str | None) -> None:
    assert continued(code) == (meant or code)
