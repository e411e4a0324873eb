"""`OmegaConf.from_cli()`, beside the real one."""

from pathlib import Path

import pytest

from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

STRUCTURED = """
from dataclasses import dataclass, field
from omegaconf import OmegaConf

@dataclass
class Model:
    hidden: int = 16
    act: str = "relu"

@dataclass
class Config:
    lr: float = 0.1
    model: Model = field(default_factory=Model)

def main():
    config = OmegaConf.merge(OmegaConf.structured(Config), OmegaConf.from_cli())

if __name__ == "__main__":
    main()
"""

LOADED = """
from omegaconf import OmegaConf

base = OmegaConf.load("settings/base.yaml")
base.merge_with(OmegaConf.from_cli())
"""


def test_a_dataclass_takes_its_own_keys_only(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": STRUCTURED}, ["", "lr=0.2 model.hidden=3", "model.hiden=3", "rate=2", "model={hidden: 3}"])
    assert (entry.kind, entry.flag_style) == ("omegaconf", "assign")
    assert [(o.name, o.type, o.default, o.source) for o in entry.options] == [
        ("lr", "float", "0.1", "train.py:12"),
        ("model.hidden", "int", "16", "train.py:7"),
        ("model.act", "str", "'relu'", "train.py:8"),
    ]


def test_a_file_takes_new_keys_too(tmp_path: Path) -> None:
    files = {"run/train.py": LOADED, "settings/base.yaml": "seed: 1\nmodel:\n  size: 3\n"}
    entry = compare(tmp_path, files, ["seed=2 model.size=4", "model.sise=4"], "run/train.py")
    assert entry.open_ended
    check = bash(repository(tmp_path, files), "python run/train.py model.sise=4")
    assert found(check) == [("option", "warning", "model.size=4")]


@pytest.mark.parametrize("load", ["sys.argv[1]", "'no/such.yaml'", "'/etc/x.yaml'"])
def test_a_file_that_is_not_known(tmp_path: Path, load: str) -> None:
    code = f"import sys\nfrom omegaconf import OmegaConf\nc = OmegaConf.merge(OmegaConf.load({load}), OmegaConf.from_cli())\nprint(c)\n"
    entry = repository(tmp_path, {"train.py": code}).entry_point("train.py")
    assert entry is not None
    assert entry.open_ended
    assert len(entry.unread) == 1
