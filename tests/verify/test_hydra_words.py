from pathlib import Path

from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

PROGRAM = """
import hydra
from omegaconf import DictConfig

@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg: DictConfig) -> None:
    pass

if __name__ == "__main__":
    main()
"""

FILES = {
    "train.py": PROGRAM,
    "conf/config.yaml": """
defaults:
  - model: gcn
  - optional extra: null
  - data@source: cora
  - _self_

seed: 1
name: test
trainer:
  lr: 0.1
  layers: [1, 2]
  deep:
    flag: true
none_yet: null
empty: {}
must: ???
hydra:
  run:
    dir: .
  output_subdir: null
""",
    "conf/model/gcn.yaml": "hidden: 16\nact: relu\n",
    "conf/model/gat.yaml": "defaults:\n  - head: big\nhidden: 8\nheads: 4\n",
    "conf/model/head/big.yaml": "size: 3\n",
    "conf/data/cora.yaml": "root: /x\n",
    "conf/data/pubmed.yaml": "root: /y\n",
    "conf/extra/one.yaml": "# @package _global_\nglobal_key: 1\n",
    "conf/sched/cos.yaml": "t: 3\n",
}

LINES = [
    "",
    "seed=2",
    "sed=2",
    "trainer.lr=0.2 trainer.layers=[1,2,3]",
    "trainer.lr=0.2,0.3",
    "trainer.rate=0.2",
    "+trainer.rate=0.2",
    "++trainer.rate=0.2 ++seed=4",
    "+seed=3",
    "+new=3",
    "new=3",
    "~seed",
    "~nothing",
    "~trainer.deep",
    "model=gcn model.hidden=3",
    "model=transformer",
    "model.heads=3",
    "data@source=pubmed source.root=z",
    "sched=cos",
    "+sched=cos",
    "+sched=linear",
    "seed",
    "--seed 3",
    "--cfg job",
    "-c job seed=3",
    "--help",
    "hydra.job.name=x",
    "hydra.verbose=true",
    "name='a,b'",
    "'name=\"a,b\"'",
    "must=4",
    "none_yet=3",
    "trainer.deep.flag=false",
    "trainer.deep={flag:false}",
    "extra=one",
    "empty.x=1",
    "+empty.x=1",
    "~seed +seed=3",
    "trainer.layers.0=3",
    "+extra=one",
    "++sched=cos",
    "name=a=b",
    "name=[1",
    "-c",
]


def test_overrides(tmp_path: Path) -> None:
    entry = compare(tmp_path, FILES, LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("hydra", False, ())


STRUCTURED = """
from dataclasses import dataclass, field
from typing import Any
import hydra
from hydra.core.config_store import ConfigStore

@dataclass
class Trainer:
    lr: float = 0.1
    steps: int = 10

@dataclass
class Config:
    seed: int = 1
    opt: Any = None
    trainer: Trainer = field(default_factory=Trainer)

cs = ConfigStore.instance()
cs.store(name="config", node=Config)
cs.store(group="opt", name="sgd", node={"momentum": 0.9})

@hydra.main(version_base=None, config_path=None, config_name="config")
def main(cfg):
    pass

if __name__ == "__main__":
    main()
"""


def test_structured_configurations(tmp_path: Path) -> None:
    lines = ["trainer.lr=0.2 seed=3", "trainer.rate=3", "+opt=sgd", "+opt=adam", "opt=sgd"]
    compare(tmp_path, {"train.py": STRUCTURED}, lines)


def test_what_would_be_right_is_said(tmp_path: Path) -> None:
    index = repository(tmp_path, FILES)
    assert found(bash(index, "python train.py trainer.lrr=3"))[0] == ("option", "error", "trainer.lr=3")
    assert found(bash(index, "python train.py must=1 model=gta")) == [("value", "error", "model=gat")]
    assert found(bash(index, "python train.py must=1 sched=cos")) == [("option", "error", "+sched=cos")]
    assert found(bash(index, "python train.py --config-name other must=3 foo=3")) == [("option", "warning", None)]
    assert found(bash(index, "python train.py must=3 -m seed=1,2,3")) == []
