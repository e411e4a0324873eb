"""tyro's, simple_parsing's and pyrallis' programs, beside the real ones."""

from pathlib import Path

from tests.verify.differential import compare

CONFIG = """
from dataclasses import dataclass, field
from enum import Enum
from typing import List, Literal, Optional, Tuple

class Mode(Enum):
    fast = 1
    slow = 2

@dataclass
class Model:
    hidden_size: int = 16
    act: Literal["relu", "tanh"] = "relu"

@dataclass
class Config:
    data_dir: str
    lr: float = 0.1
    model: Model = field(default_factory=Model)
    mode: Mode = Mode.fast
    use_cache: bool = True
    layers: List[int] = field(default_factory=lambda: [1])
    limit: Optional[int] = None
    pair: Tuple[int, int] = (1, 2)
"""

TYRO = CONFIG + "\nimport tyro\n\nif __name__ == '__main__':\n    tyro.cli(Config)\n"
TYRO_LINES = [
    "--data-dir x",
    "--data_dir x",
    "",
    "--data-dir x --lr 0.2 --model.hidden-size 3 --model.hidden_size 4",
    "--data-dir x --model.act gelu",
    "--data-dir x --model.act tanh",
    "--data-dir x --hidden-size 3",
    "--data-dir x --mode slow",
    "--data-dir x --mode 2",
    "--data-dir x --no-use-cache",
    "--data-dir x --use-cache",
    "--data-dir x --use-cache False",
    "--data-dir x --layers 1 2 3",
    "--data-dir x --layers a",
    "--data-dir x --limit None",
    "--data-dir x --limit 3",
    "--data-dir x --pair 1 2",
    "--data-dir x --pair 1",
    "--data-dir x --lr high",
    "--data-di x",
    "--help",
]

FUNCTION = """
import tyro
from config import Model

def main(steps: int, model: Model, seed: int = 0, verbose: bool = False) -> None:
    pass

if __name__ == "__main__":
    tyro.cli(main)
"""

SIMPLE = CONFIG.replace("    pair: Tuple[int, int] = (1, 2)\n", "") + "\nfrom simple_parsing import parse\nparse(Config)\n"
SIMPLE_LINES = [
    "--data_dir x",
    "",
    "--data_dir x --lr 0.2 --hidden_size 3",
    "--data_dir x --act gelu",
    "--data_dir x --mode slow",
    "--data_dir x --mode other",
    "--data_dir x --nouse_cache",
    "--data_dir x --use_cache false",
    "--data_dir x --layers 1 2 3",
    "--data_dir x --layers a",
    "--data_dir x --limit 3",
    "--data_dir x --lr high",
    "--data_dir x --foo",
    "--help",
]

PYRALLIS = """
from dataclasses import dataclass, field
import pyrallis

@dataclass
class Model:
    hidden: int = 16

@dataclass
class Config:
    lr: float = 0.1
    model: Model = field(default_factory=Model)
    use: bool = True

pyrallis.parse(config_class=Config)
"""


def test_tyro(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": TYRO}, TYRO_LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("tyro", False, ())


def test_tyro_of_a_function(tmp_path: Path) -> None:
    lines = ["--steps 3", "--steps 3 --model.hidden-size 4 --verbose", "--steps x", "--seed 3", "--steps 1 --model 3"]
    compare(tmp_path, {"train.py": FUNCTION, "config.py": CONFIG}, lines)


def test_simple_parsing(tmp_path: Path) -> None:
    assert compare(tmp_path, {"train.py": SIMPLE}, SIMPLE_LINES).kind == "simple_parsing"


def test_pyrallis(tmp_path: Path) -> None:
    lines = ["", "--lr 0.2 --model.hidden 3", "--model.hiden 3", "--use false", "--lr high", "--config_path no.yaml --foo 3"]
    assert compare(tmp_path, {"train.py": PYRALLIS}, lines).kind == "pyrallis"
