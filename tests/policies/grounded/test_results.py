import ast

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.assigning import is_result
from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.results import loads, only_writes, saved, written
from tests.policies.grounded.test_adapting import adapted


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("bake it and save the cake as cake.npy", "cake.npy"),
        ("writes the table of cakes to cakes.csv", "cakes.csv"),
        ("saving everything in out/cakes.json", "out/cakes.json"),
        ("each is to be cut and stored as slice.pt", "slice.pt"),
        ("the cake stored in cake.npy, cut in two", ""),
        ("load cake.npy. Save paper.", ""),
        ("write Python that finds the plums in cake.csv", ""),
        ("read pie.npy and write cake.npy", "cake.npy"),
    ],
)
def test_files_that_are_to_be_written(text: str, files: str) -> None:
    request = read_request(text)
    where = written(request)
    assert " ".join(m.value for m in request.mentions if m.position in where) == files


@pytest.mark.parametrize(("call", "expected"), [("load_image", True), ("imread", True), ("from_pretrained", True), ("open", True),
                                                ("save", False), ("spread", False), ("Reader", True)])  # fmt: skip
def test_what_loads(call: str, *, expected: bool) -> None:
    assert loads(call) == expected


@pytest.mark.parametrize(
    ("name", "line", "first"),
    [
        ("cake.npy", "np.save('cake.npy', cake)", "import numpy as np"),
        ("cake.pt", "torch.save(cake, 'cake.pt')", "import torch"),
        ("cake.txt", "open('cake.txt', 'w').write(str(cake))", "from kitchen import bake"),
        ("cake.json", "json.dump(cake, open('cake.json', 'w'))", "import json"),
        ("cake.csv", "pd.DataFrame(cake).to_csv('cake.csv', index=False)", "import pandas as pd"),
    ],
)
def test_the_result_is_written(name: str, line: str, first: str) -> None:
    request = read_request(f"bake it and save it as {name}")
    code, files = saved("from kitchen import bake\ncake = bake(3)\nprint(cake)", request.mentions, request)
    assert (code.splitlines()[0], code.splitlines()[-1]) == (first, line)
    assert [m.value for m in files] == [name]
    ast.parse(code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("bake it from cake.npy", "cake = bake(3)"),
        ("save it as cake.npy and as pie.npy", "cake = bake(3)"),
        ("save it as cake.npy", "size = 3"),
        ("save it as cake.npy", "def f(): pass"),
        ("save it as cake.loaf", "cake = bake(3)"),
        ("save it as cake.npy", "cake = bake("),
    ],
)
def test_nothing_is_written(text: str, code: str) -> None:
    request = read_request(text)
    assert saved(code, request.mentions, request) == (code, ())


def test_a_result_of_a_block_is_written() -> None:
    request = read_request("save it as cake.npy")
    code, _ = saved("import numpy as np\nwith oven() as o:\n    cake = o.bake()\nfor c in cake:\n    print(c)\n", request.mentions, request)
    assert code.endswith("\nnp.save('cake.npy', cake)\n")
    assert code.count("import numpy") == 1


@pytest.mark.parametrize(
    ("call", "text", "expected"),
    [
        *((call, "bake pie.png", True) for call in ("imwrite", "write_image", "save", "to_csv", "savefig", "export_all")),
        *((call, "bake pie.png", False) for call in ("imread", "bake", "rewrite_all", "overwrite", "")),
        *(("imwrite", f"bake pie.png {said} cake.png", False) for said in ("and save it as", "into", "to", "->", ", the output is")),
    ],
)
def test_what_only_writes(call: str, text: str, *, expected: bool) -> None:
    assert only_writes(call, read_request(text)) is expected


@pytest.mark.parametrize(
    ("text", "name"), [("bake pie.png", "old.png"), ("bake pie, write to pie.png", "pie.png"), ("bake 'pie'", "old.png")]
)
def test_an_input_does_not_take_the_place_of_what_is_written(text: str, name: str) -> None:
    code = "from kitchen import bake, imwrite\nimwrite('old.png', bake(3))\n"
    assert adapted(code, text) == code.replace("old.png", name)


def test_is_result() -> None:
    code = "imwrite('old.png', bake())"
    (literal,) = literals_of(ast.parse(code), code)
    for text, expected in (("bake pie.png", True), ("bake it into pie.png", False), ("bake 'pie'", False)):
        request = read_request(text)
        assert is_result(request.mentions[0], literal, Surroundings(request)) is expected
