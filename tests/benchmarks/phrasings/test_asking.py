"""Requests put together from sentences and settings."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from ml_agent.benchmarks.phrasings.asking import Asked, Form, strung

SETTINGS: dict[str, Any] = {
    "--epochs": {"values": ["7", "9"], "nouns": ["{v} epochs"], "others": ["for {v} epochs"]},
    "--lr": {"values": {"a tenth": "0.1"}, "nouns": ["lr {v}"], "others": ["learn by {v}"]},
    "--amp": {"nouns": ["mixed precision"]},
}


def asked(sentence: str, **parts: Any) -> Iterator[Asked]:
    """Each time with other choices."""
    form = Form.read({"sentences": [sentence], "settings": SETTINGS, "asked": [1, 3], **parts})
    chance = random.Random(1)  # noqa: S311
    return (form.ask(chance) for _ in range(60))


def test_lists_in_a_sentence() -> None:
    chance = random.Random(1)  # noqa: S311
    assert strung(["a"], chance) == "a"
    assert {strung(["a", "b"], chance) for _ in range(30)} == {"a and b", "a, b"}
    assert {strung(["a", "b", "c"], chance) for _ in range(30)} == {"a, b and c", "a, b, c", "a, b, and c"}


def test_what_is_said_is_what_is_set() -> None:
    for one in asked("Train it, {settings}."):
        assert len(one.settings) in (1, 3)
        for said in one.settings:
            assert str(said) in one.text
            assert {"--epochs": said.text, "--lr": "0.1", "--amp": None}[said.name] == said.value


def test_only_nouns_stand_behind_with() -> None:
    texts = [one.text for one in asked("Train it with {nouns}.")]
    assert not any("for" in text or "learn" in text for text in texts)
    assert any(" and " in text for text in texts)
    assert any("for" in one.text for one in asked("Train it, {settings}."))


def test_no_and_between_other_parts_of_speech() -> None:
    for one in asked("{settings}", asked=[2]):
        assert " and " not in one.text or not {"for", "learn"} & set(one.text.split())


def test_a_sentence_begins_with_a_capital_but_a_value_stays() -> None:
    texts = {one.text for one in asked("{Settings}.", asked=[1])}
    assert texts == {"7 epochs.", "9 epochs.", "For 7 epochs.", "For 9 epochs.", "Lr a tenth.", "Learn by a tenth.", "Mixed precision."}
    settings = {"--x": {"values": ["a b"], "nouns": ["{v} c"]}, "n_x": {"values": ["1"], "nouns": ["n_x={v}"]}}
    assert {one.text for one in asked("{Settings}", asked=[1], settings=settings)} == {"a b c", "n_x=1"}


def test_what_the_sentence_speaks_of() -> None:
    named = {"data": {"values": {"the nest": "/n", "owls": "/o"}}, "shape": {"values": ["3x4"], "nouns": ["a tensor of {v}"]}}
    for one in asked("Run {shape} on {data}", named=named):
        assert one.text == f"Run a tensor of 3x4 on {one.named['data']}"
        assert one.named["data"].value == {"the nest": "/n", "owls": "/o"}[one.named["data"].text]


def test_what_is_always_asked_for() -> None:
    settings = {**SETTINGS, "--data": {"always": True, "values": ["/d"], "nouns": ["data in {v}"]}}
    for one in asked("{settings}", settings=settings, asked=[1]):
        assert "data in /d" in one.text
        assert len(one.settings) == 2


@pytest.mark.parametrize("between", ["; ", " - "])
def test_another_sign_between(between: str) -> None:
    for one in asked("{settings}", between=between, asked=[3]):
        assert one.text.split(between) == [str(said) for said in one.settings]


def test_no_settings() -> None:
    form = Form.read({"sentences": ["Evaluate {it}"], "named": {"it": {"values": ["x"]}}})
    assert form.ask(random.Random(1)).text == "Evaluate x"  # noqa: S311
