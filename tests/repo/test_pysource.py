import ast
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import ml_agent
from ml_agent.repo.pysource import parse_python, walk

FILES = sorted(Path(ml_agent.__file__).parent.rglob("*.py"))
_ALONE = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop)
"""Nodes without fields that stand alone in a field; others, `pass` and `<`, stand in lists."""
ODD = """
match owls:
    case {"tea": [1, *lamps], **nests} if not lamps or -lamps < 3 <= 4: pass
    case None | Nest(owl=-1): del nests[1:2, ...]
x: int = (lambda a, /, b=1, *c, d, **e: (yield))(*[i async for i in f"{x!r:>{y}}"])
"""


def everything(tree: ast.AST) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if not isinstance(node, _ALONE)]


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(FILES))
def test_all_nodes_of_the_project_in_the_order_of_the_standard_library(path: Path) -> None:
    tree = parse_python(path.read_text(encoding="utf-8"))
    assert list(walk(tree)) == everything(tree)
    assert all(list(walk(node)) == everything(node) for node in tree.body)


def test_all_nodes_of_odd_code() -> None:
    tree = parse_python(ODD)
    found = list(walk(tree))
    assert found == everything(tree)
    assert {ast.Pass, ast.Lt, ast.LtE} <= {type(node) for node in found}
    assert len(list(walk(ast.Load()))) == 1
