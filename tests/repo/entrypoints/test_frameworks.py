"""What is kept of each option; which command lines are taken is compared with the real libraries in tests/verify."""

from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import Option, read_entry_point
from ml_agent.repo.files import walk
from tests.repo.entrypoints.programs import names, option, read_all, read_program, write

CLICK = """
import click

@click.command()
@click.option("--lr", "-l", type=click.FloatRange(0, 1), default=0.1, help="the  rate")
@click.option("--mode", type=click.Choice(["a", "b"]), required=True, envvar="MODE")
@click.option("--deep/--flat", default=True)
@click.option("--tag", multiple=True, type=int)
@click.argument("data", type=click.Path(exists=True))
@click.pass_context
def main(ctx, **kwargs):
    '''Train it.

    More of it.
    '''

if __name__ == "__main__":
    main()
"""


def test_click(tmp_path: Path) -> None:
    entry = read_program(tmp_path, CLICK)
    assert (entry.kind, entry.flag_style, entry.description, entry.line) == ("click", "click", "Train it.", 11)
    assert entry.options[:-1] == (
        Option("--lr", ("--lr", "-l"), "train.py:5", "float", "0.1", help="the rate", bounds="0<=x<=1"),
        Option("--mode", ("--mode",), "train.py:6", "str", choices=("a", "b"), required=True, lenient=True),
        Option("--deep", ("--deep", "--flat"), "train.py:7", "bool", "True", action="flag"),
        Option("--tag", ("--tag",), "train.py:8", "int", action="append"),
        Option("data", ("data",), "train.py:9", "Path", required=True),
    )


TYPER = """
from enum import Enum
from typing import List, Optional
import typer

class Mode(str, Enum):
    a = "a"
    b = "b"

app = typer.Typer()

@app.command()
def train(
    data: str,
    lr: float = typer.Option(0.1, "--lr", "-l", min=0, help="the rate"),
    mode: Mode = Mode.a,
    deep: bool = True,
    tag: Optional[List[int]] = None,
):
    "Train it."

@app.command()
def show():
    "Show it."

if __name__ == "__main__":
    app()
"""


def test_typer(tmp_path: Path) -> None:
    entry = read_program(tmp_path, TYPER)
    assert entry.command_help == (("train", "Train it."), ("show", "Show it."))
    assert [o for o in entry.options if o.command == "train" and o.action != "help"] == [
        Option("data", ("data",), "train.py:14", "str", required=True, command="train"),
        Option("--lr", ("--lr", "-l"), "train.py:15", "float", "0.1", help="the rate", command="train", bounds="x>=0"),
        Option("--mode", ("--mode",), "train.py:16", "str", "'a'", choices=("a", "b"), command="train"),
        Option("--deep", ("--deep", "--no-deep"), "train.py:17", "bool", "True", action="flag", command="train"),
        Option("--tag", ("--tag",), "train.py:18", "int", "None", action="append", command="train"),
    ]


def test_fire_and_hydra(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        {
            "a.py": "import fire\ndef go(data, lr=0.1, deep=False, **more):\n    pass\nif __name__ == '__main__':\n    fire.Fire(go)\n",
            "b/b.py": "import hydra\n@hydra.main(config_path='conf', config_name='c')\ndef go(cfg):\n    'Go.'\n"
            "if __name__ == '__main__':\n    go()\n",
            "b/conf/c.yaml": "defaults:\n  - m: x\n  - _self_\nlr: 0.1\nname: a\nsub:\n  deep: true\n  must: ???\n",
            "b/conf/m/x.yaml": "size: 1\n",
            "b/conf/m/y.yaml": "size: 2\n",
            "b/conf/n/z.yaml": "k: 2\n",
        },
    )
    assert [(o.name, o.type, o.default, o.required, o.action) for o in found["a.py"].options if o.action != "help"] == [
        ("--data", None, None, True, "store"),
        ("--lr", "float", "0.1", False, "store"),
        ("--deep", "bool", "False", False, "flag"),
    ]
    assert found["a.py"].open_ended
    assigned = [o for o in found["b/b.py"].options if o.assigned]
    assert [(o.name, o.type, o.default, o.choices, o.source) for o in assigned] == [
        ("m", "group", "'x'", ("x", "y"), "b/conf/c.yaml:2"),
        ("+n", "group", None, ("z",), "b/b.py:2"),
        ("m.size", "int", "1", None, "b/conf/m/x.yaml:1"),
        ("lr", "float", "0.1", None, "b/conf/c.yaml:4"),
        ("name", "str", "'a'", None, "b/conf/c.yaml:5"),
        ("sub.deep", "bool", "true", None, "b/conf/c.yaml:7"),
        ("sub.must", "str", None, None, "b/conf/c.yaml:8"),
    ]
    assert (assigned[-1].required, assigned[-1].lenient, assigned[-1].positional) == (True, True, False)


def test_what_is_hydra_s_own_is_not_missed(tmp_path: Path) -> None:
    config = "defaults:\n  - hydra/launcher: joblib\n  - override hydra/job_logging: colorlog\n  - _self_\nlr: 1\n"
    code = "import hydra\n@hydra.main(config_path='.', config_name='c')\ndef go(cfg): ...\ngo()\n"
    entry = read_all(tmp_path, {"train.py": code, "c.yaml": config})["train.py"]
    assert (entry.unread, entry.open_ended, [o.name for o in entry.options if o.assigned]) == ((), False, ["lr"])


