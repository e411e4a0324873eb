"""Whole argparse programs, read from their source, beside the real ones."""

from pathlib import Path

from tests.verify.differential import compare

PROGRAM = """
import argparse
from functools import partial
from options import add_data, build, Registry, LEVELS

class Twice(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)

class Mark(argparse.Action):
    def __init__(self, option_strings, dest, **kwargs):
        super().__init__(option_strings, dest, nargs=0, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, True)

def str2bool(v):
    if v.lower() in ("yes", "true"):
        return True
    if v.lower() in ("no", "false"):
        return False
    raise argparse.ArgumentTypeError("boolean expected")

def main():
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--seed", type=int, default=0)
    parser = argparse.ArgumentParser(parents=[common, build()])
    for name, kind in (("lr", float), ("epochs", int)):
        parser.add_argument(f"--{name}", type=kind)
    for level in LEVELS:
        parser.add_argument("--" + level, dest="level", action="store_const", const=level)
    group = parser.add_argument_group("data")
    add_data(group)
    parser.add_argument("--cache", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--twice", action=Twice)
    parser.add_argument("--mark", action=Mark)
    parser.add_argument("--flag", type=str2bool, nargs="?", const=True, default=False)
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument("--cpu", action="store_true")
    either.add_argument("--gpu", type=int)
    add = partial(parser.add_argument, type=int)
    add("--width")
    Registry().register(parser)
    parser.parse_args()

if __name__ == "__main__":
    main()
"""

OPTIONS = """
import argparse

LEVELS = ["low", "high"]

def build():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--out", required=True)
    return parser

def add_data(group, prefix="data"):
    group.add_argument(f"--{prefix}-dir", dest="dir")

class Registry:
    names = {"alpha": 1, "beta": 2}

    def register(self, parser):
        for name, value in self.names.items():
            parser.add_argument("--" + name, type=float, default=value)
"""

LINES = [
    "--out x --cpu",
    "--out x",
    "--cpu",
    "--out x --cpu --gpu 1",
    "--out x --gpu 1 --seed 3 --lr 0.1 --epochs 4",
    "--out x --cpu --epochs 0.5",
    "--out x --cpu --low --high",
    "--out x --cpu --data-dir y",
    "--out x --cpu --data_dir y",
    "--out x --cpu --no-cache --cache",
    "--out x --cpu --twice a",
    "--out x --cpu --twice",
    "--out x --cpu --mark",
    "--out x --cpu --mark a",
    "--out x --cpu --flag --flag yes",
    "--out x --cpu --width 3",
    "--out x --cpu --width w",
    "--out x --cpu --alpha 0.2 --beta 3",
    "--out x --cpu --gamma 3",
    "--ou x --cpu",
]

COMMANDS = """
import argparse

def add_train(subparsers, common):
    p = subparsers.add_parser("train", parents=[common], aliases=["fit"], help="train it")
    p.add_argument("--lr", type=float)
    p.set_defaults(func=print)
    return p

def main(argv=None):
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--debug", action="store_true")
    parser = argparse.ArgumentParser()
    parser.add_argument("--config")
    subparsers = parser.add_subparsers(dest="command", required=True)
    add_train(subparsers, common)
    for name in ("show", "list"):
        each = subparsers.add_parser(name)
        each.add_argument("what", nargs="*")
    remote = subparsers.add_parser("remote").add_subparsers(dest="sub")
    remote.add_parser("add").add_argument("url")
    args = parser.parse_args(argv)

if __name__ == "__main__":
    main()
"""

COMMAND_LINES = [
    "train --lr 0.1 --debug",
    "fit --lr 0.1",
    "--config c train",
    "train --config c",
    "",
    "show a b",
    "list --lr 3",
    "remote add u",
    "remote add",
    "remote",
    "remote push",
    "push",
]


def test_options_from_everywhere(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": PROGRAM, "options.py": OPTIONS}, LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("argparse", False, ())


def test_a_parser_that_an_imported_module_reads(tmp_path: Path) -> None:
    files = {
        "train.py": "from setup_run import *\nif __name__ == '__main__':\n    print(args)\n",
        "setup_run.py": "from options import *\nargs = parse_args()\n",
        "options.py": "import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n    p.add_argument('--lr', type=float)\n"
        "    return p.parse_args()\n",
    }
    entry = compare(tmp_path, files, ["", "--lr 1", "--lr x", "--rl 1"])
    assert (entry.kind, entry.open_ended) == ("argparse", False)


def test_sub_commands(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": COMMANDS}, COMMAND_LINES)
    assert (entry.open_ended, entry.unread) == (False, ())
    assert ("train", "train it") in entry.command_help
