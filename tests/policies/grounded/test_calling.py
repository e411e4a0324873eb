import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.calling import call_all, render
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.callables import Callee, Taken

TOPPINGS = Taken("topping_list", "positional", "None", "list[str]")


@pytest.mark.parametrize(
    ("taken", "values", "source"),
    [
        (TOPPINGS, ["plum"], "['plum']"),
        (TOPPINGS, ["plum", "nut"], "['plum', 'nut']"),
        (TOPPINGS, ["3"], None),
        (Taken("sizes", "positional", "(1, 2, 4)"), ["1/2"], "(1, 2)"),
        (Taken("sizes", "positional", "(1, 2, 4)"), ["8x16"], "(8, 16)"),
        (Taken("sizes", "positional", "(1, 2, 4)"), ["(8, 16)"], "(8, 16)"),
        (Taken("names", "positional", "('a',)"), ["a/b"], "('a/b',)"),
    ],
)
def test_values_as_source(taken: Taken, values: list[str], source: str | None) -> None:
    assert render(taken, values) == source


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("with the topping 'plum'", {"topping_list": "['plum']"}),
        ("with the toppings 'plum' and 'nut'", {"topping_list": "['plum', 'nut']"}),
        ("with 3 toppings", {}),
        ("with a lay", {}),  # no layered crust
        ("with layers in the crust", {"layered_crust": "True"}),
    ],
)
def test_several_texts_and_switches(text: str, arguments: dict[str, str]) -> None:
    callee = Callee("function", "bake", "kitchen/oven.py", 3, "kitchen", takes=(TOPPINGS, Taken("layered_crust", "positional", "False")))
    request = read_request(text)
    assert call_all([callee], request, Surroundings(request)).called[0].arguments == arguments


@pytest.mark.parametrize("text", ["the 7 best pies", "the top 7 of them", "7 pies closest to it"])
def test_how_many_of_the_best(text: str) -> None:
    callee = Callee("function", "find", "kitchen/oven.py", 3, "kitchen", takes=(Taken("k", "positional", "1", "int"),))
    request = read_request(text)
    assert call_all([callee], request, Surroundings(request)).called[0].arguments == {"k": "7"}


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("layer widths 8, 16, 32, 4 ovens", {"layer_widths": "[8, 16, 32]"}),
        ("layer widths 8, 16 and 32", {"layer_widths": "[8, 16, 32]"}),
        ("layer widths of 8", {"layer_widths": "8"}),
    ],
)
def test_a_plural_takes_several_numbers_where_several_are_said(text: str, arguments: dict[str, str]) -> None:
    callee = Callee("function", "bake", "kitchen/oven.py", 3, "kitchen", takes=(Taken("layer_widths", "positional"),))
    request = read_request(text)
    assert call_all([callee], request, Surroundings(request)).called[0].arguments == arguments
