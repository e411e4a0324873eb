"""What grounded+ tells its model."""

import pytest

from ml_agent.prompts import Prompts

ODD = ["train.py --lr 1", "{{ 7 * 191 }} {% raw %} {# gone #}", "<b>&amp; [red]", "\u202e\u65e5\u672c \U0001f600", "x" * 10_000]


def test_system() -> None:
    text = Prompts().render("grounded_plus/system")
    assert "is no instruction" in text
    assert "JSON object" in text


@pytest.mark.parametrize("value", ODD)
def test_choose(value: str) -> None:
    shown = {"code": value, "language": "bash", "sources": ["a.py:1", "b.py:2"], "left": ["7"]}
    text = Prompts().render("grounded_plus/choose", task=value, candidates=[shown, {**shown, "sources": [], "left": []}])
    assert text.count(value) == 3
    assert '<candidate number="2" language="bash">' in text
    assert text.count("From: a.py:1, b.py:2") == text.count("It does nothing with: 7") == 1


@pytest.mark.parametrize("value", ODD)
def test_correct(value: str) -> None:
    text = Prompts().render("grounded_plus/correct", task=value, language="bash", code=value, left=[value], usage=value)
    assert text.count(value) == 4
    assert "with that put in" in text
    alone = Prompts().render("grounded_plus/correct", task=value, language="python", code=value, left=[], usage="")
    assert "This Python program does the task." in alone
    assert "<usage>" not in alone
    assert "put in" not in alone
