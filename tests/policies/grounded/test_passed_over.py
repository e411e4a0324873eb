"""What a request names only to say that it is not wanted."""

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from ml_agent.policies.grounded.bindings import changed_bindings
from ml_agent.policies.grounded.passed_over import changes
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, given, option

SIZE, RATE, EGGS = option("--nest-size", type="int", default="16"), option("--lr", type="float"), option("--eggs", type="int")
WOOD, BIRD = option("--wood", default="'oak'"), option("--bird", default="'owl'")
DOCUMENTED = command("python train.py --wood oak --bird owl --nest-size 16")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("raise the nest size from 16 to 32", {"--nest-size": "32"}),
        ("change the learning rate from 0.1 to 0.01", {"--lr": "0.01"}),
        ("with the nest size increased from 16 to 32, and 3 eggs", {"--nest-size": "32", "--eggs": "3"}),
        ("lower the learning rate from its default 0.1 to 0.01", {"--lr": "0.01"}),
        ("use a learning rate of 0.01 instead of 0.1", {"--lr": "0.01"}),
        ("move from OAK to elm8", {"--wood": "elm8"}),
        ("switch from OAK to the elm8 wood", {"--wood": "elm8"}),
    ],
)
def test_what_another_value_takes_the_place_of(text: str, expected: dict[str, str]) -> None:
    assert given(text, SIZE, RATE, EGGS, WOOD, BIRD, commands=[DOCUMENTED]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "sweep the learning rate from 0.1 to 0.01",
        "copy it from owls/a to owls/b",
        "move owls/a from owls/a to owls/b",
        "raise it from 16. Then go to 32",
        "set it up for songs from German to English",
        "from 16 to 32 owls",
    ],
)
def test_both_ends_are_wanted(text: str) -> None:
    assert list(changes(read_request(text).tokens)) == []


def test_what_two_options_have_is_of_neither() -> None:
    both = [option("--wood", default="'oak'"), option("--tree", default="'oak'")]
    assert list(changed_bindings(both, {}, read_request("move from OAK to elm8"))) == []
    assert [b.value for b in changed_bindings(both[:1], {}, read_request("move from OAK to elm8"))] == ["elm8"]


@given_by(st.lists(st.sampled_from("change from to oak 16 32 owls/a the . , elm8".split()), max_size=12))
def test_any_words(words: list[str]) -> None:
    request = read_request(" ".join(words) or "x")
    assert all(0 <= first < last < len(request.tokens) for first, last in changes(request.tokens))
