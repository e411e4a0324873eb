"""Words that a request gives as a name, right behind what the option is called."""

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from ml_agent.policies.grounded.given_names import names_behind
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, given, option

SUFFIX, NAME, TAG = option("--suffix", type="str"), option("--exp-name", default="'exp'"), option("--tag")
TASKS = option("--tasks", type="str", nargs="+")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use the suffix cf", {"--suffix": "cf"}),
        ("with a suffix of cf", {"--suffix": "cf"}),
        ("with the suffix cf on the saved files", {"--suffix": "cf"}),
        ("experiment name: wren", {"--exp-name": "wren"}),
        ("the experiment name should be wren", {"--exp-name": "wren"}),
        ("give it the experiment name wren and the tag first", {"--exp-name": "wren"}),
        ("with the tag hatchery", {"--tag": "hatchery"}),
        ("tasks nestbench and owlqa", {"--tasks": "nestbench owlqa"}),
    ],
)
def test_a_name_of_ones_own(text: str, expected: dict[str, str]) -> None:
    documented = command("python train.py --exp-name exp --tag day")
    assert given(text, SUFFIX, NAME, TAG, TASKS, commands=[documented]) == expected


@pytest.mark.parametrize(
    "text", ["the suffix is added at the end", "a suffix used before", "the tag of the image", "the suffix night owls have", "a tag"]
)
def test_what_is_done_with_it_is_no_name(text: str) -> None:
    assert list(names_behind([SUFFIX, TAG], read_request(text), ())) == []


def test_a_folder_that_is_called_something() -> None:
    out = option("--output-dir", default="'out'")
    assert given("store it in a directory called wren", out, NAME) == {"--output-dir": "wren"}


def test_the_name_of_a_flag_is_no_value() -> None:
    quiet = option("--output", default="'results'")
    assert given("with loud output", quiet, option("--loud", action="flag")).get("--output") != "loud"


@given_by(st.lists(st.sampled_from("the suffix of tasks owl and , cf is : name".split()), max_size=10))
def test_any_words(words: list[str]) -> None:
    request = read_request(" ".join(words) or "x")
    for _, values, positions in names_behind([SUFFIX, NAME, TAG, TASKS], request, ()):
        assert [request.tokens[at].text for at in positions] == list(values)
