from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import EntryPoint, Option
from tests.repo.entrypoints.programs import names, read_all, read_program


def option(entry: EntryPoint, spelling: str) -> Option:
    found = entry.option(spelling)
    assert found is not None, names(entry)
    return found


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
    code = f"import argparse, pathlib, helpers\ndef str2bool(v): return v\np = argparse.ArgumentParser()\np.add_argument('--x', type={written})\np.parse_args()\n"
    entry = read_program(tmp_path, code, helpers="def parse_size(s):\n    return s\n")
    assert option(entry, "--x").type == kind


def test_parsers_made_and_filled_elsewhere(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        {
            "train.py": """
                from options import get_parser
                from lib.more import add_more, Model
                import lib.opts as opts
                def main(args):
                    pass
                def add_own(parser, *, prefix="x"):
                    parser.add_argument("--own-" + prefix)
                    return parser
                if __name__ == "__main__":
                    parser = add_own(get_parser(), prefix="y")
                    add_more(parser)
                    Model.add_args(parser)
                    Model.add_static(parser)
                    opts.fill(parser.add_argument_group("group"))
                    main(parser.parse_args())
                """,
            "options.py": "import argparse\ndef get_parser():\n    parser = argparse.ArgumentParser('x')\n    parser.add_argument('--base')\n    return parser\n",
            "lib/__init__.py": "",
            "lib/more.py": """
                def add_more(p):
                    add = p.add_argument
                    add("--more")
                class Model:
                    @classmethod
                    def add_args(cls, parser):
                        parser.add_argument("--model")
                    @staticmethod
                    def add_static(parser):
                        parser.add_argument("--static")
                """,
            "lib/opts.py": "def fill(group):\n    group.add_argument('--grouped')\n",
        },
    )
    assert list(found) == ["train.py"]
    entry = found["train.py"]
    assert names(entry) == ["--base", "--own-y", "--more", "--model", "--static", "--grouped"]
    assert option(entry, "--base").source == "options.py:4"
    assert option(entry, "--more").source == "lib/more.py:4"
    assert not entry.open_ended


def test_option_classes_with_inheritance_across_modules(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        {
            "train.py": "from options.train_options import TrainOptions\nif __name__ == '__main__':\n    opt = TrainOptions().parse()\n",
            "options/__init__.py": "",
            "options/base_options.py": """
                import argparse
                class BaseOptions:
                    def __init__(self):
                        self.initialized = False
                    def initialize(self, parser):
                        parser.add_argument("--dataroot", required=True)
                        self.initialized = True
                        return parser
                    def gather_options(self):
                        if not self.initialized:
                            parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
                            parser = self.initialize(parser)
                        opt, _ = parser.parse_known_args()
                        setter = get_option_setter(opt.model)
                        parser = setter(parser, True)
                        self.parser = parser
                        return parser.parse_args()
                    def parse(self):
                        self.opt = self.gather_options()
                        return self.opt
                """,
            "options/train_options.py": """
                from .base_options import BaseOptions
                class TrainOptions(BaseOptions):
                    def initialize(self, parser):
                        parser = BaseOptions.initialize(self, parser)
                        parser.add_argument("--niter", type=int, default=100)
                        return parser
                """,
        },
    )
    entry = found["train.py"]
    assert names(entry) == ["--dataroot", "--niter"]
    assert option(entry, "--dataroot").required
    assert entry.open_ended
    assert any("setter" in note for note in entry.unread)


@pytest.mark.parametrize("call", ["super().__init__(description='d')", "super(Options, self).__init__(description='d')"])
def test_a_subclass_of_the_parser(tmp_path: Path, call: str) -> None:
    entry = read_program(
        tmp_path,
        f"""
        import argparse
        class Options(argparse.ArgumentParser):
            def __init__(self):
                {call}
                self.add_argument("--own")
        args = Options().parse_args()
        """,
    )
    assert (names(entry), entry.description) == (["--own"], "d")


def test_a_class_that_keeps_its_parser(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        """
        import argparse
        class Args:
            def __init__(self):
                self.parser = argparse.ArgumentParser()
                self._common()
            def _common(self):
                self.parser.add_argument("--a")
            def get(self):
                return self.parser.parse_args()
        if __name__ == "__main__":
            Args().get()
        """,
    )
    assert names(entry) == ["--a"]


