import ast

import pytest

from ml_agent.policies.grounded.adapting import adapt
from ml_agent.policies.grounded.additions import explained
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.flows import imported_names, read_snippets
from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.callables import Callee, Taken
from ml_agent.repo.documents import Section
from tests.policies.grounded.support import block

OVEN = Callee(
    "class", "Oven", "kitchen/oven.py", 3, "kitchen",
    takes=(Taken("degrees", "positional", "180"), Taken("racks", "positional", "2"), Taken("fan", "positional", "False"),
           Taken("zones", "positional", "(1, 2)"), Taken("label", "positional", "None")),
    methods=(
        Callee("method", "bake", "kitchen/oven.py", 9, "", takes=(Taken("dish", "positional"), Taken("minutes", "positional", "30"))),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("Oven()", "an oven with 3 racks", "Oven(racks=3)"),
        ("Oven(degrees=200)", "an oven of 150 degrees with 3 racks", "Oven(degrees=150, racks=3)"),
        ("Oven(\n    degrees=200,  # hot\n)", "an oven with 3 racks", "Oven(\n    degrees=200, racks=3,  # hot\n)"),
        ("Oven(degrees=(200))", "an oven with 3 racks", "Oven(degrees=(200), racks=3)"),
        ("Oven(fan=True)", "an oven without the fan", "Oven(fan=False)"),
        ("Oven(fan=False)", "an oven with the fan", "Oven(fan=True)"),
        ("Oven(zones=(1, 2, 3, 4))", "an oven with zones 5, 6 and 7", "Oven(zones=(5, 6, 7))"),
        ("o = Oven()\no.bake('cake')", "bake for 45 minutes", "o = Oven()\no.bake('cake', minutes=45)"),
        ("Oven()\nOven(degrees=200)", "an oven with 3 racks", "Oven()\nOven(degrees=200, racks=3)"),  # the fullest call
        ("Oven(...)", "an oven with 3 racks", "Oven(racks=3)"),
        ("Oven(..., degrees=200)", "an oven with 3 racks", "Oven(racks=3, degrees=200)"),
        ("Oven(degrees=200, **kwargs)", "an oven with 3 racks", "Oven(degrees=200, racks=3)"),
        ("Oven(**{})", "an oven with 3 racks", "Oven(**{})"),
    ],
)
def test_arguments_that_the_snippet_does_not_show(code: str, text: str, expected: str) -> None:
    request = read_request(text)
    (snippet,) = read_snippets([block(f"from kitchen import Oven\n{code}")])
    adapted = adapt(snippet, request, Surroundings(request), frozenset(), (), {"Oven": [OVEN]})
    assert adapted.answer.code == f"from kitchen import Oven\n{expected}"
    ast.parse(adapted.answer.code)


def test_evidence_names_the_class() -> None:
    request = read_request("an oven with 3 racks")
    (snippet,) = read_snippets([block("from kitchen import Oven\nOven()")])
    adapted = adapt(snippet, request, Surroundings(request), frozenset(), (), {"Oven": [OVEN]})
    assert adapted.left == ()
    assert [(e.part, e.source) for e in adapted.answer.evidence][1:] == [("racks=3", "kitchen/oven.py:3")]


def test_what_documented_code_uses_of_the_repository() -> None:
    blocks = (block("import torch\nimport kitchen\nfrom kitchen.oven import Oven\nkitchen.light(Oven())\ntorch.rand(3)"),)
    sections = [(1.0, Section("README.md", 1, (), "", blocks))]
    assert imported_names(sections, frozenset({"kitchen"})) == ["kitchen", "Oven", "light"]


def test_the_name_of_a_parameter_is_no_value() -> None:
    (snippet,) = read_snippets([block("from kitchen import Oven\nOven()")])
    written = []
    for text in ("an oven with the label `zones`", "an oven with the label `plums`"):
        request = read_request(text)
        adapted = adapt(snippet, request, Surroundings(request), frozenset(), (), {"Oven": [OVEN]})
        written.append(adapted.answer.code.splitlines()[-1])
    assert written == ["Oven()", "Oven(label='plums')"]


def test_names_under_which_documents_import_modules() -> None:
    text = "import kitchen as k\nimport garden.beds\nk.bake()\nk.ovens.Oven().heat()\ngarden.beds.dig()\nother.f()"
    section = Section("README.md", 1, (), "", (block(text),))
    found = imported_names([(1.0, section)], frozenset({"kitchen", "garden"}))
    assert sorted(found) == ["Oven", "bake", "beds", "dig", "kitchen", "ovens"]


def test_what_docstrings_say_of_arguments() -> None:
    oven = Callee("class", "Oven", "o.py", 1, "o", takes=(Taken("degrees", "positional", help="how hot"), Taken("racks", "positional")))
    code = "Oven(180, racks=2)\nTin(180)\n"
    names = {"Oven": ("degrees", "racks"), "Tin": ("degrees",)}
    found = explained(literals_of(ast.parse(code), code, names), {"Oven": [oven]})
    assert [x.comment for x in found] == ["how hot", "", ""]
