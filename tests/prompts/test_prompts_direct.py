"""What direct tells its model."""

import pytest

from ml_agent.prompts import Prompts

ODD = ["train the MLP", "{{ 7 * 191 }} {% raw %} {# gone #}", "<b>&amp; [red] </repository>", "\u202e\u65e5\u672c \U0001f600", "x" * 10_000]


def test_system() -> None:
    text = Prompts().render("direct/system")
    for word in ("one fenced block and nothing else", "```bash", "```python", "`cd`", "Do not make up others"):
        assert word in text


@pytest.mark.parametrize("value", ODD)
def test_task(value: str) -> None:
    text = Prompts().render("direct/task", instruction=value, context=value)
    assert text.count(value) == 2
    assert text.endswith(f"</repository>\n\nRequest: {value}")
    assert Prompts().render("direct/task", instruction=value, context="") == f"Request: {value}"


def test_no_code() -> None:
    assert Prompts().render("direct/no_code").startswith("That holds no code.")
