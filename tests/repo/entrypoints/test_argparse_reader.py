from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import Option
from tests.repo.entrypoints.programs import names, option, read_all, read_program


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
        args = p.parse_args()
        """,
    )
    assert names(entry) == ["--seed", "command", "--lr", "--ckpt"]
    assert (option(entry, "command").choices, option(entry, "command").required) == (("train", "t", "test"), True)
    assert not option(entry, "--lr").required


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
