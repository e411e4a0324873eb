"""Whole programs with absl's flags, beside the real ones."""

from pathlib import Path

from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

PROGRAM = """
from absl import app, flags
import layers

FLAGS = flags.FLAGS
flags.DEFINE_string("data_dir", None, "where", short_name="d")
flags.DEFINE_float("lr", 0.1, "rate", lower_bound=0)
flags.DEFINE_integer("steps", 10, "steps")
flags.DEFINE_bool("train", False, "train it")
flags.DEFINE_enum("mode", "a", ["a", "b"], "mode")
flags.DEFINE_list("names", [], "names")
flags.DEFINE_multi_integer("size", [], "sizes")
flags.mark_flag_as_required("data_dir")

def main(argv):
    pass

if __name__ == "__main__":
    app.run(main)
"""
LAYERS = "from absl import flags\nflags.DEFINE_integer('layers', 2, 'layers')\n"
LINES = [
    "--data_dir=x",
    "",
    "-d x --lr=0.2 --steps 3",
    "--data_dir=x --train --notrain",
    "--data_dir=x --train=maybe",
    "--data_dir=x --steps=1.5",
    "--data_dir=x --mode=c",
    "--data_dir=x --mode b --names=a,b --size=1 --size=2",
    "--data_dir=x --size=a",
    "--data_dir=x --lr=-1",
    "--data_dir=x --lr=0",
    "--data_dir=x --layers=3",
    "--data_dir=x --layer=3",
    "--data_dir=x rest of it",
    "--data_dir",
    "-data_dir x -steps 3",
]

CONFIG = """
import ml_collections

def get_config():
    config = ml_collections.ConfigDict()
    config.lr = 0.1
    config.steps = 3
    return config
"""
WITH_CONFIG = """
from absl import app
from ml_collections import config_flags

_CONFIG = config_flags.DEFINE_config_file("config", "configs/base.py")

if __name__ == "__main__":
    app.run(lambda argv: None)
"""


def test_flags(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": PROGRAM, "layers.py": LAYERS}, LINES)
    assert (entry.kind, entry.open_ended) == ("absl", False)


def test_a_file_of_settings(tmp_path: Path) -> None:
    files = {"train.py": WITH_CONFIG, "configs/base.py": CONFIG}
    compare(tmp_path, files, ["", "--config=configs/base.py", "--config.lr=0.2 --config.steps=4", "--config.stepz=4", "--config.steps=x"])
    assert found(bash(repository(tmp_path, files), "python train.py --config.step=4")) == [("option", "error", "--config.steps=4")]
