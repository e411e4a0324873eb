"""Names that are read before anything binds them."""

import ast

import pytest

from ml_agent.repo.unbound import read_too_early


def names(code: str) -> dict[str, tuple[int, bool]]:
    return read_too_early(ast.parse(code))


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x = f(x)\ndef f(a): return a", {"f": (1, True), "x": (1, True)}),
        ("s = model(s=s)", {"s": (1, True)}),
        ("x += 1", {"x": (1, True)}),
        ("for a in b:\n    b = a", {"b": (1, True)}),
        ("owls = [i for i in range(3)]\nprint(i)", {"i": (2, True)}),
        ("class Owl(Bird): pass\nBird = 1", {"Bird": (1, True)}),
        ("print(owl) if 3 else 4\nowl = 2", {"owl": (1, False)}),
        ("if 3:\n    print(owl)\nowl = 2", {"owl": (2, False)}),
        ("@lark\ndef owl(x=wren): ...\nlark = wren = 1", {"lark": (1, True), "wren": (2, True)}),
        ("owl.nest = 3\nowl = 1", {"owl": (1, True)}),
        ("x = (y for y in z)\nz = 1", {"z": (1, True)}),
    ],
)
def test_read_too_early(code: str, found: dict[str, tuple[int, bool]]) -> None:
    assert names(code) == found


@pytest.mark.parametrize(
    "code",
    [
        "print(unknown)",
        "import os.path as p, sys\np.join(sys.argv[0])",
        "def f(): return y\ny = f()",
        "lambda: owl\nowl = 2",
        "with open('a') as f: g = f\nprint(g)",
        "try:\n    owl\nexcept NameError as e:\n    owl = e\nprint(owl)",
        "for i in range(3):\n    if i: print(x)\n    x = i",
        "while True:\n    if n := 3: print(n)",
        "def f():\n    global g\n    g = 1\nf(); print(g)\ng = 2",
        "match 3:\n    case [a, *b]: print(a, b)\n    case {'c': c, **d}: print(c, d)\n    case int() as e: print(e)",
        "x: int\nprint(x)\nx = 2",
        "owls = {a: b for a, b in {}.items()}\na = b = 1",
        "x = [y := 1, y]\nprint(y)",
        "any((hit := w) > 1 for w in [1, 2])\nprint(hit)",
    ],
)
def test_nothing_too_early(code: str) -> None:
    assert names(code) == {}


def test_long_code_is_read() -> None:
    assert names("x = " + " + ".join(["y"] * 900) + "\n" + "y = 1\n" * 20_000) == {"y": (1, True)}
