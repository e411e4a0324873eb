"""What a repository holds itself."""

from pathlib import Path

from ml_agent.sandbox.holdings import Holdings

HELD = Holdings(
    ["train.py", "birds/__init__.py", "birds/song/pitch.py", "tools/plot.py", "examples/one/helper.py", "data/x.csv"],
    (Path("/home/u/repository"), Path("/scratch/copy")),
)


def test_modules_that_can_be_imported_from_some_folder() -> None:
    assert [name for name in ("train", "birds", "birds.song", "plot", "tools.plot", "helper", "pitch") if HELD.holds_module(name)] == [
        "train",
        "birds",
        "birds.song",
        "plot",
        "tools.plot",
        "helper",
        "pitch",
    ]
    assert not HELD.holds_module("torch")
    assert not HELD.holds_module("song.pitch.x.y")


def test_files_below_any_folder() -> None:
    for path in ("data/x.csv", "x.csv", "./data/x.csv", "../x.csv", "/home/u/repository/data/x.csv", "/scratch/copy/x.csv"):
        assert HELD.holds_file(path), path
    for path in ("data", "y.csv", "/home/x.csv", "a/x.csv"):
        assert not HELD.holds_file(path), path
