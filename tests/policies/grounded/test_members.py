"""One of a list of names, which the code takes by its place."""

import ast

import pytest

from ml_agent.policies.grounded.edits import replace
from ml_agent.policies.grounded.members import chosen_members
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.test_adapting import adapted

PIES = "pies = ['Plum-v1', 'Fig-v2', 'Rye-v3']\n"


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (PIES + "bake(pies[0])", "bake the Fig-v2", PIES + "bake('Fig-v2')"),
        (PIES + "bake(pies[0])", "bake the fig_v2", PIES + "bake('Fig-v2')"),
        (PIES + "bake(pies[0])\ncut(pies[2])", "bake the Fig-v2", PIES + "bake('Fig-v2')\ncut('Fig-v2')"),
        ("pies = 'Plum-v1', 'Fig-v2'\nbake(pies[0])", "bake the Fig-v2", "pies = 'Plum-v1', 'Fig-v2'\nbake('Fig-v2')"),
        (PIES + "bake(pies[0])", "bake the Fig-v2 and the Rye-v3", None),
        (PIES + "bake(pies[0])", "bake the Oat-v4", None),
        (PIES + "bake(pies[n])\nbake(pies[:1])\nbake(pies['a'])\nbake(tins[0])", "bake the Fig-v2", None),
        ("pies = ['Fig-v2']\nbake(pies[0])", "bake the Fig-v2", None),
        ("pies = ['Fig-v2', 3]\nbake(pies[0])", "bake the Fig-v2", None),
    ],
)
def test_the_member_that_is_said(code: str, text: str, expected: str | None) -> None:
    found = chosen_members(ast.parse(code), code, read_request(text))
    assert replace(code, [(literal, source) for literal, source, _ in found]) == (expected or code)


def test_those_beside_it_are_no_values() -> None:
    assert adapted(PIES + "bake(pies[0])\n", "bake the Fig-v2") == PIES + "bake('Fig-v2')\n"
