from pathlib import Path

import pytest

from tests.repo.entrypoints.programs import names, option, read_all, read_program


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
            "options.py": "import argparse\np = argparse.ArgumentParser()\ndef get_parser():\n    p.add_argument('--base')\n    return p\n",
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
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\nfor n in load():\n    p.add_argument(n)\np.parse_args()\n",
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
        "library.fill(p)\nq = argparse.ArgumentParser(parents=[p], add_help=False)\nq.parse_args()",
        "q = argparse.ArgumentParser(parents=[p, library.parser()])\nq.parse_args()",
    ],
)
def test_open_ended(tmp_path: Path, code: str) -> None:
    text = f"import argparse, library\nfrom lightning import Trainer\np = argparse.ArgumentParser()\np.add_argument('--a')\n{code}\n"
    entry = read_program(tmp_path, text)
    assert (names(entry), entry.open_ended) == (["--a"], True)


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


def test_sub_commands_that_a_list_of_classes_adds(tmp_path: Path) -> None:
    base = """
        class Bird:
            @classmethod
            def add(cls, subparsers):
                cls.fill(subparsers.add_parser(cls.NAME))
    """
    birds = "".join(
        f"class B{n}(Bird):\n    NAME = 'bird{n}'\n    @classmethod\n    def fill(cls, parser):\n        parser.add_argument('--n{n}')\n"
        for n in range(5)
    )
    entry = read_program(
        tmp_path,
        "import argparse\nfrom base import Bird\n"
        + birds
        + "p = argparse.ArgumentParser()\nsub = p.add_subparsers(dest='bird')\n"
        + "for bird in [B0, B1, B2, B3, B4]:\n    bird.add(sub)\np.parse_args()\n",
        base=base,
    )
    assert option(entry, "bird").choices == ("bird0", "bird1", "bird2", "bird3", "bird4")
    assert option(entry, "--n4").command == "bird4"
