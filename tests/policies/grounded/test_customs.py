"""What people leave unsaid of where something is read and written."""

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.customs import is_learnt_from
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, given, option

SAVE = option("--save-dir", default="'nests'", help="where the model is saved")
LOAD = option("--load-dir", default="''", help="where the model is loaded from")
RESUME = option("--resume", default="''", help="checkpoint to go on from")
RUN = option("--exp", default="''", help="exp folder")
DATA, MODEL = option("--data", required=True), option("--model", required=True, help="file of the model that is made, its output")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("save the checkpoints in out", {"--save-dir": "out"}),
        ("checkpoints go to out", {"--save-dir": "out"}),
        ("checkpoints should end up in my/out", {"--save-dir": "my/out"}),
        ("resume from old/a.pth", {"--resume": "old/a.pth"}),
        ("show the owl that I trained earlier: it was saved in /nest/a/b", {"--load-dir": "/nest/a/b"}),
        ("show the saved owl that lies in /nest/a/b", {"--load-dir": "/nest/a/b"}),
    ],
)
def test_what_is_read_and_what_is_written(text: str, expected: dict[str, str]) -> None:
    assert given(text, SAVE, LOAD, RESUME) == expected


def test_the_folder_of_a_run() -> None:
    assert given("watch it, write to /nest/run", RUN) == {"--exp": "/nest/run"}


def test_what_a_model_is_made_from_is_data() -> None:
    documented = command("python train.py --data owls.txt --model owls.bin")
    assert given("train a model from a/b.en, saved as c.bin", DATA, MODEL, commands=[documented]) == {
        "--data": "a/b.en",
        "--model": "c.bin",
    }
    assert given("train a model on a/b.en, saved as c.bin", DATA, MODEL, commands=[documented]) == {"--data": "a/b.en", "--model": "c.bin"}
    plain = option("--data"), option("--model")
    assert given("train a model on nest/owls", *plain) == {"--data": "nest/owls"}
    assert given("sing on nest/owls", *plain) == {"--model": "nest/owls"}


@pytest.mark.parametrize(
    ("text", "made"),
    [("train a model from a/b.txt", True), ("train a model on a/b.txt", True), ("sing on a/b.txt", False), ("train with a/b.txt", False)],
)
def test_what_something_is_made_of(text: str, *, made: bool) -> None:
    request = read_request(text)
    assert is_learnt_from(request.mentions[0], Surroundings(request)) is made


TO, FROM = option("--output-directory"), option("--input-directory")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sing, and lay the outcome in the folder nests/owl", {"--output-directory": "nests/owl"}),
        ("sing; the fruits may rest in nests/owl", {"--output-directory": "nests/owl"}),
        ("sing, and lay it in nests/owl", {"--output-directory": "nests/owl"}),
        ("sing; it may rest in nests/owl", {"--output-directory": "nests/owl"}),
        ("sing; the fruits in nests/owl", {"--output-directory": "nests/owl"}),
        ("sing; the outcome in nests/owl", {"--output-directory": "nests/owl"}),
        ("sing in nests/owl", {"--input-directory": "nests/owl"}),
        ("sing with results/owl", {"--input-directory": "results/owl"}),
    ],
)
def test_where_what_is_made_is_put(text: str, expected: dict[str, str]) -> None:
    assert given(text, FROM, TO) == expected


def test_logs_and_checkpoints_go_to_the_folder_whose_help_stores_them() -> None:
    base = option("--basedir", default="'./owls/'", help="where to store ckpts and logs")
    weights = option("--ckpt", default="''", help="weights to reload")
    for what in ("logs and checkpoints", "checkpoints"):
        assert given(f"train, keep its {what} below ./scratch", weights, base) == {"--basedir": "./scratch"}
    assert given("train from the checkpoint ./scratch", weights, base) == {"--ckpt": "./scratch"}
