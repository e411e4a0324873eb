"""What stands in a syntax tree."""

import ast

import pytest

from ml_agent.policies.grounded.nodes import unpacked


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("batch, length = 2, 64", ["batch", "length"]),
        ("(owl, nest.size) = (2, f(3))", ["owl", "size"]),
        ("batch = 2, 64", []),
        ("batch, length = sizes", []),
        ("batch, length = 2, 64, 8", []),
        ("batch, = 2,", []),
        ("batch, *rest = 2, 64", []),
    ],
)
def test_names_that_are_given_a_value_each(code: str, names: list[str]) -> None:
    (node,) = ast.parse(code).body
    assert isinstance(node, ast.Assign)
    assert [name for name, _ in unpacked(node.targets[0], node.value)] == names
