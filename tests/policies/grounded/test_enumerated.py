"""Plain words that a request lists."""

import pytest

from ml_agent.policies.grounded.enumerated import enumerated
from ml_agent.policies.grounded.request import read_request


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("which among owl, wren and hawk it is", [["owl", "wren", "hawk"]]),
        ("the classes are an owl, a wren or a hawk", [["owl", "wren", "hawk"]]),
        ("with the labels: day, night, dawn", [["day", "night", "dawn"]]),
        ("among owls and wrens", []),  # two are a phrase like any other
        ("owl, wren and hawk were seen", []),
    ],
)
def test_what_is_listed(text: str, values: list[list[str]]) -> None:
    request = read_request(text)
    found = list(enumerated(request))
    assert [[m.value for m in run] for run in found] == values
    assert all(request.tokens[m.position].text == m.words for run in found for m in run)
