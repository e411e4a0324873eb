"""The words in which a model is asked for a repository."""

import pytest

from ml_agent.errors import UsageError
from ml_agent.prompts import Prompts

TASK = "train it {{ on }} Cora\n{% raw %}"


def test_keywords() -> None:
    text = Prompts().render("find/keywords", task=TASK, most=6)
    assert f"----------\n{TASK}\n----------" in text
    assert "at most 6 keywords" in text
    assert text.endswith('{"keywords": ["...", "..."]}')


def test_ranking() -> None:
    text = Prompts().render("find/ranking", task=TASK, candidates=['{"name": "a/one"}', '{"name": "{{ x }}"}'])
    assert f"----------\n{TASK}\n----------" in text
    assert '\n{"name": "a/one"}\n{"name": "{{ x }}"}\n' in text
    assert text.endswith('{"ranked_array": ["...", "..."]}')


@pytest.mark.parametrize(("name", "given"), [("find/keywords", {"task": "x"}), ("find/ranking", {"candidates": []})])
def test_nothing_may_be_left_out(name: str, given: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="is undefined"):
        Prompts().render(name, **given)
