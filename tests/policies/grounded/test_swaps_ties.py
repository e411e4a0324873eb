"""Which of several files that the request names takes the place of a documented one, and what of the request that settles."""

import pytest

from ml_agent.policies.grounded.folders import Folders
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.swaps import file_swaps, told_by
from tests.policies.grounded.support import command


def put_in(files: tuple[str, ...], line: str, text: str) -> list[str]:
    of = command(line)
    return [s.mention.value for s in file_swaps(of, Folders(files).beside([of]), read_request(text))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("weave on the wool loom R 50 at night", "wool loom R 50"),
        ("weave on the R 50 wool loom at night", "R 50 wool loom"),
        ("weave R 50 threads on a wool loom", "wool loom"),
    ],
)
def test_a_letter_and_a_number_beside_what_is_told(text: str, told: str) -> None:
    request = read_request(text)
    assert " ".join(request.tokens[at].text for at in sorted(told_by(iter(["looms/wool_loom_R_50.yaml"]), request))) == told


HEDGE = ("configs/nightingale/hedge.yaml", "configs/finch/hedge.yaml", "configs/finch/oak.yaml", "configs/finch/elm.yaml")


@pytest.mark.parametrize(
    ("files", "text", "file"),
    [
        ((*HEDGE, "configs/owl/hedge.yaml"), "sing in the hedge", "configs/owl/hedge.yaml"),
        (HEDGE, "sing in the hedge", "configs/finch/hedge.yaml"),
        ((*HEDGE, "configs/owl/hedge.yaml"), "sing in the hedge of the nightingale", "configs/nightingale/hedge.yaml"),
        ((*HEDGE, "configs/owl/hedgerow.yaml"), "sing in the hedge or hedgerow of the nightingale", "configs/owl/hedgerow.yaml"),
    ],
)
def test_of_files_called_alike_the_one_in_the_documented_folder_then_in_the_fullest(files: tuple[str, ...], text: str, file: str) -> None:
    nest = "configs/owl/nest.yaml"
    assert put_in((nest, *files), f"python sing.py --config {nest}", text) == [file]


@pytest.mark.parametrize(("weights", "file"), [("bird_owl", "c/BirdOwl.py"), ("bird_owl_x", "c/BirdOwl_x.py"), ("bird_owl_z", None)])
def test_settings_that_are_called_as_the_weights_are(weights: str, file: str | None) -> None:
    files = ("c/BirdLark.py", "c/BirdOwl.py", "c/BirdOwl_x.py")
    found = put_in(files, "python sing.py -c c/BirdLark.py -w w/bird_lark.pth", f"sing with w/{weights}.pth")
    assert found == ([file] if file else [])
