from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import Option, read_entry_point
from ml_agent.repo.files import walk
from tests.repo.entrypoints.programs import names, option, read_all, read_program, write


def test_everything_about_an_option(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        '''
        """Trains a model.

        More."""
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("-l", "--lr", "--learning-rate", type=float, default=1e-2,
                            help="learning "
                                 "rate (default: %(default)s, 100%%)")
        parser.add_argument("--data", choices=("a", "b"), required=True)
        parser.add_argument("--fast", action="store_true")
        parser.add_argument("--sizes", nargs="+", type=int, default=[1, 2])
        parser.add_argument("-v", action="count")
        parser.add_argument("--tag", action="append")
        parser.add_argument("--cfg", default="c.yaml", type=str)
        parser.add_argument("path")
        parser.add_argument("rest", nargs="*")
        args = parser.parse_args()
        ''',
    )
    assert entry.kind == "argparse"
    assert entry.run == ("python", "train.py")
    assert entry.description == "Trains a model."
    assert (entry.line, entry.open_ended, entry.prefixes, entry.unread) == (6, False, True, ())
    assert names(entry) == ["--learning-rate", "--data", "--fast", "--sizes", "-v", "--tag", "--cfg", "path", "rest"]
    assert option(entry, "-l") == Option(
        "--learning-rate", ("-l", "--lr", "--learning-rate"), "train.py:7", "float", "0.01", help="learning rate (default: 0.01, 100%)"
    )
    assert option(entry, "--data") == Option("--data", ("--data",), "train.py:10", choices=("a", "b"), required=True)
    assert option(entry, "--fast") == Option("--fast", ("--fast",), "train.py:11", "bool", "False", action="flag")
    assert option(entry, "--sizes") == Option("--sizes", ("--sizes",), "train.py:12", "int", "[1, 2]", nargs="+")
    assert option(entry, "-v").action == "count"
    assert option(entry, "--tag").action == "append"
    assert option(entry, "--cfg").default == "'c.yaml'"
    assert option(entry, "path").required
    assert option(entry, "path").positional
    assert not option(entry, "rest").required
    assert option(entry, "-h").action == "help"


def test_choices_and_defaults_from_names(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        """
        import argparse
        from constants import MODELS, SIZES as S
        import constants as c
        DATA = ["x", "y"]
        REGISTRY = {"p": print, "q": len}
        p = argparse.ArgumentParser(allow_abbrev=False, add_help=False)
        p.add_argument("--a", choices=MODELS)
        p.add_argument("--b", choices=list(REGISTRY.keys()), default=DATA[0])
        p.add_argument("--c", choices=DATA + ["z"])
        p.add_argument("--d", choices=range(3), type=int)
        p.add_argument("--e", choices=sorted(REGISTRY), default=c.DEFAULT)
        p.add_argument("--f", choices=[str(s) for s in S])
        p.add_argument("--g", choices=find_them())
        p.add_argument("--h", default=len(DATA) * 2)
        p.add_argument("--i", default=os.getcwd())
        p.parse_args()
        """,
        constants="MODELS = ('m', 'n')\nSIZES = [1, 2]\nDEFAULT = 'q'\n",
    )
    assert option(entry, "--a").choices == ("m", "n")
    assert (option(entry, "--b").choices, option(entry, "--b").default) == (("p", "q"), "'x'")
    assert option(entry, "--c").choices == ("x", "y", "z")
    assert option(entry, "--d").choices == ("0", "1", "2")
    assert (option(entry, "--e").choices, option(entry, "--e").default) == (("p", "q"), "'q'")
    assert option(entry, "--f").choices == ("1", "2")
    assert option(entry, "--g").choices is None
    assert entry.unread == ("choices of --g at train.py:14",)
    assert option(entry, "--h").default == "4"
    assert option(entry, "--i").default == "os.getcwd()"
    assert (entry.prefixes, entry.open_ended) == (False, False)
    assert entry.option("--help") is None


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("int", "int"),
        ("str2bool", "str2bool"),
        ("lambda s: s", "lambda"),
        ("pathlib.Path", "pathlib.Path"),
        ("helpers.parse_size", "parse_size"),
    ],
)
def test_types(tmp_path: Path, written: str, kind: str) -> None:
    code = "import argparse, pathlib, helpers\ndef str2bool(v): return v\np = argparse.ArgumentParser()\n"
    code += f"p.add_argument('--x', type={written})\np.parse_args()\n"
    entry = read_program(tmp_path, code, helpers="def parse_size(s):\n    return s\n")
    assert option(entry, "--x").type == kind


