from pathlib import Path

from ml_agent.repo.entrypoints import Option
from ml_agent.repo.index import RepoIndex
from tests.policies.grounded.support import write

CLASS = """class Base:
    seed = 7


class Hatching(Base):
    def __init__(self, nest, eggs=3, **kwargs):
        self.nest = nest
        self.warmth = 0.5  # degrees above the nest's
        self.calls = ["low"]
        self.sing = True
        self.kind = "wren"  # one of "wren", "owl"
        self._hidden = 1
        self.weights = load(nest)
        self.__dict__.update(kwargs)
"""
MAIN = """import argparse
import json

from {module} import {name}

parser = argparse.ArgumentParser()
parser.add_argument("--nest")
parser.add_argument("--{option}", {extra})
args = parser.parse_args()
{use}
"""


def settings(root: Path, module: str, name: str, option: str, use: str, extra: str = "default='{}'") -> dict[str, dict[str, Option]]:
    write(root, {"run.py": MAIN.format(module=module, name=name, option=option, use=use, extra=extra)})
    entry = RepoIndex(root).entry_point("run.py")
    assert entry is not None
    return {held: {o.name: o for o in inner} for held, inner in entry.settings}


def test_the_fields_of_a_class_that_takes_them_by_name(tmp_path: Path) -> None:
    write(tmp_path, {"hatch.py": CLASS})
    found = settings(tmp_path, "hatch", "Hatching", "hparams", "given = json.loads(args.hparams)\nrun(Hatching(args.nest, **given))")
    inner = found["--hparams"]
    assert list(inner) == ["seed", "eggs", "warmth", "calls", "sing", "kind"]
    assert (inner["warmth"].default, inner["warmth"].help, inner["warmth"].source) == ("0.5", "degrees above the nest's", "hatch.py:8")
    assert (inner["sing"].type, inner["kind"].type, inner["calls"].nargs) == ("bool", "str", "+")
    assert inner["kind"].compared == ("wren", "owl")


def test_what_a_function_gives_to_the_call_that_makes_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"nests/made.py": "def make_hparams(text):\n    made = HParams(a=1, b='x', c=False)\n    made.parse(text)\n    return made\n"},
    )
    write(tmp_path, {"nests/__init__.py": ""})
    found = settings(tmp_path, "nests.made", "make_hparams", "hparams", "make_hparams(args.hparams)")
    assert list(found["--hparams"]) == ["a", "b", "c"]


def test_what_a_module_assigns_below_a_node(tmp_path: Path) -> None:
    text = "_C = CN()\n_C.SOLVER = CN()\n_C.SOLVER.RATE = 0.1\n_C.DEBUG = False\n\n\ndef get_cfg():\n    return _C.clone()\n"
    write(tmp_path, {"defaults.py": text})
    found = settings(tmp_path, "defaults", "get_cfg", "opts", "cfg = get_cfg()\ncfg.merge_from_list(args.opts)", "nargs='*'")
    assert {n: o.default for n, o in found["--opts"].items()} == {"SOLVER.RATE": "0.1", "DEBUG": "False"}


def test_a_value_among_others_is_no_settings(tmp_path: Path) -> None:
    write(tmp_path, {"hatch.py": CLASS})
    assert settings(tmp_path, "hatch", "Hatching", "options", "run(Hatching(args.nest, args.options))") == {}
    assert settings(tmp_path, "hatch", "Hatching", "wings", "run(Hatching(**json.loads(args.wings)))") == {}
    assert settings(tmp_path, "json", "loads", "hparams", "run(**loads(args.hparams))") == {}


def test_they_are_the_same_when_they_come_from_the_store(tmp_path: Path) -> None:
    write(tmp_path, {"hatch.py": CLASS})
    found = settings(tmp_path, "hatch", "Hatching", "hparams", "run(Hatching(args.nest, **json.loads(args.hparams)))")
    again = next(e for e in RepoIndex(tmp_path).entry_points if e.path == "run.py")
    third = next(e for e in RepoIndex(tmp_path).entry_points if e.path == "run.py")
    assert again == third
    assert {n: {o.name: o for o in inner} for n, inner in again.settings} == found
