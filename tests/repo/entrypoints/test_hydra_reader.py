"""What is kept of hydra's configurations: what their comments say, what they choose from, and what a class brings."""

from pathlib import Path

from tests.repo.entrypoints.programs import HYDRA, names, option, read_all


def test_a_comment_says_what_a_key_is(tmp_path: Path) -> None:
    config = """
    # the nests
    # that are counted
    nests: 3
    color: "#fff"  # of the eggs # and shells
    owls:
      # rate: 0.1
      speed: 0.5
      size: 4   # in cm
    list: [1, 2]  # both

    # ----------
    plain: 1
    url: http://a.b/#c
    """
    entry = read_all(tmp_path, {"train.py": HYDRA, "conf/config.yaml": config})["train.py"]
    assert {name: option(entry, name).help for name in ("nests", "color", "owls.speed", "owls.size", "list", "plain", "url")} == {
        "nests": "the nests that are counted",
        "color": "of the eggs # and shells",
        "owls.speed": "",
        "owls.size": "in cm",
        "list": "both",
        "plain": "",
        "url": "",
    }


CLASSES = """
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, List

import hydra
from hydra.core.config_store import ConfigStore
from omegaconf import MISSING

class Beak(Enum):
    round: str = "r"
    sharp: str = "s"
    _secret = 1

defaults = ["_self_", {"bird": "owl"}, {"nest": "twigs"}]

@dataclass
class Owl:
    wings: int = 2  # how many it has
    beak: Beak = Beak.round

@dataclass
class Wren:
    tail: float = 0.5  # noqa: E501

@dataclass
class Config:
    defaults: List[Any] = field(default_factory=lambda: defaults)
    bird: Any = MISSING
    eggs: int = 4

store = ConfigStore.instance()
store.store(name="config", node=Config)
store.store(group="bird", name="owl", node=Owl)
store.store(group="bird", name="wren", node=Wren)

@hydra.main(config_path=None, config_name="config")
def main(cfg):
    pass

if __name__ == "__main__":
    main()
"""


def test_a_class_chooses_from_groups_of_classes(tmp_path: Path) -> None:
    entry = read_all(tmp_path, {"train.py": CLASSES, ".github/workflows/test.yaml": "a: 1\n"})["train.py"]
    assert option(entry, "bird").choices == ("owl", "wren")
    assert option(entry, "bird").default == "'owl'"
    assert {"bird.wings", "bird.beak", "eggs"} <= set(names(entry))
    assert not {"defaults", "bird.tail", "+.github/workflows"} & set(names(entry))
    assert option(entry, "bird.wings").help == "how many it has"
    assert option(entry, "bird.beak").compared == ("round", "sharp")
    assert any("nest/twigs" in note for note in entry.unread)


def test_a_comment_that_is_for_a_tool_says_nothing(tmp_path: Path) -> None:
    entry = read_all(tmp_path, {"train.py": CLASSES.replace('{"bird": "owl"}', '{"bird": "wren"}')})["train.py"]
    assert option(entry, "bird.tail").help == ""
