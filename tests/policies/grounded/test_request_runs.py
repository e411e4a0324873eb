"""Values that a request writes in one go."""

import pytest

from ml_agent.policies.grounded.request import read_request


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("15 owls in the first nest and 5 in the second", [["15", "5"]]),
        ("15 owls in the first nest and 5 wrens", []),
        ("3 for the first and 4 for the last", [["3", "4"]]),
    ],
)
def test_a_list_with_the_places_of_its_values(text: str, runs: list[list[str]]) -> None:
    assert [[m.value for m in run] for run in read_request(text).runs] == runs
