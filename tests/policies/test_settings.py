"""What can be set of a policy: from Python, and as texts of a command line; what does not fit is said in a line."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError

from ml_agent.errors import UsageError
from ml_agent.policies.settings import ModelSettings, Settings, read_settings


class Example(ModelSettings):
    """What a test sets."""

    readme_limit: int = Field(default=3, ge=1, description="READMEs that are read.")
    as_published: bool = Field(default=False, description="With the defects.")


def test_texts_of_a_command_line_become_what_the_fields_are() -> None:
    given = {"readme-limit": "5", "as_published": "true", "temperature": "0.5", "max-tokens": "64", "prompts": "mine"}
    assert read_settings(Example, given, "x") == Example(
        readme_limit=5, as_published=True, temperature=0.5, max_tokens=64, prompts=Path("mine")
    )
    assert read_settings(Example, {}, "x") == Example()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"nosuch": 1}, "the policy x has no option 'nosuch'; it has: prompts, temperature, max-tokens, readme-limit, as-published"),
        ({"readme-limit": "many"}, "the option readme_limit of the policy x: Input should be a valid integer"),
        ({"readme_limit": 0}, "should be greater than or equal to 1, not '0'"),
        ({"temperature": "3"}, "temperature"),
        ({"temperature": "nan"}, "temperature"),
        ({"max_tokens": 1}, "max_tokens"),
        ({"as_published": "perhaps\n" + "x" * 999}, "as_published"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_settings(Example, given, "x")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        Example().readme_limit = 4


def test_every_field_says_what_it_is() -> None:
    assert all(field.description for field in ModelSettings.model_fields.values())
    assert Settings.model_fields == {}


def test_attempts_are_independent_samples() -> None:
    made = Example(temperature=0.7, max_tokens=100)
    options = [made.options(attempt, seed, must_call=True) for seed in (0, 1) for attempt in range(3)]
    assert len({one.seed for one in options}) == 6
    assert all((one.temperature, one.max_tokens, one.must_call) == (0.7, 100, True) for one in options)
    assert made.options(2, 1) == made.options(2, 1)
