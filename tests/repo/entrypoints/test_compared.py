from pathlib import Path

import pytest

from tests.repo.entrypoints.programs import option, read_all, read_program

HEAD = """
import argparse
p = argparse.ArgumentParser()
p.add_argument('--bird')
p.add_argument('--nest-kind', default='reed')
p.add_argument('--wings', type=int)
args = p.parse_args()
"""
SHOWN = """
def show(opt):
    for n in range(3):
        with open("x") as f:
            print(1 if opt.bird == "heron" else opt["bird"] == "egret")
"""
DRAWN = """
def draw(kind, n=1):
    if kind == "heron" or kind == "egret": pass
draw(args.bird)
"""
POND = """
class Pond:
    def __init__(self, kind):
        self.kind = kind
    def fill(self):
        if self.kind in {"heron", "egret"}: pass
Pond(kind=args.bird)
"""


def compared(root: Path, body: str, spelling: str = "--bird", **others: str) -> tuple[str, ...]:
    return option(read_program(root, HEAD + body, **others), spelling).compared


@pytest.mark.parametrize(
    "body",
    [
        "if args.bird == 'heron': pass\nelif 'egret' == args.bird: pass",
        "if args.bird in ('heron', 'egret'): pass",
        "assert args.bird.lower() in ['heron', 'egret'], args.bird",
        "name = args.bird\nif name == 'heron': pass\nif name != 'egret': pass",
        "BIRDS = {'heron': 1, 'egret': 2}\nprint(BIRDS[args.bird])",
        "BIRDS = {'heron': 1, 'egret': 2}\ndef main(args):\n    return BIRDS.get(args.bird)",
        "print({'heron': 1, 'egret': 2}[args.bird])",
        "BIRDS = {'heron': 1, 'egret': 2}\nif args.bird not in BIRDS.keys(): raise ValueError",
        "match args.bird:\n    case 'heron' | 'egret': pass",
        SHOWN,
        DRAWN,
        POND,
    ],
)
def test_ways_of_asking_for_a_value(tmp_path: Path, body: str) -> None:
    assert compared(tmp_path, body) == ("heron", "egret")


@pytest.mark.parametrize(
    "body",
    [
        "if node.bird == 'heron': pass",  # of something else
        "if args.wings == 'heron': pass",  # an option of numbers
        "if args.bird == 'a heron at dusk': pass",
        "if args.bird == 3: pass",
        "bird = args.bird\ndef show(bird):\n    return bird == 'heron'",  # the parameter hides it
        "name = args.bird\nname = input()\nif name == 'heron': pass",
        "print(PONDS[args.bird])",
        "LIST = ['heron']\nprint(LIST[args.bird])",
    ],
)
def test_what_asks_for_no_value_of_the_option(tmp_path: Path, body: str) -> None:
    assert compared(tmp_path, body) == ()


def test_names_with_dashes(tmp_path: Path) -> None:
    assert compared(tmp_path, "if args.nest_kind == 'mud': pass", "--nest-kind") == ("mud",)


def test_functions_and_tables_of_other_modules(tmp_path: Path) -> None:
    ponds = """
    from birds import BIRDS
    def build(settings, name):
        if settings.nest_kind == 'mud':
            return other(name)
    def other(it):
        assert it in BIRDS
    """
    body = "import ponds\nponds.build(args, args.bird)"
    entry = read_program(tmp_path, HEAD + body, ponds=ponds, birds="BIRDS = dict\nBIRDS = {'heron': 1}\n")
    assert option(entry, "--bird").compared == ("heron",)
    assert option(entry, "--nest-kind").compared == ("mud",)


def test_functions_that_call_each_other_end(tmp_path: Path) -> None:
    body = "def a(args):\n    b(args)\ndef b(args):\n    a(args)\n    return args.bird == 'heron'\na(args)"
    assert compared(tmp_path, body) == ("heron",)


def test_an_option_with_choices_has_none(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--bird', choices=['heron'])\n"
        "args = p.parse_args()\nif args.bird == 'egret': pass\n",
    )
    assert option(entry, "--bird").compared == ()


ABSL = """
from absl import app, flags
FLAGS = flags.FLAGS
flags.DEFINE_string("bird", "owl", "Bird.")
def main(_):
    kind = FLAGS.bird
    if kind == "heron": pass
if __name__ == "__main__":
    app.run(main)
"""
CLICK = """
import click
@click.command()
@click.option("--bird-kind", default="owl")
@click.option("--n")
def main(bird_kind, n):
    if bird_kind == "heron": pass
if __name__ == "__main__":
    main()
"""
FIRE = """
import fire
def main(
    bird="owl",
    n=3,
):
    if bird == "heron": pass
def other(bird):
    return bird == "egret"
if __name__ == "__main__":
    fire.Fire(main)
"""
TYPER = """
import typer
def main(bird: str = "owl"):
    if bird == "heron": pass
if __name__ == "__main__":
    typer.run(main)
"""


@pytest.mark.parametrize(("text", "spelling"), [(ABSL, "--bird"), (CLICK, "--bird-kind"), (FIRE, "--bird"), (TYPER, "--bird")])
def test_other_frameworks(tmp_path: Path, text: str, spelling: str) -> None:
    assert option(read_program(tmp_path, text), spelling).compared == ("heron",)


def test_values_that_the_help_lists_come_last(tmp_path: Path) -> None:
    text = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--bird', help='one of heron, egret or owl')\n"
        "args = p.parse_args()\nif args.bird == 'egret': pass\n"
    )
    assert option(read_program(tmp_path, text), "--bird").compared == ("egret", "heron", "owl")


def test_deep_code_is_no_fault(tmp_path: Path) -> None:
    body = "\n".join(f"{'    ' * n}if args.bird == 'b{n}':" for n in range(90)) + f"\n{'    ' * 90}pass\n"
    chained = "x = args.bird" + ".lower()" * 80 + "\n"
    assert len(compared(tmp_path, body + chained)) == 90
    found = read_all(tmp_path, {"long.py": HEAD + "".join(f"if args.bird == 'b{n}': pass\n" for n in range(300))})
    assert len(option(found["long.py"], "--bird").compared) == 100


@pytest.mark.parametrize("body", ["getattr(birds, args.bird)()", "birds.__dict__[args.bird]()", "vars(birds)[args.bird]()"])
def test_what_a_module_offers_by_name(tmp_path: Path, body: str) -> None:
    package = "from .waders import *\nfrom .owls import barn as barn_owl, _hidden\nfrom os import path\nclass Crow: pass\nSIZE = 3\n"
    others = {
        "birds/__init__": package,
        "birds/waders": "def heron(): pass\ndef _wade(): pass\n",
        "birds/owls": "def barn(): pass\ndef _hidden(): pass\n",
    }
    assert set(compared(tmp_path, f"import birds\n{body}", **others)) == {"heron", "barn_owl", "Crow"}
