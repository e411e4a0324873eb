"""Values that stand apart in the request and go to one option, and names whose files stand behind them."""

import pytest

from ml_agent.policies.grounded.gathered import is_located, wants_path
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import code, command, given, option, program


def test_files_of_one_kind_that_stand_apart() -> None:
    files = option("files", nargs="+", help="pictures to sketch")
    ckpt = option("--ckpt", required=True, help="the trained weights")
    assert given("Sketch owl.png and wren.png with the lines of runs/7.pt.", files, ckpt) == {
        "files": "owl.png wren.png",
        "--ckpt": "runs/7.pt",
    }
    assert given("Sketch owl.png with the lines of runs/7.pt, and then wren.png too.", files, ckpt)["files"] == "owl.png wren.png"


def test_just_so_many_paths() -> None:
    pair = option("path", nargs="2", help="two folders to compare")
    assert given("compare the songs in /data/made with those in /data/true", pair) == {"path": "/data/made /data/true"}
    assert given("compare sets/made with the archive sets/true.npz", pair) == {"path": "sets/made sets/true.npz"}
    assert given("compare the songs in /data/made", pair) == {"path": "/data/made"}  # nothing else is left


def test_names_of_one_owner() -> None:
    models = option("--model_names", nargs="+", help="models to compare")
    plot = option("plot", required=True, help="where to save the plot")
    assert given("the model nest/owl-small next to nest/owl-plain, plot in out/all.png", models, plot) == {
        "--model_names": "nest/owl-small nest/owl-plain",
        "plot": "out/all.png",
    }


def test_one_value_stays_one() -> None:
    assert given("sketch owl.png, later wren.png", option("path", required=True)) == {"path": "owl.png"}


@pytest.mark.parametrize(
    ("text", "located"),
    [
        ("rate it on Songbirds under /data/songs", True),
        ("rate it on Songbirds in the folder /data/songs", True),
        ("rate it on Songbirds (/data/songs)", True),
        ("rate it on Songbirds in 'songs'", True),
        ("rate it on Songbirds with /data/weights.pt", False),
        ("rate it on Songbirds in half precision", False),
        ("rate it on Songbirds", False),
    ],
)
def test_where_a_name_lies(text: str, located: bool) -> None:
    request = read_request(text)
    name = next(m for m in request.mentions if m.value == "Songbirds")
    assert is_located(name, request) == located


def test_the_path_rather_than_the_name_that_it_locates() -> None:
    data = option("data", required=True, help="path to dataset")
    name = option("--dataset")
    assert given("rate it on Songbirds under /data/songs", data, name) == {"data": "/data/songs", "--dataset": "Songbirds"}


def test_what_takes_a_path() -> None:
    assert wants_path(option("data", help="Path to the songs"), ())
    assert wants_path(option("--out_dir"), ())
    assert wants_path(option("data"), ("data/owls", "wrens.csv"))
    assert not wants_path(option("--data", help="songs to rate"), ("owls",))


def test_a_word_behind_the_name_of_a_place_is_no_value_of_it() -> None:
    data = option("data", required=True, help="path to dataset")
    made = program(data, option("--workers", type="int"))
    documented = command("python train.py data --workers 2")
    assert code("rate the owls in 'data' with 4 data loading workers", made, documented) == "python train.py data --workers 4"


def test_names_side_by_side() -> None:
    birds = option("--birds", nargs="+", help="what to look for")
    said = "look for birds Barn_Owl Reed_Wren Lark in the wood of Oak_Hill"
    assert given(said, birds)["--birds"] == "Barn_Owl Reed_Wren Lark"


def test_the_kind_of_a_file_is_said_in_front_of_it() -> None:
    converted = {"input": "a.pkl", "--output": "nests/owl.zip"}
    assert given("convert a.pkl to a ZIP archive, nests/owl.zip", option("input"), option("--output")) == converted
    for text, located in (("to a ZIP archive, nests/owl.zip", True), ("to a ZIP archive, and nests/owl.zip", False)):
        request = read_request(f"convert a.pkl {text}")
        name = next(m for m in request.mentions if m.value == "ZIP")
        assert is_located(name, request) == located
