import pytest

from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.twins import with_twins
from ml_agent.repo.callables import Callee, Taken
from tests.policies.grounded.support import block


def method(name: str, *takes: Taken, of_class: bool = True) -> Callee:
    return Callee("method", name, "kitchen/pans.py", 9, "", takes=takes, of_class=of_class)


def function(name: str, *takes: Taken) -> Callee:
    return Callee("function", name, "kitchen/pans.py", 12, "kitchen.pans", takes=takes)


SIZE = Taken("size", "positional", "1")
KNOWN = [
    Callee(
        "class", "Oven", "kitchen/pans.py", 3, "kitchen.pans",
        methods=(
            method("oven_for_20cm", SIZE),
            method("oven_for_32cm", SIZE),
            method("oven_of_48cm"),
            method("own_for_20cm", of_class=False),
            method("own_for_32cm", of_class=False),
        ),
    ),
    Callee("class", "CakeSlicer", "kitchen/pans.py", 5, "kitchen.pans"),
    Callee("class", "CakeExtractor", "kitchen/pans.py", 6, "kitchen.pans"),
    function("warm_small_pot", SIZE),
    function("warm_large_pot", SIZE),
    function("warm_steel_pot", Taken("lid", "positional")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("from kitchen.pans import Oven\nOven.oven_for_20cm(size=2)", "for 32 cm", "Oven.oven_for_32cm(size=2)"),
        ("from kitchen.pans import Oven\nOven.oven_for_20cm()", "for 48 cm", None),  # it differs in more than that
        ("from kitchen.pans import Oven\nOven.oven_for_20cm()", "for 20 cm or 32 cm", None),
        ("from kitchen.pans import Oven\nOven.oven_for_20cm()", "read '32cm'", None),  # a value is no word
        ("from kitchen.pans import Oven\nOven.own_for_20cm()", "for 32 cm", None),  # a method of an object
        ("from kitchen.pans import warm_small_pot\nwarm_small_pot(2)", "the large one", "warm_large_pot(2)"),
        ("from kitchen import pans\npans.warm_small_pot(2)", "the large one", "pans.warm_large_pot(2)"),
        ("from kitchen.pans import warm_small_pot\nwarm_small_pot()", "the steel one", None),  # it needs more
        ("from kitchen.pans import warm_small_pot\nwarm_small_pot(2, 3)", "the large one", None),  # it takes less
        ("from kitchen.pans import warm_small_pot\nwarm_small_pot(heat=3)", "the large one", None),
        ("from kitchen.pans import warm_small_pot, warm_large_pot\nwarm_small_pot(warm_large_pot())", "the large one", None),
        ("from kitchen.pans import CakeSlicer\nCakeSlicer()", "the extraction of cakes", "CakeExtractor()"),
        ("from kitchen.lids import CakeSlicer\nCakeSlicer()", "the extraction of cakes", None),
    ],
)
def test_the_variant_that_is_described(code: str, text: str, expected: str | None) -> None:
    (snippet,) = read_snippets([block(code)])
    changed = with_twins(snippet, KNOWN, read_request(text))
    assert (changed.code.split("\n")[-1] if changed else None) == expected


def test_imports_follow() -> None:
    (snippet,) = read_snippets([block("from kitchen.pans import warm_small_pot\nwarm_small_pot()")])
    changed = with_twins(snippet, KNOWN, read_request("the large one"))
    assert changed is not None
    assert changed.code == "from kitchen.pans import warm_large_pot\nwarm_large_pot()"
    assert changed.imported == ("kitchen.pans.warm_large_pot",)
