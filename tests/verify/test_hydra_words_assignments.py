"""Programs that set their variables from `NAME=VALUE` words, beside a real run."""

from pathlib import Path

from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

LOOP = """
import sys
from ast import literal_eval

for word in sys.argv[1:]:
    if "=" not in word:
        assert not word.startswith("--")
        exec(open(word).read())
    else:
        assert word.startswith("--")
        name, value = word.split("=")
        name = name[2:]
        if name in globals():
            try:
                new = literal_eval(value)
            except (SyntaxError, ValueError):
                new = value
            assert type(new) == type(globals()[name])
            globals()[name] = new
        else:
            raise ValueError(name)
"""

PROGRAM = """
import os
steps = 5 * 8
rate = 6e-4
name = "test"
fast = False
exec(open("settings.py").read())
behind = 3
"""


def test_variables_of_the_program(tmp_path: Path) -> None:
    files = {"train.py": PROGRAM, "settings.py": LOOP, "small.py": "steps = 1\n"}
    lines = [
        "",
        "--steps=3",
        "--steps=3.5",
        "--steps 3",
        "--rate=1e-3 --name=x --fast=True",
        "--rate=1",
        "--fast=yes",
        "--fast",
        "--name=3",
        "--step=3",
        "--behind=3",
        "steps=3",
        "small.py --steps=3",
    ]
    entry = compare(tmp_path, files, lines)
    assert (entry.kind, entry.flag_style, entry.open_ended) == ("assignments", "assign", False)
    assert [(o.name, o.type, o.default, o.source) for o in entry.options if o.assigned] == [
        ("--steps", "int", "40", "train.py:3"),
        ("--rate", "float", "0.0006", "train.py:4"),
        ("--name", "str", "'test'", "train.py:5"),
        ("--fast", "bool", "False", "train.py:6"),
    ]


def test_keys_of_a_dictionary(tmp_path: Path) -> None:
    code = """
    import sys
    config = {"lr": 0.1, "model": "gcn"}
    def main():
        for arg in sys.argv[1:]:
            k, v = arg.split("=")
            if k not in config:
                raise SystemExit("unknown " + k)
            config[k] = v
    if __name__ == "__main__":
        main()
    """
    files = {"train.py": code.replace("\n    ", "\n")}
    compare(tmp_path, files, ["lr=0.2 model=x", "lrr=3", "lr=high"])
    assert found(bash(repository(tmp_path, files), "python train.py lrr=3")) == [("option", "error", "lr=3")]
