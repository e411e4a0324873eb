"""What people say for a word of an option's name."""

import pytest

from tests.policies.grounded.support import given, option


@pytest.mark.parametrize(
    ("text", "name", "other"),
    [
        ("sing only the first 8 owls", "--limit-owls", "--owl-songs"),
        ("at least 8 epochs", "--minimum-epochs", "--num-epochs"),
        ("show the 8 likeliest tokens", "--topk", "--num-tokens"),
        ("show the 8 likeliest tokens", "--k", "--num-tokens"),
    ],
)
def test_what_is_said_for_a_number(text: str, name: str, other: str) -> None:
    assert given(text, option(other, type="int"), option(name, type="int")) == {name: "8"}