def test_other_actions(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        """
        import argparse
        base = argparse.ArgumentParser(add_help=False)
        base.add_argument("--parent")
        p = argparse.ArgumentParser(parents=[base])
        p.add_argument("--amp", action=argparse.BooleanOptionalAction, default=True)
        p.add_argument("--const", action="store_const", const=3)
        p.add_argument("--version", action="version", version="1")
        p.add_argument("--off", dest="on", action="store_false")
        p.add_argument("cmd", nargs=argparse.REMAINDER)
        g = p.add_mutually_exclusive_group()
        g.add_argument("--x")
        g.add_argument("--y")
        p.set_defaults(parent="z", on=True)
        p.parse_args()
        """,
    )
    assert option(entry, "--no-amp") == Option("--amp", ("--amp", "--no-amp"), "train.py:6", "bool", "True", action="flag")
    assert option(entry, "--const").action == "flag"
    assert option(entry, "--version").action == "help"
    assert option(entry, "--off").default == "True"
    assert option(entry, "cmd").nargs == "..."
    assert option(entry, "--x").group == option(entry, "--y").group is not None
    assert option(entry, "--parent").default == "'z'"


def test_a_later_definition_wins(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        "import argparse\np = argparse.ArgumentParser(conflict_handler='resolve')\np.add_argument('-a', '--aa', default=1)\n"
        "p.add_argument('--aa', default=2)\np.parse_args()\n",
    )
    assert option(entry, "--aa").default == "2"
    assert option(entry, "-a").default == "1"


def test_sub_commands(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        """
        import argparse
        p = argparse.ArgumentParser()
        p.add_argument("--seed")
        sub = p.add_subparsers(dest="command", required=True)
        train = sub.add_parser("train", aliases=["t"], help="trains")
        train.add_argument("--lr", required=True)
        test = sub.add_parser("test")
        test.add_argument("--ckpt")
        test.add_argument("--lr")
        test.add_argument("--seed")
        test.add_argument("split")
        args = p.parse_args()
        """,
    )
    assert names(entry) == ["--seed", "command", "--lr", "--ckpt", "--lr", "--seed", "split"]
    assert [o.command for o in entry.options if o.action != "help"] == [None, None, "train", "test", "test", "test", "test"]
    command = option(entry, "command")
    assert (command.choices, command.required, command.selects) == (("train", "t", "test"), True, True)
    assert entry.command_aliases == (("t", "train"),)
    assert not entry.open_ended
    train, test = entry.option("--lr", "train"), entry.option("--lr", "test")
    assert train is not None
    assert test is not None
    assert (train.required, test.required) == (True, False)
    assert entry.option("--ckpt", "train") is None
    assert (option(entry, "--seed").command, entry.option("--seed", "test") is option(entry, "--seed")) == (None, False)
    assert [o.name for o in entry.options_of("train") if o.action != "help"] == ["--seed", "command", "--lr"]
    assert [entry.command_of(words.split()) for words in ("--seed 1 t --lr 3", "test x", "--seed 1")] == ["train", "test", None]


def test_sub_commands_of_sub_commands(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        """
        import argparse
        p = argparse.ArgumentParser()
        sub = p.add_subparsers(dest="what")
        remote = sub.add_parser("remote").add_subparsers(dest="how")
        remote.add_parser("remove", aliases=["rm"]).add_argument("--force", action="store_true")
        p.parse_args()
        """,
    )
    force = option(entry, "--force")
    assert force.command == "remote remove"
    assert entry.command_aliases == (("remote rm", "remote remove"),)
    assert entry.command_of(["remote", "rm", "--force"]) == "remote remove"


