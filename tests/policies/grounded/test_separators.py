"""What parts the fields of a file, in words."""

import pytest

from tests.policies.grounded.support import given, option

SEP, TOP = option("--sep", default="','"), option("--separate", action="flag")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("read nests.csv, separated by semicolons", {"--sep": ";"}),
        ("a tab-separated table", {"--sep": "\t"}),
        ("fields split at a colon", {"--sep": ":"}),
        ("mind the comma", {}),
    ],
)
def test_the_sign_that_is_named(text: str, expected: dict[str, str]) -> None:
    assert {name: value for name, value in given(text, SEP, TOP).items() if name == "--sep"} == expected
