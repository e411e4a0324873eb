"""Programs with transformers' HfArgumentParser, beside the real one where it is installed."""

from pathlib import Path

import pytest

from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

ARGS = """
from dataclasses import dataclass, field
from enum import Enum
from typing import List, Literal, Optional

class Split(Enum):
    train = "train"
    test = "test"

@dataclass
class Base:
    seed: int = 42
    output_dir: str = field(metadata={"help": "where to write"})
    tags: Optional[List[str]] = None

@dataclass
class ModelArguments(Base):
    model_name: str = field(default="bert", metadata={"help": "which model", "aliases": ["-m"]})
    seed: int = field(default=7)
    use_fast: bool = field(default=True, metadata={"help": "fast"})
    freeze: bool = False
    maybe: Optional[bool] = None
    lr: float = 1e-3
    layers: List[int] = field(default_factory=lambda: [1, 2])
    split: Split = field(default=Split.train)
    mode: Literal["a", "b"] = "a"
    limit: Optional[int] = None
    steps: "int" = 3
    hidden: int = field(init=False, default=3)
"""
ARGS = ARGS.replace("    seed: int = 42\n    output_dir", "    output_dir")

PROGRAM = """
from transformers.hf_argparser import HfArgumentParser
from args import ModelArguments

def parse():
    parser = HfArgumentParser((ModelArguments,))
    return parser.parse_args_into_dataclasses()

if __name__ == "__main__":
    parse()
"""

LINES = [
    "--output_dir x",
    "--output-dir x -m y",
    "",
    "--output_dir x --model_name a --seed 3",
    "--output_dir x --model-name a --no_use_fast",
    "--output_dir x --use_fast False --no-use-fast",
    "--output_dir x --freeze",
    "--output_dir x --freeze true --maybe no",
    "--output_dir x --freeze perhaps",
    "--output_dir x --maybe",
    "--output_dir x --no_freeze",
    "--output_dir x --lr abc",
    "--output_dir x --layers 1 2 3 --lr 2",
    "--output_dir x --layers",
    "--output_dir x --layers a",
    "--output_dir x --split test --mode b",
    "--output_dir x --split dev",
    "--output_dir x --mode c",
    "--output_dir x --limit 3 --steps 4 --tags a b",
    "--output_dir x --limit None",
    "--output_dir x --hidden 3",
    "--output_dir x --lea 3",
    "--output_dir x --lay 3",
    "--output_dir x other",
    "--help",
]


def test_options_of_dataclasses(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    entry = compare(tmp_path, {"train.py": PROGRAM, "args.py": ARGS}, LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("hf_argparser", False, ())


EXTERNAL = """
import os, sys
from dataclasses import dataclass
from transformers import HfArgumentParser, TrainingArguments

@dataclass
class Data:
    path: str

@dataclass
class Training(TrainingArguments):
    extra: int = 3

if __name__ == "__main__":
    parser = HfArgumentParser([Data, Training, TrainingArguments])
    if len(sys.argv) == 2 and sys.argv[1].endswith(".json"):
        parser.parse_json_file(json_file=os.path.abspath(sys.argv[1]))
    else:
        parser.parse_args_into_dataclasses()
"""


def test_classes_of_the_library_may_have_more_than_is_known(tmp_path: Path) -> None:
    index = repository(tmp_path, {"train.py": EXTERNAL})
    entry = index.entry_point("train.py")
    assert entry is not None
    assert entry.open_ended
    assert entry.unread == (
        "options of transformers.TrainingArguments, which is not of this repository, at train.py:11",
        "options of transformers.TrainingArguments, which is not of this repository, at train.py:15",
    )
    assert found(bash(index, "python train.py --path x --newer_than_this 3 --extra 4")) == [("option", "warning", None)]
    assert found(bash(index, "python train.py --path x --learning_rate 3 --extra 4")) == []
    assert found(bash(index, "python train.py --path x --learning_rate high")) == [("value", "error", None)]
    assert found(bash(index, "python train.py --path x --extra four")) == [("value", "error", None)]
    assert [f.severity for f in bash(index, "python train.py --extra 4").findings] == ["warning"]
    assert [f.severity for f in bash(index, "python train.py all.json").findings] == ["warning"]
