"""Values for parameters that a snippet does not show."""

import pytest

from ml_agent.policies.grounded.adapting import adapt
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.callables import Callee, Taken
from tests.policies.grounded.support import block

KILN = Callee(
    "class", "Kiln", "kitchen/kiln.py", 3, "kitchen",
    takes=(Taken("num_racks", "keyword_only", "3"), Taken("num_warm_racks", "keyword_only", "1"), Taken("dim", "keyword_only", "64"),
           Taken("shelf_dim", "keyword_only", "16"), Taken("mode", "keyword_only", '"hot"'), Taken("folder", "keyword_only", '"in/pots"'),
           Taken("results_folder", "keyword_only", '"out"'), Taken("save_every", "keyword_only", "100")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a kiln with 5 racks", "Kiln(num_racks=5, dim=64, folder='in/pots')"),
        ("a kiln with 5 warm racks", "Kiln(num_racks=3, dim=64, folder='in/pots', num_warm_racks=5)"),
        ("a kiln with a shelf dimension of 8", "Kiln(num_racks=3, dim=64, folder='in/pots', shelf_dim=8)"),
        ("a kiln for the pots in my/pots", "Kiln(num_racks=3, dim=64, folder='my/pots')"),
        ("a kiln with the results in my/res", "Kiln(num_racks=3, dim=64, folder='in/pots', results_folder='my/res')"),
        ("a kiln, saving every 50 racks", "Kiln(num_racks=3, dim=64, folder='in/pots', save_every=50)"),
    ],
)
def test_what_is_named_better_than_what_is_shown(text: str, expected: str) -> None:
    request = read_request(text)
    (snippet,) = read_snippets([block("from kitchen import Kiln\nKiln(num_racks=3, dim=64, folder='in/pots')")])
    adapted = adapt(snippet, request, Surroundings(request), frozenset(), (), {"Kiln": [KILN]}, closely=True)
    assert adapted.answer.code == f"from kitchen import Kiln\n{expected}"


def test_what_the_call_of_another_class_shows_is_shown() -> None:
    """Both take it, and one of them has a value for it."""
    request = read_request("a kiln with 5 warm racks")
    (snippet,) = read_snippets([block("from kitchen import Kiln, Oven\nKiln(dim=64)\nOven(num_warm_racks=2)")])
    oven = Callee("class", "Oven", "kitchen/oven.py", 3, "kitchen", takes=(Taken("num_warm_racks", "keyword_only", "1"),))
    known = {"Kiln": [KILN], "Oven": [oven]}
    adapted = adapt(snippet, request, Surroundings(request), frozenset(), (), known, closely=True)
    assert adapted.answer.code == "from kitchen import Kiln, Oven\nKiln(dim=64)\nOven(num_warm_racks=5)"
