import pytest

from ml_agent.repo.symbols import Import
from ml_agent.repo.symbols.python import imports


@pytest.mark.parametrize(
    ("statement", "bound"),
    [
        ("import a", [("a", "a", "")]),
        ("import a.b.c", [("a", "a", "")]),
        ("import a.b as c, d", [("c", "a.b", ""), ("d", "d", "")]),
        ("from a.b import c", [("c", "a.b", "c")]),
        ("from a import c, d", [("c", "a", "c"), ("d", "a", "d")]),
        ("from .. import c as d", [("d", "..", "c")]),
        ("from . . a import c", [("c", "..a", "c")]),
        ("from .a import (\n  c,  # of (c, d)\n  e as f,\n)", [("c", ".a", "c"), ("f", ".a", "e")]),
        ("from a import c, \\\n  d", [("c", "a", "c"), ("d", "a", "d")]),
        ("from a import *", [("*", "a", "*")]),
        ("from importer import x", [("x", "importer", "x")]),
        ("import", []),
    ],
)
def test_imports(statement: str, bound: list[tuple[str, str, str]]) -> None:
    assert list(imports(statement, 7)) == [Import(*one, 7) for one in bound]
