from pathlib import Path

from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

FUNCTION = """
import fire

def train(data, lr=0.1, epochs=10, shuffle=False, model="gcn", *, seed=0):
    pass

if __name__ == "__main__":
    fire.Fire(train)
"""

FUNCTION_LINES = [
    "x",
    "",
    "--data x",
    "--data=x --lr 0.2",
    "x 0.2 3 --shuffle",
    "x --noshuffle",
    "x --shuffle=False --seed 3",
    "x --learning-rate 3",
    "x -l 3",
    "x -s",
    "x -m gat -e 5",
    "x 1 2 3 4 5 6",
    "--lr 0.1",
    "--help",
    "x -- --trace",
    "x --lr=abc",
    "x --epochs",
    "x --foo",
]

CLASS = """
import fire

class Data:
    def fetch(self, name, force_it=False):
        pass

class Trainer:
    version = "1"

    def __init__(self, seed=0, name="a"):
        self.seed = seed
        self.data = Data()

    def train(self, epochs, lr=0.1):
        pass

    def test_all(self, *paths):
        pass

    def _hidden(self):
        pass

def main():
    fire.Fire(Trainer)

if __name__ == "__main__":
    main()
"""

CLASS_LINES = [
    "train 3",
    "train",
    "train --epochs=3 --seed 4",
    "--seed=4 train 3 --lr 2",
    "train 3 --foo 4",
    "test-all a b c",
    "test_all",
    "test_all --x 1",
    "data fetch x",
    "data fetch x --force-it",
    "data fetch",
    "data push",
    "nothing",
    "version",
    "seed",
    "",
    "train 1 2 3",
]

TABLE = """
import fire
from other import train

def show(what="all", **kwargs):
    pass

fire.Fire({"train": train, "show-it": show})
"""
OTHER = "def train(epochs: int, verbose: bool = False):\n    pass\n"
TABLE_LINES = ["train 3", "train", "train 3 --verbose", "train 3 --quiet", "show-it --anything 4", "show-it", "no"]

MODULE = "import fire\n\ndef train(lr=1):\n    pass\n\nif __name__ == '__main__':\n    fire.Fire()\n"


def test_a_function(tmp_path: Path) -> None:
    assert compare(tmp_path, {"train.py": FUNCTION}, FUNCTION_LINES).kind == "fire"


def test_a_class(tmp_path: Path) -> None:
    compare(tmp_path, {"train.py": CLASS}, CLASS_LINES)


def test_a_dictionary(tmp_path: Path) -> None:
    compare(tmp_path, {"train.py": TABLE, "other.py": OTHER}, TABLE_LINES)


def test_a_module(tmp_path: Path) -> None:
    compare(tmp_path, {"train.py": MODULE}, ["train", "train --lr 3", "train --rl 3", "nothing"])


def test_types_are_only_likely(tmp_path: Path) -> None:
    check = bash(repository(tmp_path, {"train.py": FUNCTION}), "python train.py x --lr=high")
    assert found(check) == [("value", "warning", None)]