def test_names_made_in_loops(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        """
        import argparse
        p = argparse.ArgumentParser()
        for name, value in {"lr": 0.1, "epochs": 3}.items():
            p.add_argument(f"--{name}", type=type(value), default=value)
        for name in ["a", "b"]:
            p.add_argument("--%s" % name)
        p.parse_args()
        """,
    )
    assert names(entry) == ["--lr", "--epochs", "--a", "--b"]
    assert (option(entry, "--lr").type, option(entry, "--epochs").default) == ("float", "3")
    assert not entry.open_ended


def test_names_that_are_not_known_are_said(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\nfor n in load():\n    p.add_argument('--' + n)\np.parse_args()\n",
    )
    assert names(entry) == ["--a"]
    assert entry.open_ended
    assert entry.unread == ("an option whose name is made at run time at train.py:5",)


@pytest.mark.parametrize(
    "code",
    [
        "args, rest = p.parse_known_args()",
        "library.add_arguments(p)\np.parse_args()",
        "p = Trainer.add_argparse_args(p)\np.parse_args()",
    ],
)
def test_open_ended(tmp_path: Path, code: str) -> None:
    text = f"import argparse, library\nfrom lightning import Trainer\np = argparse.ArgumentParser()\np.add_argument('--a')\n{code}\n"
    entry = read_program(tmp_path, text)
    assert (names(entry), entry.open_ended) == (["--a"], True)


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
            "options.py": "import argparse\ndef get():\n    p = argparse.ArgumentParser()\n    p.add_argument('--a')\n    return p.parse_args()\n",
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


def test_a_decorator_or_a_launcher_hides_the_call(tmp_path: Path) -> None:
    text = """
        import argparse, torch.multiprocessing as mp
        @record
        def main(rank):
            p = argparse.ArgumentParser()
            p.add_argument("--a")
            p.parse_args()
        if __name__ == "__main__":
            %s
        """
    for call in ("main()", "mp.spawn(main, nprocs=2)", "launch(functools.partial(main, 0))", "run_somehow('main')"):
        assert names(read_program(tmp_path, text % call)) == ["--a"]


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        "import a\nfrom a import get\nif __name__ == '__main__':\n    get().parse_args()\n",
        a="from b import *\nfrom b import get\nimport argparse\n",
        b="from a import *\nimport a, argparse\ndef get():\n    p = argparse.ArgumentParser()\n    p.add_argument('--a')\n    return p\n",
    )
    assert names(entry) == ["--a"]


@pytest.mark.parametrize(
    "body",
    [
        "def f(p):\n    f(p)\n    p.add_argument('--b')\nf(p)",
        "while True:\n    p.add_argument('--b')\n    break",
        "x = p\nfor i in range(10**9):\n    p.add_argument('--b')",
        "s = '--b'\nfor i in range(100):\n    s = s + s\np.add_argument('--b')",
        "p.add_argument('--b', help='%99999999999d' % 1)",
        "p.add_argument('--b', default=10**10**10)",
        "p.add_argument('--b', default='{:99999999999}'.format(1))",
        "p.add_argument('--b', default=f'{1:99999999999}')",
        "p.add_argument('--b')\nx = " + "f(" * 90 + ")" * 90,
        "class A(A): pass\nclass B(C): pass\nclass C(B):\n    def f(self): self.f()\nB().f(p)\np.add_argument('--b')",
    ],
)
def test_programs_that_would_not_end(tmp_path: Path, body: str) -> None:
    entry = read_program(tmp_path, f"import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\n{body}\np.parse_args()\n")
    assert names(entry)[:2] == ["--a", "--b"]


def test_a_program_that_is_too_long_is_said_to_be(tmp_path: Path) -> None:
    body = "".join(f"def f{i}(p):\n    f{i + 1}(p); f{i + 1}(p); f{i + 1}(p); f{i + 1}(p)\n" for i in range(20))
    main = "if __name__ == '__main__':\n    p = argparse.ArgumentParser()\n    p.add_argument('--a')\n    f0(p)\n    p.parse_args()\n"
    entry = read_program(tmp_path, f"import argparse\n{body}def f20(p): p.add_argument('--b')\n{main}")
    assert entry.open_ended
    assert "--a" in names(entry)
    assert "too long" in entry.unread[0]
