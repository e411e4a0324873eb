import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.shell.prose import in_prose
from tests.pace import within


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Run `python a.py --x 1`, then `./b.sh`.", [(0, "python a.py --x 1"), (0, "./b.sh")]),
        ("> python a.py --x 1", [(0, "python a.py --x 1")]),
        ("1. $ python a.py --x\\_y 1  ", [(0, "python a.py --x_y 1")]),
        ("> python a.py \\\n> --x 1\nText.", [(0, "python a.py \\\n--x 1")]),
        ("The file:\n\n**python a.py --x 1**\n", [(2, "python a.py --x 1")]),
        ("python a.py will train the model", []),
        ("torchrun starts a.py.", []),
        ("See a.py", []),
    ],
)
def test_commands_between_backticks_and_on_their_own(text: str, found: list[tuple[int, str]]) -> None:
    assert list(in_prose(text.split("\n"))) == found


@given(st.lists(st.text(alphabet="> `$python.ay-x1\\*", max_size=60), max_size=8))
def test_any_text(lines: list[str]) -> None:
    assert all(0 <= at < len(lines) for at, _ in in_prose(lines))


@pytest.mark.parametrize("piece", [">", "> ", "1. ", "$ ", "`a.py ", "a/ $ ", "python a.py ", "\\_", "a. ", "**"])
def test_a_long_line_takes_no_longer_than_its_length(piece: str) -> None:
    with within(2.0):
        list(in_prose([piece * 20_000 + " python a.py --x 1", "python a.py " + piece * 20_000]))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Run `brew tea.txt`, see `an owl`.", ["brew tea.txt", "an owl"]),  # which of them are commands, others tell
        ("Run `brew+ 3`.", ["brew+ 3"]),
        ("Run ``brew tea.txt``.", ["brew tea.txt"]),
        ("Run `brewer tea.txt`.", []),
        ("Run `stew tea.txt`.", []),
        ("Run brew tea.txt, see `an owl`.", []),
        ("Run `brew`.", []),
    ],
)
def test_an_installed_command_between_backticks(text: str, found: list[str]) -> None:
    assert [code for _, code in in_prose([text], {"brew", "brew+"})] == found
    assert list(in_prose([text])) == []
