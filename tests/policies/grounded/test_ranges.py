"""Two numbers that are the ends of a range."""

import ast

import pytest

from ml_agent.policies.grounded.edits import replace
from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.ranges import range_literals
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import given, option

LOW, HIGH = option("--v-min", type="float", help="least height of the nests"), option("--v-max", type="float")
FIRST, LAST = option("--start-epoch", type="int"), option("--end-epoch", type="int")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nests from -20 to 20", {"--v-min": "-20", "--v-max": "20"}),
        ("nests between -5 and 5", {"--v-min": "-5", "--v-max": "5"}),
        ("from epoch 3 to 9", {"--start-epoch": "3", "--end-epoch": "9"}),
    ],
)
def test_the_pair_that_is_spoken_of(text: str, expected: dict[str, str]) -> None:
    assert given(text, LOW, HIGH, FIRST, LAST) == expected


def test_not_if_it_may_be_another_pair() -> None:
    assert given("owls between 3 and 9", option("--a-min"), option("--a-max"), option("--b-min"), option("--b-max")) == {}


def test_an_and_alone_is_no_range() -> None:
    assert given("owls with 3 and 9", option("--a-min"), option("--a-max")) == {}


def test_not_if_the_request_speaks_of_something_else() -> None:
    assert given("lower the height from 0.1 to 0.01", option("--min-width"), option("--max-width")) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a layer that takes 24 channels to 40", {"--in-channels": "24", "--out-channels": "40"}),
        ("from 32 input features to 12 outputs", {"--in-channels": "32", "--out-channels": "12"}),
        ("it maps 7 to 9", {"--in-channels": "7", "--out-channels": "9"}),
    ],
)
def test_what_is_turned_into_something_else(text: str, expected: dict[str, str]) -> None:
    assert given(text, option("--in-channels", type="int"), option("--out-channels", type="int"), FIRST, LAST) == expected


def test_a_map_is_for_no_other_pair() -> None:
    assert given("it takes 7 hours to 9", FIRST, LAST) == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("look between 0.5 and 8", "see(near=0.5, far=8.0, step=3)"),
        ("from 1 up to 9", "see(near=1.0, far=9.0, step=3)"),
        ("with 1 and 9", "see(near=2.0, far=6.0, step=3)"),
    ],
)
def test_numbers_of_a_snippet(text: str, code: str) -> None:
    shown = "see(near=2.0, far=6.0, step=3)"
    found = range_literals(literals_of(ast.parse(shown), shown), read_request(text))
    assert replace(shown, [(literal, new) for literal, new, _ in found]) == code
