from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from tests.verify.support import python, repository


@pytest.fixture
def index(tmp_path: Path) -> RepoIndex:
    return repository(tmp_path, {"loom/__init__.py": "def weave(rows): ...\n", "open_one.py": "def __getattr__(name): ...\n"})


def names(index: RepoIndex, code: str) -> list[tuple[str, str]]:
    return [(f.place, f.severity) for f in python(index, code).findings if f.kind == "name"]


@pytest.mark.parametrize(
    "code",
    [
        "from loom import weave\nfor rows in range(3):\n    weave(rows)\nprint(rows, __name__, __file__)",
        "from loom import *\nweave(3)",
        "from elsewhere import *\nanything(3)",
        "from open_one import *\nanything(3)",
        "import loom, os.path as p\nprint(p, loom, [x for x in (1, 2) if x], lambda y: y)",
        "import loom\nwith open('a') as f:\n    print(f)\ntry:\n    pass\nexcept OSError as e:\n    print(e)",
        "import loom\ndef f(a, *b, c=1, **d):\n    global g\n    g = a\n    return b, c, d\nf(1); print(g)",
        "import loom\nexec('x = 1')\nprint(x)",
        "import loom\nmatch loom:\n    case {'a': a, **rest}: print(a, rest)\n    case [b, *c]: print(b, c)",
        "import loom\nif (n := 3) > 2: print(n)",
        "import loom\nclass A:\n    b: int = 1\n    c = b\nprint(A)",
    ],
)
def test_no_false_alarm(index: RepoIndex, code: str) -> None:
    assert names(index, code) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from loom import weave\nweave(rows)", [("rows", "error")]),
        ("from loom import weave\nd = torch.device('cpu')\nprint(torch)", [("torch", "error")]),
        ("from loom import weave\nwith open('a'):\n    for i in range(3):\n        weave(many)", [("many", "error")]),
        ("from loom import weave\nif __name__ == '__main__':\n    weave(rows)", [("rows", "error")]),
        ("from loom import weave\ndef f():\n    return rows\n", [("rows", "warning")]),
        ("from loom import weave\nif weave(1):\n    print(rows)", [("rows", "warning")]),
        ("from loom import weave\ntry:\n    rows\nexcept NameError:\n    rows = 1", []),
        ("from loom import weave\ndef f():\n    return rows\nweave(rows)", [("rows", "error")]),
        ("from loom import weave\nrows = weave(rows)", [("rows", "error")]),
        ("from loom import weave\nif weave(1):\n    print(rows)\nrows = 1", [("rows", "warning")]),
    ],
)
def test_a_name_that_nothing_binds(index: RepoIndex, code: str, expected: list[tuple[str, str]]) -> None:
    assert names(index, code) == expected
