"""jsonargparse's programs, beside the real ones; LightningCLI by what its documentation says."""

from pathlib import Path

from tests.verify.differential import compare
from tests.verify.support import bash, errors, found, repository

FUNCTION = """
from typing import List, Literal, Optional
from jsonargparse import CLI

def train(data: str, lr: float = 0.1, epochs: int = 3, fast: bool = False, mode: Literal["a", "b"] = "a",
          limit: Optional[int] = None, layers: List[int] = [1]):
    pass

if __name__ == "__main__":
    CLI(train)
"""
LINES = [
    "x",
    "",
    "--data x",
    "x --lr 0.2 --epochs 4",
    "x --epochs 1.5",
    "x --lr high",
    "x --fast true",
    "x --fast",
    "x --fast maybe",
    "x --mode b",
    "x --mode c",
    "x --limit null",
    "x --limit 3",
    "x --layers [1,2]",
    "x --layers+ 3",
    "x --ep 3",
    "x --foo 3",
    "x y",
    "--help",
    "x --print_config",
]

TREE = """
from jsonargparse import CLI

class Main:
    def __init__(self, seed: int = 0):
        pass

    def fit(self, steps: int, lr: float = 0.1):
        pass

    def test(self, path: str = "x"):
        pass

if __name__ == "__main__":
    CLI(Main)
"""

LIGHTNING = """
from lightning.pytorch.cli import LightningCLI
from models import Model, Data

class MyCLI(LightningCLI):
    def add_arguments_to_parser(self, parser):
        parser.add_argument("--note", default="x")
        parser.link_arguments("data.size", "model.size")

def main():
    MyCLI(Model, Data)

if __name__ == "__main__":
    main()
"""
MODELS = """
import lightning

class Model(lightning.LightningModule):
    def __init__(self, size: int, lr: float = 0.1):
        pass

class Data(lightning.LightningDataModule):
    def __init__(self, size: int = 3):
        pass
"""


def test_a_function(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": FUNCTION}, LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("jsonargparse", False, ())


def test_a_class(tmp_path: Path) -> None:
    lines = ["fit 3", "fit", "--seed 3 fit 3 --lr 2", "fit 3 --seed 4", "test --path y", "push", "fit 3 --steps 4", ""]
    compare(tmp_path, {"train.py": TREE}, lines)


def test_lightning(tmp_path: Path) -> None:
    index = repository(tmp_path, {"train.py": LIGHTNING, "models.py": MODELS})
    entry = index.entry_point("train.py")
    assert entry is not None
    assert entry.kind == "lightning_cli"
    assert entry.option("--model.lr", "fit") is not None
    assert errors(bash(index, "python train.py fit --config c.yaml --trainer.max_epochs 3 --model.size 3 --model.lr 0.2 --note y")) == []
    assert [f.severity for f in bash(index, "python train.py fit --trainer.max_epochs 3 --model.size 3").findings] == ["warning"]
    assert found(bash(index, "python train.py fit --model.size=3 --model.lr=high")) == [("value", "error", None)]
    assert errors(bash(index, "python train.py train --model.size 3")) == ["value"]
