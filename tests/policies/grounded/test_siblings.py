import ast

import pytest

from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.siblings import with_siblings
from ml_agent.policies.grounded.snippets import rank_snippets
from ml_agent.repo.callables import Callee, Taken
from tests.policies.grounded.support import block, justified


def made(name: str, *takes: str, module: str = "kitchen.pans", extra: bool = False) -> Callee:
    more = (Taken("options", "kwargs"),) if extra else ()
    return Callee("class", name, "kitchen/pans.py", 3, module, takes=(*(Taken(t, "positional", "1") for t in takes), *more))


WOK = made("SteelWok", "width")


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("from kitchen.pans import Grill\nGrill(width=3)", "with a steel wok", "from kitchen.pans import SteelWok\nSteelWok(width=3)"),
        ("from kitchen import pans\npans.Grill(width=3)", "with the SteelWok", "from kitchen import pans\npans.SteelWok(width=3)"),
        ("import kitchen.pans as kp\nkp.Grill(7, width=3)", "with a steel wok", "import kitchen.pans as kp\nkp.SteelWok(7, width=3)"),
        ("from kitchen.pans import Grill\nGrill(gas=1, width=3)", "a steel-wok", "from kitchen.pans import SteelWok\nSteelWok(width=3)"),
        ("from kitchen.pans import Grill\nGrill(3, gas=1)", "a steel wok", "from kitchen.pans import SteelWok\nSteelWok(3)"),
        (  # of two, the one that ends alike
            "from kitchen.pans import Grill, IronWok\nIronWok(Grill())",
            "a steel wok",
            "from kitchen.pans import Grill, SteelWok\nSteelWok(Grill())",
        ),
        ("from kitchen.pans import Grill, Pot\nGrill(Pot())", "a steel wok", None),  # it could be either
        ("from kitchen.pans import Grill\nGrill()", "a steel wok beside the grill", None),
        ("from kitchen.knives import Grill\nGrill()", "a steel wok", None),
        ("from kitchen.pans import grill\ngrill()", "a steel wok", None),  # a function is no class
        (
            "from kitchen.pans import SteelWok, Grill\nGrill()",
            "a steel wok",
            "from kitchen.pans import SteelWok, Grill\nSteelWok()",
        ),  # imported, and not used
        ("from kitchen.pans import Grill\nGrill()", "a wok of steel", None),
        ("from kitchen.pans import Pans\nPans['grill'](3)", "a steel wok", None),  # a table of them
    ],
)
def test_another_of_the_same_module(code: str, text: str, expected: str | None) -> None:
    (snippet,) = read_snippets([block(code)])
    changed = with_siblings(snippet, [(1.0, WOK)], read_request(text))
    assert (changed.code if changed else None) == expected
    if changed:
        ast.parse(changed.code)
        assert changed.blocks == snippet.blocks


def test_what_another_snippet_shows_takes_nothings_place() -> None:
    (snippet,) = read_snippets([block("from kitchen.pans import Grill\nGrill()")])
    assert with_siblings(snippet, [(1.0, WOK)], read_request("a steel wok"), {"SteelWok"}) is None


def test_what_takes_everything_keeps_all_arguments() -> None:
    (snippet,) = read_snippets([block("from kitchen.pans import Grill\nGrill(gas=1)")])
    changed = with_siblings(snippet, [(1.0, made("SteelWok", extra=True))], read_request("a steel wok"))
    assert changed is not None
    assert changed.code.endswith("SteelWok(gas=1)")


def test_a_plain_word_names_no_class() -> None:
    (snippet,) = read_snippets([block("from kitchen.pans import Grill\nGrill()")])
    assert with_siblings(snippet, [(1.0, made("Stir"))], read_request("stir the soup")) is None
    assert with_siblings(snippet, [(1.0, made("Stir"))], read_request("the Stir class")) is not None


def test_the_named_one_comes_first_and_takes_values() -> None:
    text = "In Python, a steel wok with a width of 28"
    snippets = read_snippets([block("from kitchen.pans import Grill\npan = Grill(width=12)")])
    first, second = rank_snippets(snippets, {}, frozenset({"kitchen"}), (), read_request(text), (), [(1.5, WOK)])
    assert first.answer.code == "from kitchen.pans import SteelWok\npan = SteelWok(width=28)\nprint(pan)\n"
    assert "Grill(width=28)" in second.answer.code
    justified(first.answer, text)
