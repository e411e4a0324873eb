"""Kept entry points: what a fresh read would give, whatever has changed since; and only what has to be is read again."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import EntryPoint, read_entry_points
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.files import walk
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.store import Store, Tree
from ml_agent.repo.store.programs import kept_entry_points
from tests.pace import within
from tests.repo.store.support import write

PARSER = """\
import argparse


def make():
    parser = argparse.ArgumentParser()
    parser.add_argument('--{option}', type=int)
    return parser
"""
OWN = "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--{option}')\nparser.parse_args()\n"
HYDRA = """\
import hydra


@hydra.main(config_path='conf', config_name='config')
def main(cfg):
    pass


if __name__ == '__main__':
    main()
"""
INSTALLED = "from setuptools import setup\nsetup(package_dir={'': 'lib'})\n"


def fresh(root: Path) -> tuple[EntryPoint, ...]:
    return read_entry_points(walk(root))


def kept(root: Path, store: Store) -> tuple[EntryPoint, ...]:
    return kept_entry_points(Tree(walk(root), store), store)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "repository").mkdir()
    return tmp_path / "repository"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are parsed from now on."""
    found: list[str] = []
    real = Sources._parse

    def parse(self: Sources, path: str) -> object:
        found.append(path)
        return real(self, path)

    monkeypatch.setattr(Sources, "_parse", parse)
    return found


START: dict[str, str] = {
    "train.py": "from options import make\nargs = make().parse_args()\nprint(args)\n",
    "options.py": PARSER.format(option="lr"),
    "own.py": OWN.format(option="size"),
    "pkg/__init__.py": "",
    "pkg/run.py": "from .more import make\nif __name__ == '__main__':\n    make().parse_args()\n",
    "pkg/more.py": "from . import base\n\n\ndef make():\n    return base.make()\n",
    "pkg/base.py": PARSER.format(option="depth"),
    "named.py": "from pkg import make\nmake().parse_args()\nprint()\n",
    "through.py": "import pkg.base as b\nb.make().parse_args()\n",
    "beside.py": "import sys\nlr = 1\nexec(open('settings/config.py').read())\nprint(lr)\n",
    "settings/config.py": (
        "import sys\nfor word in sys.argv[1:]:\n    key, value = word.split('=')\n    assert key.startswith('--')\n"
        "    key = key[2:]\n    if key in globals():\n        globals()[key] = value\n"
    ),
    "hydra_run.py": HYDRA,
    "conf/config.yaml": "lr: 0.1\ndefaults:\n  - model: small\n",
    "conf/model/small.yaml": "width: 3\n",
    "run.sh": "source ./env.sh\necho start\n",
    "env.sh": "NAME=none\n",
    "plain.py": "x = 1\n",
    "lib/helper.py": "y = 2\n",
}

