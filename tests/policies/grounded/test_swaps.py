"""What a documented command says otherwise than the request: one file of several, a folder in its paths."""

import pytest

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.swaps import Folders, file_swaps, find_swaps
from tests.policies.grounded.support import command

FILES = ("configs/owl_v1.yaml", "configs/owl_v2.yaml", "configs/lark_v1.yaml", "configs/notes.md", "train.py", "nest/owl_v2.yaml")
TRAIN = command("python train.py --config configs/owl_v1.yaml")


def test_files_beside_are_those_of_its_kind_and_folder() -> None:
    assert Folders(FILES).beside([TRAIN]) == {"configs/owl_v1.yaml": ["configs/owl_v1.yaml", "configs/owl_v2.yaml", "configs/lark_v1.yaml"]}
    inside = command("python train.py cfg=../configs/owl_v1.yaml", workdir="nest")
    assert Folders(FILES).beside([inside])["../configs/owl_v1.yaml"][1] == "../configs/owl_v2.yaml"
    assert Folders(FILES).beside([command("python train.py --config configs/none.yaml")]) == {}


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("train the owl V2 with its configuration", "configs/owl_v2.yaml"),
        ("train the lark", "configs/lark_v1.yaml"),
        ("train it", None),
        ("train the v1 lark", "configs/lark_v1.yaml"),
        ("train with config lark_v1", "configs/lark_v1.yaml"),
        ("train version 9", None),
    ],
)
def test_another_file_where_the_request_says_what_tells_them_apart(text: str, file: str | None) -> None:
    swaps = file_swaps(TRAIN, Folders(FILES).beside([TRAIN]), read_request(text))
    assert [(s.old, s.mention.value) for s in swaps] == ([("configs/owl_v1.yaml", file)] if file else [])


def test_two_files_that_are_meant_as_much_are_none() -> None:
    files = ("c/a_owl.yaml", "c/b_owl.yaml", "c/hen.yaml")
    of = command("python train.py --config c/hen.yaml")
    assert file_swaps(of, Folders(files).beside([of]), read_request("train the owl")) == []


def test_a_folder_in_a_path_that_is_named_alike() -> None:
    found = find_swaps(command("python train.py --vocab $DIR/owl_base_v1/vocab.txt"), read_request("train owl_base_v2"))
    assert [(s.old, s.mention.value) for s in found] == [("$DIR/owl_base_v1", "owl_base_v2")]
