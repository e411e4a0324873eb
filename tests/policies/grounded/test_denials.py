"""Options with a value that the request wants off."""

import pytest

from ml_agent.policies.grounded.denials import denied_values
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import given, option

MEMORY = option("--mem_len", type="int", default="70")
MIX = option("--feathermix", type="float", default="0.8")
BLEND = option("--eggblend", type="float", default="1.0")
STAGE = option("--Transformation", choices=("TPS", "None"))


def off(text: str, *options: Option) -> list[str]:
    return [f"{w.option.name} {' '.join(w.values)}" for w in denied_values(options, read_request(text), set())]


@pytest.mark.parametrize(
    ("text", "of", "expected"),
    [
        ("train the owl with no memory", MEMORY, ["--mem_len 0"]),
        ("train the owl without any memory", MEMORY, ["--mem_len 0"]),
        ("no more than 40 words of memory", MEMORY, []),
        ("no idea how; the memory is fine", MEMORY, []),
        ("train without feathermix", MIX, ["--feathermix 0"]),
        ("feathermix shall be switched off", MIX, ["--feathermix 0"]),
        ("feathermix with the lights off", MIX, []),
        ("an owl that dispenses with any transformation", STAGE, ["--Transformation None"]),
        ("an owl with a transformation", STAGE, []),
        ("an owl without TPS", option("--Transformation", choices=("TPS", "None"), default="'TPS'"), ["--Transformation None"]),
        ("train without a seed", option("--seed", type="int", default="3"), []),
        ("train without gpus", option("--gpu", type="int", default="0"), []),
        ("train without a nest", option("--nest", default="'oak'"), []),
    ],
)
def test_what_is_denied_is_zero_or_none(text: str, of: Option, expected: list[str]) -> None:
    assert off(text, of) == expected


def test_two_that_are_off_together() -> None:
    assert off("feathermix and eggblend both switched off", MIX, BLEND) == ["--feathermix 0", "--eggblend 0"]


def test_a_value_that_is_given_is_kept() -> None:
    assert given("no memory limit: a memory length of 30", MEMORY) == {"--mem_len": "30"}


@pytest.mark.parametrize(("text", "value"), [("with plumes", "1"), ("without plumes", "0")])
def test_one_or_zero_for_yes_or_no(text: str, value: str) -> None:
    made = option("--plumes", type="int", default="1" if value == "0" else "0", help="Whether to draw plumes (1) or not (0).")
    assert given(f"draw the owl {text}", made) == {"--plumes": value}
    assert given(f"draw the owl {text}", option("--plumes", type="int", default="9", help="how many plumes")) in ({}, {"--plumes": "0"})
