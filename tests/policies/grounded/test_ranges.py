"""Two numbers that are the ends of a range."""

import pytest

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
