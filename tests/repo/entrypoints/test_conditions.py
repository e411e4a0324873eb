import ast

import pytest

from ml_agent.repo.entrypoints.conditions import decide, there
from ml_agent.repo.entrypoints.module import parsed
from ml_agent.repo.entrypoints.values import Scope, Unknown

VALUES = {"text": "a", "number": 3, "truth": True, "nothing": None, "many": [1], "dark": Unknown()}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("nothing is None", True),
        ("text is None", False),
        ("text is not None", True),
        ("isinstance(truth, bool)", True),
        ("isinstance(number, bool)", False),
        ("isinstance(number, (str, int))", True),
        ("isinstance(many, list)", True),
        ("isinstance(number, Special)", None),
        ("type(truth) == bool", True),
        ("type(number) is bool", False),
        ("type(number) == Special", None),
        ("text == 'a'", True),
        ("text in ('b', 'c')", False),
        ("text not in ['b', 'c']", True),
        ("not isinstance(text, str)", False),
        ("nothing is None or elsewhere", True),
        ("text is None and elsewhere", False),
        ("nothing is None and elsewhere", None),
        ("number > 2", None),
        ("dark is None", None),
        ("isinstance(dark, str)", None),
        ("other is None", None),
        ("text == something", None),
    ],
)
def test_what_is_known_of_a_loops_variable(condition: str, expected: bool | None) -> None:
    scope = Scope(parsed("a.py", ""), {**VALUES, "other": None})
    assert decide(ast.parse(condition, mode="eval").body, VALUES, scope) is expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("text", True),
        ("not text", False),
        ("text is None", False),
        ("text is not None", True),
        ("number", None),  # what is no parser may be anything
        ("many is None", None),
        ("other", None),
        ("text == 'a'", None),
    ],
)
def test_a_parser_is_there_or_not(condition: str, expected: bool | None) -> None:
    scope = Scope(parsed("a.py", ""), dict(VALUES))
    assert there(ast.parse(condition, mode="eval").body, scope, lambda value: value == "a") is expected
