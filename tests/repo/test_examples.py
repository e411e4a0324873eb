"""What docstrings show of how a thing is used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.examples import example_in
from tests.pace import within

OWL = "import nests\nowl = nests.Owl(3)\nprint(owl(2))\n"


@pytest.mark.parametrize(
    "docstring",
    [
        "An owl.\n\n>>> import nests\n>>> owl = nests.Owl(3)\n>>> print(owl(2))\n6\n\nMore.",
        "An owl.\n\n    Examples:\n        >>> import nests\n        >>> owl = nests.Owl(3)\n        >>> print(owl(2))\n        6",
        "An owl.\n\nExample::\n\n    import nests\n    owl = nests.Owl(3)\n    print(owl(2))\n\nReturns: an owl",
        "An owl.\n\nExamples\n--------\nimport nests\nowl = nests.Owl(3)\nprint(owl(2))",
        "An owl.\n\n## Usage\n```python\nimport nests\nowl = nests.Owl(3)\nprint(owl(2))\n```\nDone.",
        "An owl.\n\n```bash\npip install nests\n```\nUse it\n\n```python\nimport nests\nowl = nests.Owl(3)\nprint(owl(2))\n```",
        "An owl.\n\nExamples\n--------\nimport nests\nowl = nests.Owl(3)\nprint(owl(2))\n\nNotes\n-----\nIt sings.",
        "An owl.\n\n    Usage:\n    ```\n    import nests\n    owl = nests.Owl(3)\n    print(owl(2))\n    ```",
    ],
)
def test_an_example(docstring: str) -> None:
    assert example_in(docstring) == OWL


def test_lines_that_go_on() -> None:
    assert example_in(">>> for i in range(2):\n...     sing(i)\n...\n0\n1") == "for i in range(2):\n    sing(i)\n"


@pytest.mark.parametrize(
    "docstring",
    [
        "",
        "An owl that sings.",
        "Example: the owl of the barn",
        "Examples:\n    an owl, a lark, a wren",
        "Usage:\n    python sing.py (with owls) --loud",
        ">>> owl = (3\n",
        "Args:\n    x (int): how many\n",
        ">>> " + "x(" * 3000 + ")" * 3000,
    ],
)
def test_no_example(docstring: str) -> None:
    assert example_in(docstring) == ""


@given(st.text(alphabet=">. \n:`-abExample(py", max_size=200))
def test_any_text_is_read(text: str) -> None:
    compile(example_in(text), "example", "exec")


def test_long_docstrings_are_read() -> None:
    with within(2):
        assert example_in("Usage" + " " * 20_000 + "x\n" + "Example:\n" * 10_000) == ""
