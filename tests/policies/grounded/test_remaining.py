import pytest

from ml_agent.policies.grounded.adapting import adapt
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.callables import Callee
from tests.policies.grounded.support import block

KNOWN = {"bake": [Callee("function", "bake", "kitchen.py", 3, "kitchen")]}


def adapted(code: str, text: str) -> str:
    request = read_request(text)
    (snippet,) = read_snippets([block(f"import kitchen\n{code}")])
    return adapt(snippet, request, Surroundings(request), frozenset(), (), KNOWN).answer.code.removeprefix("import kitchen\n")


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("kitchen.layer_cake(9, 20, 0.5)", "a layer cake with 3 eggs, 8 plums, sweetness 0.2", "kitchen.layer_cake(3, 8, 0.2)"),
        ("kitchen.layer_cake(9, 20, 0.5)", "a layer cake with 3 eggs and 8 plums", "kitchen.layer_cake(9, 20, 0.5)"),
        ("kitchen.layer_cake(9, 20)", "a cake with 3 eggs and 8 plums", "kitchen.layer_cake(9, 20)"),
    ],
)
def test_numbers_behind_the_name_of_a_call_in_their_order(code: str, text: str, expected: str) -> None:
    assert adapted(code, text) == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("loaves = 90\nkitchen.bake(loaves)", "12 of them for each guest", "loaves = 12\nkitchen.bake(loaves)"),
        ("kitchen.bake(share=0.85)", "80 % of it for guests", "kitchen.bake(share=0.8)"),
        ("loaves = 90\nkitchen.bake(loaves)", "12 of them, and 5 more", "loaves = 90\nkitchen.bake(loaves)"),  # which of them?
        ("kitchen.bake(90, 80)", "12 of them for each guest", "kitchen.bake(90, 80)"),  # where?
        ("kitchen.bake(0.85)", "12 of them for each guest", "kitchen.bake(0.85)"),  # a share is no count
        ("a = pies[90]\nkitchen.bake(a)", "12 of them for each guest", "a = pies[90]\nkitchen.bake(a)"),
    ],
)
def test_the_only_number_in_the_only_place(code: str, text: str, expected: str) -> None:
    assert adapted(code, text) == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("kitchen.bake(lang='owl')", "bake it for 'wren'", "kitchen.bake(lang='wren')"),
        ("kitchen.bake(lang='owl')", "bake it for 'wren' and 'lark'", "kitchen.bake(lang='owl')"),  # which of them?
        ("kitchen.bake(lang='owl', tea='mint')", "bake it for 'wren'", "kitchen.bake(lang='owl', tea='mint')"),  # where?
        ("kitchen.bake(lang='an owl')", "bake it for 'wren'", "kitchen.bake(lang='an owl')"),  # that is no name
        ("kitchen.bake(lang='owl')", "bake it for 'a wren'", "kitchen.bake(lang='owl')"),
    ],
)
def test_the_only_name_in_quotes_in_the_only_place(code: str, text: str, expected: str) -> None:
    assert adapted(code, text) == expected
