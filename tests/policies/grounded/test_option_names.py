"""The words of options' names."""

import pytest

from ml_agent.policies.grounded.option_names import name_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("--model_name_or_path", ("model", "name")),
        ("--nest-name-or-path", ("nest", "name")),
        ("--name-or-path-of-owl", ("name", "or", "path", "of", "owl")),
    ],
)
def test_a_name_or_path_is_a_name(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words
