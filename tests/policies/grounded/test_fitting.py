"""How well a value suits an option, where nothing names the option in so many words."""

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.fitting import Candidate, score
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import option


def strength(text: str, value: str, of: Option, *examples: str) -> float:
    request = read_request(text)
    mention = next(m for m in request.mentions if m.value == value)
    return score(of, Candidate(mention, {}), Surroundings(request), examples)[0]


@pytest.mark.parametrize(
    ("text", "value", "right", "wrong"),
    [
        ("train owlnet on lsun", "lsun", "--dataset", "--optimizer"),
        ("validate owl_v2 on /data/birds", "owl_v2", "--model", "--model-dtype"),
        ("validate owl_v2 on /data/birds", "/data/birds", "--data", "--output-dir"),
        ("turn song.wav into out/owl.wav", "out/owl.wav", "--output", "--seed-file"),
        ("transcribe talk.mp3", "talk.mp3", "--audio", "--config"),
    ],
)
def test_what_people_leave_unsaid(text: str, value: str, right: str, wrong: str) -> None:
    assert strength(text, value, option(right)) >= 0.4
    assert strength(text, value, option(wrong)) < strength(text, value, option(right))


def test_a_value_like_a_documented_one_fits_that_option() -> None:
    text = "play with the weights of owl_large.pth"
    assert strength(text, "owl_large.pth", option("--resume"), "runs/owl_small.pth") > 0.6
    assert strength(text, "owl_large.pth", option("--key"), "teacher") < 0.4


def test_a_number_is_no_path_and_no_fraction_an_integer() -> None:
    assert strength("an output of 12", "12", option("--output")) < 0.4
    assert strength("a size of 0.5", "0.5", option("--size", type="int")) == 0.0
    assert strength("a size of 5", "5", option("--size", type="int")) > 0.9


def test_choices_are_taken_only_if_they_are_among_them() -> None:
    assert strength("an order of 2", "2", option("--order", choices=("1", "2", "3"))) > 0.9
    assert strength("an order of 7", "7", option("--order", choices=("1", "2", "3"))) == 0.0