def test_a_sub_command_with_the_programs_parser_for_a_parent(tmp_path: Path) -> None:
    code = "import argparse\np = argparse.ArgumentParser(add_help=False)\np.add_argument('--a')\nsub = p.add_subparsers()\n"
    entry = read_program(tmp_path, code + "sub.add_parser('x', parents=[p])\np.parse_args()\n")
    assert [(o.name, o.command) for o in entry.options if o.action != "help"] == [("--a", None), ("command", None), ("--a", "x")]


def test_a_sub_command_whose_name_is_made_at_run_time_demands_nothing(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        """
        import argparse, sys
        p = argparse.ArgumentParser()
        sub = p.add_subparsers()
        sub.add_parser(sys.platform).add_argument("--lr", required=True)
        p.parse_args()
        """,
    )
    assert (option(entry, "--lr").command, option(entry, "--lr").required) == (None, False)
    assert option(entry, "command").choices is None


@pytest.mark.parametrize(
    ("parse", "open_ended"),
    [
        ("p.parse_args()", False),
        ("p.parse_known_args()", True),
        ("p.parse_known_args()[0] if known else p.parse_args()", False),
        ("q = argparse.ArgumentParser()\nq.add_argument('--config')\n_, rest = q.parse_known_args()\np.parse_args(rest)", False),
        ("_, rest = p.parse_known_args()\nq = argparse.ArgumentParser()\nq.parse_known_args(rest)", True),
        ("known, _ = p.parse_known_args()\nadd_more(p)\np.parse_args()", True),
        ("p.parse_known_args()\np.parse_args(['--a', '1'])", True),
    ],
)
def test_who_lets_unknown_options_pass(tmp_path: Path, parse: str, open_ended: bool) -> None:
    head = "import argparse\nfrom elsewhere import add_more\np = argparse.ArgumentParser()\np.add_argument('--a')\n"
    entry = read_program(tmp_path, head + parse + "\n")
    assert entry.option("--a") is not None
    assert entry.open_ended is open_ended


def test_what_another_library_requires_may_come_from_elsewhere(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path, "import jsonargparse\np = jsonargparse.ArgumentParser()\np.add_argument('--a', required=True)\np.parse_args()\n"
    )
    assert (option(entry, "--a").required, option(entry, "--a").lenient) == (True, True)


def test_the_function_that_an_installed_command_calls(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/cli.py": """
                import argparse
                def other():
                    p = argparse.ArgumentParser()
                    p.add_argument("--b")
                    p.parse_args()
                def main():
                    p = argparse.ArgumentParser()
                    p.add_argument("--a")
                    p.parse_args()
                """,
            "pkg/door.py": "from pkg.cli import main\n",
        },
    )
    files = walk(tmp_path)
    for path in ("pkg/cli.py", "pkg/door.py"):
        entry = read_entry_point(files, path, "main")
        assert entry is not None
        assert names(entry) == ["--a"]


def test_what_is_a_program(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        {
            "options.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\ndef get():\n    return p.parse_args()\n",
            "module_level.py": "from options import get\nopt = get()\nprint(opt)\n",
            "library.py": "import argparse\nclass A:\n    pass\n",
            "guarded.py": "from options import get\ndef main():\n    return get()\nif __name__ == '__main__':\n    main()\n",
            "pkg/__init__.py": "",
            "pkg/cli.py": "from . import other\nimport argparse\nif __name__ == '__main__':\n    argparse.ArgumentParser().parse_args()\n",
            "pkg/other.py": "",
        },
    )
    assert sorted(found) == ["guarded.py", "module_level.py", "pkg/cli.py"]
    assert names(found["guarded.py"]) == names(found["module_level.py"]) == ["--a"]
    assert found["pkg/cli.py"].run == ("python", "-m", "pkg.cli")
