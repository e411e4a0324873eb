from pathlib import Path

import pytest

from tests.verify.differential import compare
from tests.verify.support import bash, errors, found, repository

ONE = """
import click

@click.command(context_settings=dict(help_option_names=["-h", "--help"]))
@click.option("--lr", "-l", type=float, default=0.1, help="learning rate")
@click.option("--epochs", default=10, help="how long")
@click.option("--data", required=True)
@click.option("--model", type=click.Choice(["gcn", "gat"]), default="gcn")
@click.option("--loose", type=click.Choice(["Fast", "Slow"], case_sensitive=False))
@click.option("--shuffle/--no-shuffle", default=True)
@click.option("--cuda", "-c", is_flag=True)
@click.option("-v", "--verbose", count=True)
@click.option("--tag", "-t", multiple=True)
@click.option("--pair", nargs=2, type=int)
@click.option("--flag", type=bool)
@click.option("--drop", type=click.FloatRange(0, 1, max_open=True))
@click.option("--layers", type=click.IntRange(min=1))
@click.option("--upper", "mode", flag_value="upper")
@click.option("--name-of-it", prompt=False)
@click.argument("source")
@click.argument("rest", nargs=-1, type=int)
def main(**kwargs):
    pass

if __name__ == "__main__":
    main()
"""

LINES = [
    "src --data x",
    "--data x src 1 2 3",
    "src --data x one",
    "--data=x src --lr 1e-3 -l 2",
    "-l2 --data x src",
    "-cvvl 3 --data x src",
    "-cvq --data x src",
    "--data x",
    "src",
    "--dat x src",
    "--data x src --lr abc",
    "--data x src --epochs 1.5",
    "--data x src --model gcn --model gat",
    "--data x src --model GCN",
    "--data x src --loose fast",
    "--data x src --loose medium",
    "--data x src --no-shuffle --shuffle",
    "--data x src --shuffle=1",
    "--data x src --cuda yes",
    "--data x src -t a -t b --tag=c",
    "--data x src --pair 1 2",
    "--data x src --pair 1",
    "--data x src --pair 1 b",
    "--data x src --flag yes",
    "--data x src --flag maybe",
    "--data x src --drop 1",
    "--data x src --drop 0.5",
    "--data x src --drop -0.5",
    "--data x src --layers 0",
    "--data x src --layers 3",
    "--data x src --upper",
    "--data --lr src",
    "--data x -- src 1",
    "--data x -- src -1",
    "--data x src -1",
    "--name_of_it x --data x src",
    "--name-of-it x --data x src",
    "--help",
    "-h",
    "--version",
    "--data",
]

TREE = """
import click
from common import shared

@click.group(invoke_without_command=False)
@click.option("--debug/--no-debug", default=False)
@click.version_option("1.0")
@click.pass_context
def cli(ctx, debug):
    pass

@cli.command()
@shared
@click.option("--epochs", type=int, required=True)
def train(**kwargs):
    pass

@cli.command("show")
@shared
@click.argument("what", type=click.Choice(["a", "b"]), required=False)
def display(**kwargs):
    pass

@cli.group()
def data():
    pass

@data.command()
@click.argument("names", nargs=-1, required=True)
@click.argument("last")
def fetch_all(**kwargs):
    pass

@click.command()
@click.option("--x", is_flag=True)
def extra(**kwargs):
    pass

cli.add_command(extra)
cli.add_command(extra, "other")

def main():
    cli(obj={})

if __name__ == "__main__":
    main()
"""

COMMON = """
import functools
import click

_OPTIONS = [
    click.option("--seed", type=int, default=0),
    click.option("--out", "-o", type=click.Path()),
]

def shared(f):
    for option in reversed(_OPTIONS):
        f = option(f)

    @click.option("--quiet", is_flag=True)
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)

    return inner
"""

TREE_LINES = [
    "train --epochs 1",
    "train",
    "--debug train --epochs 1 --seed 3 -o x --quiet",
    "train --epochs 1 --debug",
    "show",
    "show a --seed 1",
    "show c",
    "display",
    "data fetch-all a b",
    "data fetch-all a",
    "data fetch-all",
    "data fetch_all a b",
    "data --seed 1 fetch-all a b",
    "extra --x",
    "other --x",
    "other --y",
    "nothing",
    "--version",
    "train --help",
    "train --epochs 1 more",
]


def test_one_command(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": ONE}, LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("click", False, ())


def test_groups_and_shared_decorators(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": TREE, "common.py": COMMON}, TREE_LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("click", False, ())


@pytest.mark.parametrize(
    ("settings", "sure"),
    [
        ("", True),
        ('context_settings={"ignore_unknown_options": True, "allow_extra_args": True}', False),
        ("context_settings=load()", False),
    ],
)
def test_unknown_options_may_be_wanted(tmp_path: Path, settings: str, sure: bool) -> None:
    code = f"import click\n@click.command({settings})\n@click.option('--a')\ndef main(a): pass\nif __name__ == '__main__': main()\n"
    check = bash(repository(tmp_path, {"train.py": code}), "python train.py --b 3")
    assert errors(check) == (["option"] if sure else [])


def test_the_nearest_option_is_named(tmp_path: Path) -> None:
    index = repository(tmp_path, {"train.py": ONE})
    assert ("option", "error", "--epochs=3") in found(bash(index, "python train.py --data x src --num-epochs=3"))
    assert found(bash(index, "python train.py --data x src --model gta")) == [("value", "error", "--model gat")]