def test_optparse(tmp_path: Path) -> None:
    code = """
    import optparse
    p = optparse.OptionParser(description="Train it.")
    p.add_option("-l", "--lr", dest="rate", type="float", help="the rate")
    p.add_option("--deep", action="store_true")
    p.set_defaults(rate=0.1)
    p.parse_args()
    """
    entry = read_program(tmp_path, code)
    assert (entry.kind, entry.description) == ("optparse", "Train it.")
    assert entry.options[:2] == (
        Option("--lr", ("-l", "--lr"), "train.py:4", "float", "0.1", help="the rate"),
        Option("--deep", ("--deep",), "train.py:5", "bool", action="flag"),
    )


def test_getopt_without_options_of_one_letter(tmp_path: Path) -> None:
    entry = read_program(tmp_path, "import getopt, sys\ngetopt.getopt(sys.argv[1:], '', ['owls=', 'hoot'])\n")
    assert [(o.name, o.action) for o in entry.options[:2]] == [("--owls", "store"), ("--hoot", "flag")]


def test_a_command_that_is_installed(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/__init__.py": "", "pkg/cli.py": "import click\n@click.group()\ndef cli(): ...\n@cli.command()\ndef go(): ...\n"})
    entry = read_entry_point(walk(tmp_path), "pkg/cli.py", "cli")
    assert entry is not None
    assert (entry.kind, option(entry, "command").choices) == ("click", ("go",))


@pytest.mark.parametrize(
    ("code", "note"),
    [
        ("import click\n@click.command()\n@click.option(name())\ndef main(): ...\nmain()\n", "an option whose name is made at run time"),
        ("import click\n@click.group(cls=LazyGroup)\ndef main(): ...\nmain()\n", "commands that are looked up at run time"),
        ("import fire\nfrom elsewhere import go\nfire.Fire(go)\n", "the parameters of elsewhere.go"),
        ("import hydra\n@hydra.main(config_name='c')\ndef main(cfg): ...\nmain()\n", "the configuration c: is not in the repository"),
        ("import hydra\n@hydra.main(config_name=which())\ndef main(cfg): ...\nmain()\n", "the name of the configuration"),
        ("import typer\napp = typer.Typer()\napp.add_typer(load())\napp()\n", "commands that are added"),
        ("import tyro, elsewhere\ntyro.cli(elsewhere.Config)\n", "options of elsewhere.Config"),
        ("from docopt import docopt\ndocopt(text())\n", "the usage text"),
        (
            "import optparse\np = optparse.OptionParser()\np.add_option(name())\np.parse_args()\n",
            "an option whose name is made at run time",
        ),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, code: str, note: str) -> None:
    entry = read_program(tmp_path, code)
    assert entry.open_ended
    assert len(entry.unread) == 1
    assert note in entry.unread[0]
    assert ":" in entry.unread[0].rpartition(" at ")[2]


def test_a_program_that_reads_nothing_is_none_of_them(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        {
            "lib.py": "import click, fire, hydra\n@click.command()\n@click.option('--a')\ndef main(a): ...\n",
            "train.py": "import argparse, lib\np = argparse.ArgumentParser()\np.add_argument('--b')\np.parse_args()\n",
        },
    )
    assert {path: (e.kind, names(e)) for path, e in found.items()} == {"train.py": ("argparse", ["--b"])}


GROUP = """
import click

class OwnGroup(click.Group):
    def {method}(self, *given):
        return self.found(*given)

@click.group(cls=OwnGroup)
def main(): ...

@main.command()
def go(): ...

main()
"""


def test_a_group_that_only_shows_its_commands_otherwise_has_those_that_are_added(tmp_path: Path) -> None:
    entry = read_program(tmp_path, GROUP.replace("{method}", "list_commands"))
    assert (entry.open_ended, option(entry, "command").choices) == (False, ("go",))
    entry = read_program(tmp_path, GROUP.replace("{method}", "get_command"), "other.py")
    assert (entry.open_ended, option(entry, "command").choices) == (True, None)


def test_docopt_with_one_of_several_words_in_front(tmp_path: Path) -> None:
    code = '''
    """Owls.

    Usage:
        owls (count | ring) [--far=<km>] --wood=<name>
        owls (count | ring) [--far=<km>]
        owls --version

    Options:
        --far=<km>  How far. [default: 3]
    """
    from docopt import docopt
    from texts import as_text

    docopt(as_text(__doc__))
    '''
    entry = read_program(tmp_path, code)
    assert (entry.open_ended, option(entry, "command").choices) == (False, ("count", "ring"))
    assert {"--far", "--wood"} <= set(names(entry))


ADDED = """
import click

def add_options(options):
    def add(function):
        for option in reversed(options):
            function = option(function)
        return function
    return add

COMMON = [click.argument("tea"), click.option("--cup"), click.option("--pot"), click.option("--heat", type=int)]

@click.command()
@add_options(COMMON)
def brew(tea, cup, pot, heat):
    pass

if __name__ == "__main__":
    brew()
"""


def test_options_that_a_decorator_is_handed(tmp_path: Path) -> None:
    assert names(read_program(tmp_path, ADDED)) == ["tea", "--cup", "--pot", "--heat"]
