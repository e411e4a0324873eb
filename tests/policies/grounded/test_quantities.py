"""Numbers as people write them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ml_agent.policies.grounded.quantities import plain_number
from ml_agent.policies.grounded.request import read_request


def numbers(text: str) -> list[str]:
    return [m.value for m in read_request(text).mentions if m.kind == "number"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a dozen songs", ["12"]),
        ("with a single crop", ["1"]),
        ("on a single node", []),
        ("the single crop", []),
        ("two dozen", ["24"]),
        ("fifteen rounds", ["15"]),
        ("two hundred rounds", ["200"]),
        ("a hundred and fifty rounds", ["150"]),
        ("one hundred and two hundred", ["100", "200"]),
        ("five thousand", ["5000"]),
        ("a thousand passes", ["1000"]),
        ("twenty-five or thirty six", ["25", "36"]),
        ("two hundred thousand and five", ["200005"]),
        ("half a million notes", ["500000"]),
        ("half a second", ["0.5"]),
        ("half a song", []),
        ("a batch size (64)", ["64"]),
        ("1.5 million notes", ["1500000"]),
        ("three million two hundred thousand", ["3200000"]),
        ("two three", ["2", "3"]),
        ("twenty ten", ["20", "10"]),
        ("40k rounds, 1.5M notes", ["40000", "1500000"]),
        ("10^-4 and 2**16 and 1_000", ["1e-4", "65536", "1000"]),
        ("at 16 kHz or 44.1kHz, up to 7600 Hz", ["16000", "44100", "7600"]),
        ("64px wide", ["64"]),
        ("eight-bit notes", ["8"]),
        ("one round", []),
        ("one epoch", ["1"]),
        ("one hidden layer", ["1"]),
        ("the one epoch, one of the layers, in one pass", []),
        ("one-hot, zero-shot, half-precision", []),
        ("version 1.x", []),
    ],
)
def test_numbers_in_words_and_with_units(text: str, expected: list[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "value", "fraction"),
    [
        ("15 percent", "15", "0.15"),
        ("15 %", "15", "0.15"),
        ("12.5%", "12.5", "0.125"),
        ("five per cent", "5", "0.05"),
        ("a fifth of the songs", "0.2", "0.2"),
        ("two thirds", "0.6667", "0.6667"),
        ("half of the songs", "0.5", "0.5"),
        ("15 songs", "15", ""),
    ],
)
def test_parts_of_a_whole(text: str, value: str, fraction: str) -> None:
    (mention,) = read_request(text).mentions
    assert (mention.value, mention.fraction) == (value, fraction)


def test_a_number_in_words_is_one_token() -> None:
    request = read_request("play two hundred and fifty songs")
    assert [t.text for t in request.tokens] == ["play", "two hundred and fifty", "songs"]
    assert request.tokens[1].kind == "number"


def test_an_ordinal_is_the_place_of_a_device_only() -> None:
    assert numbers("the second GPU") == ["1"]
    assert numbers("a second GPU, the second song, a third") == []


@given(st.integers(0, 10**9))
def test_thousands_are_read_back(number: int) -> None:
    assert plain_number(f"{number:,}") == str(number)
    assert plain_number(f"{number}k") == str(number * 1000)


@given(st.text(alphabet="0123456789.eE+-,_kM^*%", max_size=20))
@example("1E1000002")
@example("1e999999k")
def test_any_number_is_read(text: str) -> None:
    assert all(m.value for m in read_request(f"take {text} percent").mentions)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a brood size of one", ["1"]),
        ("brood size one, please", ["1"]),
        ("the size of one of them", []),
        ("an offset of minus 5 and 3 owls", ["-5", "3"]),
        ("minus the owls", []),
        ("sing for 30s", ["30"]),
        ("sing for 45 sec, 20secs apart", ["45", "20"]),
        ("owls of the 2010s", ["2010"]),
    ],
)
def test_one_that_is_measured_what_is_below_zero_and_seconds(text: str, values: list[str]) -> None:
    assert [m.value for m in read_request(text).mentions if m.kind == "number"] == values
