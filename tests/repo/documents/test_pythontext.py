"""Python out of blocks of documents."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.documents.pythontext import python_of
from tests.pace import within


@pytest.mark.parametrize(
    ("code", "python"),
    [
        ("a = 1", "a = 1"),
        (">>> a = f(1,\n      2)\n3\n>>> b", "a = f(1,\n2)\nb"),
        (">>> for x in y:\n...     print(x)\n...\n1\n2", "for x in y:\n    print(x)"),
        ("In [1]: import owl\nIn [2]: owl.hoot()\nOut[2]: 'hoot'", "import owl\nowl.hoot()"),
        ("a = f()\nprint(a)\n>>> {'x': 1}", "a = f()\nprint(a)"),
        ("a = f()\n>> 3", "a = f()"),
        ("    a = 1\n    b = 2", "a = 1\nb = 2"),
        ("!pip install owl\n%matplotlib inline\na = 1", "a = 1"),
        ("owl = Owl(size=<owl size>)", "owl = Owl(size=owl_size)"),
        ("owl = Owl(size=3, ...)", "owl = Owl(size=3)"),
        ("if a < b and c > d: pass", "if a < b and c > d: pass"),
    ],
)
def test_what_stands_around_it_is_left_out(code: str, python: str) -> None:
    found = python_of(code)
    assert found is not None
    assert ast.unparse(ast.parse(found[0])) == ast.unparse(ast.parse(python))


@pytest.mark.parametrize("code", ["python train.py --x 1", "def f(", "", ">>> python train.py", "Text, and no code."])
def test_what_is_no_python(code: str) -> None:
    assert python_of(code) is None


@given(st.text(alphabet="a=(1),<>. \n\t>'\"#[]:In!", max_size=80))
def test_any_text(code: str) -> None:
    found = python_of(code)
    if found is not None:
        ast.parse(found[0])


@pytest.mark.parametrize("piece", [">>> (\n", '"', "'''", "<a ", ", ...", "(", "... ", "In [1]:\n", "# >>> "])
def test_a_long_text_takes_no_longer_than_its_length(piece: str) -> None:
    with within(4.0):
        python_of("f(a" + piece * 5_000)
        python_of(">>> f(a" + piece * 5_000)
