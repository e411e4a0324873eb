"""Several settings strung together."""

import re

import pytest

from ml_agent.benchmarks.phrasings.voices import voices
from tests.benchmarks.phrasings.english import is_english


def test_the_same_seed_asks_the_same() -> None:
    assert list(voices(30, 3)) == list(voices(30, 3)) != list(voices(30, 4))


@pytest.mark.parametrize("seed", [1, 2])
def test_requests_hold_what_is_wanted(seed: int) -> None:
    (program,) = voices(300, seed)
    assert len(program.requests) == 300
    for text, wanted in program.requests:
        assert is_english(text), text
        assert 2 <= len(wanted) <= 4
        assert len({one.option for one in wanted}) == len(wanted)
        for one in wanted:
            assert one.value is not None
            assert re.search(rf"(?<![\w.]){re.escape(one.value)}(?![\w]|\.\d)", text), (text, one)
            assert f"'{one.option}'," in program.code


def test_values_stand_in_the_order_of_what_they_are_for() -> None:
    (program,) = voices(300, 1)
    several = [each for each in program.requests if "respectively" in each[0]]
    assert several
    for text, wanted in several:
        *_, values = re.findall(r"(?:[\d.e-]+, )*[\d.e-]+ and [\d.e-]+", text)
        assert re.split(", | and ", values) == [one.value for one in wanted], text
