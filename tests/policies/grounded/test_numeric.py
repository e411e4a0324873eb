"""How numbers suit options."""

import pytest

from ml_agent.policies.grounded.numeric import is_choice, is_numeric, number_fits, whole_number
from tests.policies.grounded.support import given, option


@pytest.mark.parametrize(("value", "fit"), [("0", 1.0), ("1", 1.0), ("100", 0.0)])
def test_yes_or_no_in_digits_takes_no_amount(value: str, fit: float) -> None:
    assert number_fits(option("--load", type="int", default="0", help="whether to load the nest"), value) == fit
    for help_ in ("nests to load", "0: latest, -1: no folder", "0 text, 1 binary, 2 both"):
        assert number_fits(option("--load", type="int", default="0", help=help_), value) == 1.0


@pytest.mark.parametrize(("text", "whole"), [("12", "12"), ("1e6", "1000000"), ("1.5e3", "1500"), ("1e-3", ""), ("0.5", "")])
def test_whole_numbers(text: str, whole: str) -> None:
    assert whole_number(text) == whole


@pytest.mark.parametrize("text", ["3", "-3", "0.5", ".5", "3.", "1e-5", "-2.5E+3"])
def test_numbers(text: str) -> None:
    assert is_numeric(text)


@pytest.mark.parametrize("text", ["", None, ".", "..", "1.2.3", "-", "e5", "3x"])
def test_no_numbers(text: str | None) -> None:
    """`.` is a folder."""
    assert not is_numeric(text)


def test_how_many_there_are_is_no_fraction() -> None:
    assert [number_fits(option(name), "0.8") for name in ("--nr_owls", "--num-owls", "--owls")] == [0.0, 0.0, 0.85]
    assert number_fits(option("--nr_owls"), "8") == 0.85
    assert number_fits(option("--num_owls", default="0.5"), "0.8") == 1.0


def test_a_choice_is_read_as_the_options_type_reads_it() -> None:
    scale = option("--scale", type="float", choices=["1.5", "6.0", "24."])
    assert [is_choice(scale, value) for value in ("24", "1.5", "6", "3", "owl")] == [True, True, True, False, False]
    assert not is_choice(option("--scale", choices=["6.0"]), "6")
    assert given("with a scale of 24", scale) == {"--scale": "24"}