CHANGES: dict[str, Callable[[Path], object]] = {
    "the imported module": lambda root: write(root, {"options.py": PARSER.format(option="rate")}),
    "the program itself": lambda root: write(root, {"own.py": OWN.format(option="breadth")}),
    "two imports away": lambda root: write(root, {"pkg/base.py": PARSER.format(option="breadth")}),
    "the package now has the name": lambda root: write(root, {"pkg/__init__.py": PARSER.format(option="seed")}),
    "a package shadows a module": lambda root: write(root, {"options/__init__.py": PARSER.format(option="shadow")}),
    "a module shadows a package's": lambda root: write(root, {"pkg/base/__init__.py": PARSER.format(option="shadow")}),
    "the module is gone": lambda root: (root / "options.py").unlink(),
    "the package is none any more": lambda root: (root / "pkg/__init__.py").unlink(),
    "the package is gone": lambda root: shutil.rmtree(root / "pkg"),
    "the executed file": lambda root: write(root, {"settings/config.py": "x = 1\n"}),
    "the executed file is gone": lambda root: (root / "settings/config.py").unlink(),
    "a setting": lambda root: write(root, {"conf/config.yaml": "rate: 0.1\n"}),
    "a setting of a group": lambda root: write(root, {"conf/model/small.yaml": "height: 3\n"}),
    "another choice of a group": lambda root: write(root, {"conf/model/large.yaml": "width: 30\n"}),
    "a choice that is gone": lambda root: (root / "conf/model/small.yaml").unlink(),
    "what a script reads in": lambda root: write(root, {"env.sh": 'NAME="$1"\n'}),
    "what a script read in is gone": lambda root: (root / "env.sh").unlink(),
    "a plain file becomes a program": lambda root: write(root, {"plain.py": OWN.format(option="new")}),
    "a program becomes a plain file": lambda root: write(root, {"own.py": "x = 1\n"}),
    "a file moves": lambda root: (root / "own.py").rename(root / "lib/own.py"),
    "the place of packages": lambda root: write(
        root, {"setup.py": INSTALLED, "lib/options.py": PARSER.format(option="installed")}
    ),
    "a command is installed": lambda root: write(
        root, {"pyproject.toml": "[project]\nname = 'x'\n[project.scripts]\ngo = 'plain:go'\n",
               "plain.py": "from options import make\n\n\ndef go():\n    make().parse_args()\n"}
    ),
    "nothing": lambda root: None,
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_after_each_change_it_is_what_a_fresh_read_gives(root: Path, store: Store, change: str) -> None:
    write(root, START)
    assert kept(root, store) == fresh(root)
    CHANGES[change](root)
    assert kept(root, store) == fresh(root)
    assert kept(root, Store(store.path.parent if store.path else None)) == fresh(root)


def test_the_first_read_finds_all_kinds(root: Path, store: Store) -> None:
    write(root, START)
    options = {e.path: {o.name for o in e.options} for e in kept(root, store)}
    assert "--lr" in options["train.py"]
    assert "--depth" in options["pkg/run.py"]
    assert any("lr" in name for name in options["beside.py"])
    assert "model" in options["hydra_run.py"]
    assert "run.sh" in options


def test_a_second_read_parses_nothing_and_an_edit_what_leads_to_it(root: Path, store: Store, parsed: list[str]) -> None:
    write(root, START)
    kept(root, store)
    assert {"train.py", "options.py", "pkg/run.py"} <= set(parsed)
    assert "lib/helper.py" not in parsed
    parsed.clear()
    kept(root, store)
    assert parsed == []
    write(root, {"plain.py": "x = 2\n"})
    kept(root, store)
    assert parsed == []
    write(root, {"pkg/base.py": PARSER.format(option="breadth")})
    kept(root, store)
    assert {"pkg/run.py", "pkg/base.py"} <= set(parsed)
    assert {"hydra_run.py", "beside.py"}.isdisjoint(parsed)


def test_a_copy_of_the_repository_is_known(root: Path, store: Store, parsed: list[str], tmp_path: Path) -> None:
    write(root, START)
    first = kept(root, store)
    parsed.clear()
    shutil.copytree(root, tmp_path / "copy")
    assert kept(tmp_path / "copy", store) == first
    assert parsed == []


def test_a_module_that_git_ignores_is_read_each_time_though_no_file_changed(root: Path, store: Store) -> None:
    run = "import argparse\nfrom pkg.more import fill\np = argparse.ArgumentParser()\nfill(p)\np.parse_args()\n"
    write(root, {"run.py": run, "pkg/__init__.py": "", ".gitignore": "more.py\n"})
    for option in ("--lr", "--rate", "--size"):
        write(root, {"pkg/more.py": f"def fill(p):\n    p.add_argument('{option}')\n"})
        assert kept(root, store) == fresh(root)
        assert any(o.name == option for entry in kept(root, store) for o in entry.options)


def test_a_damaged_store_costs_time_only(root: Path, store: Store) -> None:
    write(root, START)
    kept(root, store)
    assert store.path is not None
    store.path.write_bytes(b"nonsense" * 1000)
    assert kept(root, Store(store.path.parent)) == fresh(root)


PLACES = tuple("a.py b.py c.py p/__init__.py p/a.py p/b.py p/q/__init__.py p/q/a.py src/a.py src/c.py d/__main__.py".split())
LINES = (
    "import a", "import b, c", "from a import make", "from b import *", "from p import a", "from p.a import make as m",
    "from p import make", "import p.q.a", "from . import a", "from . import make", "from .a import make", "from .q import a",
    "from ..a import make", "try: import c\nexcept ImportError: pass", "from p.q import (\n    a,  # the first, of two\n    make,\n)",
    "from b import a, \\\n    make",
)  # fmt: skip
ENDS = (
    "make().parse_args()",
    "a.make().parse_args()",
    "m().parse_args()",
    "def make():\n    return a.make()",
    "p.q.a.make().parse_args()",
    PARSER.format(option="x"),
    PARSER.format(option="y"),
    OWN.format(option="z"),
    "x = 1",
    "if __name__ == '__main__':\n    make().parse_args()",
    "exec(open('p/a.py').read())",
    "def make():\n    import b\n    return b.make()",
)
MODULE = st.builds(
    lambda lines, end: "\n".join([*lines, end]) + "\n", st.lists(st.sampled_from(LINES), max_size=3, unique=True), st.sampled_from(ENDS)
)
EDIT = st.tuples(st.sampled_from(PLACES), st.none() | MODULE)
"""A path, and its new text; None: it is removed."""


@settings(deadline=None, max_examples=int(os.environ.get("PROGRAMS_EXAMPLES", "40")))
@given(st.dictionaries(st.sampled_from(PLACES), MODULE, min_size=2), st.lists(EDIT, min_size=1, max_size=4))
def test_any_change_of_any_imports(files: dict[str, str], edits: list[tuple[str, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        root, store = Path(place).resolve() / "repository", Store(None)
        root.mkdir()
        write(root, files)
        assert kept(root, store) == fresh(root)
        for path, text in edits:
            if text is not None:
                write(root, {path: text})
            else:
                (root / path).unlink(missing_ok=True)
            assert kept(root, store) == fresh(root)


def test_hundreds_of_files_quickly(root: Path, store: Store) -> None:
    """Each file imports others at random: circles everywhere."""
    chance = random.Random(3)  # noqa: S311
    names = [f"m{n}" for n in range(300)]
    for name in names:
        others = "".join(f"from {other} import *\n" for other in chance.sample(names, 5))
        write(root, {f"{name}.py": others + (OWN.format(option=name) if chance.random() < 0.1 else "x = 1\n")})
    assert kept(root, store) == fresh(root)
    with within(1):
        kept(root, store)


def test_the_readers_are_not_loaded_for_what_is_known(root: Path, store: Store) -> None:
    write(root, START)
    kept(root, store)
    code = f"""if True:
        import sys
        from pathlib import Path
        from ml_agent.repo.index import RepoIndex
        from ml_agent.repo.store import Store
        index = RepoIndex(Path({str(root)!r}), store=Store(Path({str(store.path and store.path.parent)!r})), embedder=None)
        print(len(index.entry_points), len(index.symbols.exact("make")))
        heavy = "numpy scipy markdown_it pathspec yaml chromadb tree_sitter ml_agent.repo.entrypoints.argparse_reader".split()
        assert not [name for name in heavy if name in sys.modules], [name for name in heavy if name in sys.modules]
    """
    RepoIndex(root, store=store, embedder=None).symbols  # noqa: B018
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(len(fresh(root))), "3"]


def test_names_that_modules_import_from_one_another_without_end(root: Path, store: Store) -> None:
    loop = "from .q import a\nfrom .a import make\nmake().parse_args()\n"
    write(
        root,
        {"p/a.py": loop, "a.py": loop, "own.py": OWN.format(option="size"), "x.py": "from y import f\nf()\n", "y.py": "from x import f\n"},
    )
    assert [entry.path for entry in kept(root, store) if entry.options] == ["own.py"]
    assert kept(root, store) == fresh(root)


def test_a_program_is_read_anew_where_the_module_changes_that_sets_its_search_path(root: Path, store: Store) -> None:
    adds = "import sys\nsys.path.append('{}')\n"
    started = "import _init_paths\nfrom knobs import make\nif __name__ == '__main__':\n    make().parse_args()\n"
    files = {"nest/owls/knobs.py": PARSER.format(option="owls"), "nest/tea/knobs.py": PARSER.format(option="tea"), "nest/run.py": started}
    write(root, {**files, "nest/_init_paths.py": adds.format("owls")})
    for folder in ("owls", "tea", "lamps"):
        write(root, {"nest/_init_paths.py": adds.format(folder)})
        found = kept(root, store)
        assert found == fresh(root)
        assert [o.name for e in found for o in e.options if e.path == "nest/run.py" and o.action != "help"] == (
            [f"--{folder}"] if folder != "lamps" else []
        )
