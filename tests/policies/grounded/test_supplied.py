import ast

import pytest

from ml_agent.policies.grounded.literals import LONG_TEXT, literals_of
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.supplied import read_texts, supply


@pytest.mark.parametrize(
    ("missing", "text", "code", "names"),
    [
        (
            ("X", "y"),
            "fit on X.npy and y.npy",
            "import numpy as np\nX = np.load('X.npy')\ny = np.load('y.npy')\n",
            "X y",
        ),
        (("pies",), "score data/new.csv", "import pandas as pd\npies = pd.read_csv('data/new.csv')\n", "pies"),
        (("pies", "tarts"), "score new.npy", "", ""),  # it could be either
        (("pies",), "score new.npy, old.npy", "", ""),
        (("pies",), "score new.loaf", "", ""),
        (("X_train",), "fit it on X_train", "", "X_train"),
        (("train",), "fit it on X_train", "", ""),
        ((), "score new.npy", "", ""),
        (("doc",), "the words of pie.txt", "doc = open('pie.txt').read()\n", "doc"),
        (("my_text", "oven"), "the words of pie.txt", "my_text = open('pie.txt').read()\n", "my_text"),
        (("docs",), "the words of a.txt and b.txt", "docs = [open(name).read() for name in ['a.txt', 'b.txt']]\n", "docs"),
        (("doc",), "the words of a.txt and b.txt", "", ""),
        (("oven",), "the words of pie.txt", "", ""),  # it may be anything
        (("odir1", "odir2"), "compare pies/old with pies/new", "odir1 = 'pies/old'\nodir2 = 'pies/new'\n", "odir1 odir2"),
        (("oven", "tin_path"), "bake pies/a.png", "tin_path = 'pies/a.png'\n", "tin_path"),
        (("odir1", "odir2"), "compare pies/old", "", ""),
        (("odir1", "odir2"), "compare pies/old, pies/new and pies/odd", "", ""),
        (("odir1", "odir2"), "compare my odir1 with pies/new", "odir2 = 'pies/new'\n", "odir1 odir2"),
        (("buns", "tarts"), "compare pies/old with pies/new", "", ""),
        (
            ("X", "odir"),
            "bake X.npy as pies/old",
            "import numpy as np\nX = np.load('X.npy')\nodir = 'pies/old'\n",
            "X odir",
        ),
    ],
)
def test_names_that_a_snippet_misses(missing: tuple[str, ...], text: str, code: str, names: str) -> None:
    found = supply(missing, read_request(text))
    assert found.code == code
    assert found.names == frozenset(names.split())
    compile(found.code, "supplied", "exec")


def test_a_file_that_has_its_place_is_left_alone() -> None:
    request = read_request("score new.npy")
    assert supply(("pies",), request, frozenset(m.position for m in request.mentions)).code == ""


def test_a_hostile_name_of_a_file_stays_one_string() -> None:
    found = supply(("pies",), read_request("score \"a'); import os; os.system('x.npy\""))
    compile(found.code, "supplied", "exec")
    assert "import os\n" not in found.code


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("the words of pie.txt", ["open('pie.txt').read()"]),
        ("the words of pie.txt and cake.txt", []),
        ("the words of pie.npy", []),
        ("the words of 'a small pie' and pie.txt", []),
    ],
)
def test_a_long_text_is_read_from_the_file(text: str, read: list[str]) -> None:
    code = f"short = 'a pie'\ndoc = {'plum ' * LONG_TEXT!r}\n"
    found = list(read_texts(literals_of(ast.parse(code), code), read_request(text)))
    assert [source for _, source, _ in found] == read
    assert all(literal.names == ("doc",) for literal, _, _ in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the pies in pies.txt, one per line", "*(line.strip() for line in open('pies.txt'))"),
        ("the pies in pies.txt", None),
        ("the pies in a.txt and b.txt, one per line", None),
    ],
)
def test_a_list_of_texts_is_read_from_the_lines_of_a_file(text: str, expected: str | None) -> None:
    code = "pies = ['plum pie', 'apple pie']\nbake(pies, ['hot', 'cold'])"
    found = list(read_texts(literals_of(ast.parse(code), code), read_request(text)))
    assert [source for _, source, _ in found] == ([expected] if expected else [])
    assert all(code[literal.start : literal.end] == "'plum pie', 'apple pie'" for literal, _, _ in found)


def test_a_folder_that_has_its_place_is_left_alone() -> None:
    request = read_request("compare pies/old with pies/new")
    first, second = request.mentions
    found = supply(("odir",), request, frozenset({first.position}))
    assert (found.code, found.files) == ("odir = 'pies/new'\n", (second,))
