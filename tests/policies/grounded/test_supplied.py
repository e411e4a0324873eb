import pytest

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.supplied import supply


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
        (("oven",), "the words of pie.txt", "", ""),  # it may be anything
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
