"""One value of the request for two options."""

import pytest

from tests.policies.grounded.support import given, option

OWL, LARK = option("--owl_lr", type="float"), option("--lark_lr", type="float")
WIDE, HIGH = option("--nest_width", type="int"), option("--nest_height", type="int")


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("a learning rate of 0.01 for both the owl and the lark", True),
        ("both the owl and the lark have a learning rate of 0.01", True),
        ("an owl learning rate of 0.01", False),
        ("an owl learning rate of 0.01, and both shall sing", False),
    ],
)
def test_a_value_for_both(text: str, both: bool) -> None:
    assert given(text, OWL, LARK) == {"--owl_lr": "0.01"} | ({"--lark_lr": "0.01"} if both else {})


def test_not_where_several_are_called_alike() -> None:
    assert len(given("a learning rate of 0.01 for both", OWL, LARK, option("--hen_lr", type="float"))) < 2


def test_the_sides_of_a_shape() -> None:
    assert given("with nests of 64 by 32", WIDE, HIGH) == {"--nest_width": "64", "--nest_height": "32"}
    other = [option("--egg_width", type="int"), option("--egg_height", type="int")]
    assert given("with nests of 64x32", *other, WIDE, HIGH) == {"--nest_width": "64", "--nest_height": "32"}
    assert given("with birds of 64x32", *other, WIDE, HIGH) == {}
