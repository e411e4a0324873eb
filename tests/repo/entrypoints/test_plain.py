from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import read_entry_point, read_entry_points
from ml_agent.repo.files import walk
from tests.repo.entrypoints.programs import read_all, read_program, write

GUARD = "if __name__ == '__main__':\n    main()\n"


def test_no_options(tmp_path: Path) -> None:
    entry = read_program(tmp_path, f'"""Does a thing."""\ndef main(): pass\n{GUARD}')
    assert (entry.kind, entry.options, entry.open_ended, entry.description) == ("plain", (), False, "Does a thing.")


@pytest.mark.parametrize("head", ["import click", "from typer import Typer", "import hydra", "import fire as f", "from helper import run"])
def test_options_that_are_not_read_leave_it_open(tmp_path: Path, head: str) -> None:
    entry = read_program(tmp_path, f"{head}\n{GUARD}", helper="import docopt\ndef run(): pass\n")
    assert (entry.kind, entry.open_ended) == ("plain", True)


@pytest.mark.parametrize(
    "text",
    [
        "exec(open('settings.py').read())",
        "from fast_cli import parse\nmain(**parse())",
        "from tools_of_others import get_args\nargs = get_args()",
        "import helper2",
        "import runpy\nrunpy.run_path('x.py')",
    ],
)
def test_what_may_read_options_out_of_sight_leaves_it_open(tmp_path: Path, text: str) -> None:
    assert read_program(tmp_path, f"def main(): pass\n{text}\n{GUARD}", helper2="import sys\nwords = sys.argv[1:]\n").open_ended


@pytest.mark.parametrize("text", ["model.eval()", "def get_options(): pass\nget_options()", "import json\njson.loads('1')"])
def test_what_is_no_sign_of_options(tmp_path: Path, text: str) -> None:
    assert not read_program(tmp_path, f"{text}\n{GUARD}").open_ended


def test_words_by_number(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        f"import sys\npath = sys.argv[1]\nif len(sys.argv) > 2:\n    count = int(sys.argv[2])\n{GUARD}",
    )
    assert [(o.name, o.required, o.nargs, o.source) for o in entry.options] == [
        ("path", True, None, "train.py:2"),
        ("count", False, "?", "train.py:4"),
    ]
    assert not entry.open_ended


@pytest.mark.parametrize("use", ["files = sys.argv[1:]", "main(sys.argv)", "x = sys.argv[n]"])
def test_words_without_a_number(tmp_path: Path, use: str) -> None:
    assert read_program(tmp_path, f"import sys\n{use}\n{GUARD}").open_ended


def test_all_further_words_and_defaults(tmp_path: Path) -> None:
    text = (
        "import sys\nmodel = sys.argv[1] if len(sys.argv) > 1 else 'owl-base'\nother = sys.argv[2]\nsubsets = sys.argv[3:]\n"
        "for subset in subsets:\n    model.score(subset)\n"
    )
    entry = read_program(tmp_path, text)
    assert [(o.name, o.default, o.nargs) for o in entry.options] == [
        ("model", "'owl-base'", "?"),
        ("other", None, None),
        ("subsets", None, "*"),
    ]
    assert entry.open_ended
    late = read_program(tmp_path, "import sys\nfirst = sys.argv[1:]\nthird = sys.argv[3]\n")
    assert [o.name for o in late.options] == ["argument1", "argument2", "third"]


def test_a_file_that_takes_words_can_be_run(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "import sys\nname = sys.argv[1]\nfor k in name:\n    k.run_it()\n", "b.py": "import sys\nx = sys.path[1]\n"})
    assert [e.path for e in read_entry_points(walk(tmp_path))] == ["a.py"]


def test_what_does_not_say_that_it_can_be_run(tmp_path: Path) -> None:
    write(tmp_path, {"model.py": "class Model:\n    pass\n", "demo.py": "from model import Model\nMODEL = Model()\n"})
    files = walk(tmp_path)
    assert read_entry_points(files) == ()
    entry = read_entry_point(files, "demo.py")
    assert entry is not None
    assert (entry.kind, entry.run) == ("plain", ("python", "demo.py"))
    assert read_entry_point(files, "nosuch.py") is None
    assert read_entry_point(files, "../demo.py") is None


@pytest.mark.parametrize(
    "text",
    [
        "print('Lamps: 3')",
        "for lamp in (1, 2):\n    print(lamp)",
        "import tools\nwith tools.session() as s:\n    s.x()",
        "def light():\n    pass\nlight()",
        "import lamps\nlamp = lamps.Lamp()\nlamp.fit(3)",
    ],
)
def test_a_script_without_a_guard(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"burn_lamp.py": f"{text}\n"})
    assert [(e.path, e.kind, e.run) for e in read_entry_points(walk(tmp_path))] == [("burn_lamp.py", "plain", ("python", "burn_lamp.py"))]


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nsys.path.append('..')",
        "import logging\nlogging.basicConfig()",
        "TABLE = {}\nfor k in range(3):\n    TABLE[k] = k",
        "def light():\n    print(1)",
        "from registry import register\nregister('lamp')",
    ],
)
def test_a_module_that_only_prepares_itself_is_no_script(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"lamps.py": f"{text}\n", "pkg/__init__.py": "print('pkg')\n"})
    assert read_entry_points(walk(tmp_path)) == ()


def test_a_setup_script_can_be_run(tmp_path: Path) -> None:
    write(tmp_path, {"setup.py": "from setuptools import setup\nsetup(name='lamps')\n", "other.py": "from x import setup\nsetup()\n"})
    assert [e.path for e in read_entry_points(walk(tmp_path))] == ["setup.py"]


def test_a_module_that_is_run_by_name(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        {"pkg/__init__.py": "", "pkg/__main__.py": "print(1)\n", "src/lib/__init__.py": "", "src/lib/x.py": f"from . import y\n{GUARD}"},
    )
    assert {p: e.run for p, e in found.items()} == {"pkg/__main__.py": ("python", "-m", "pkg"), "src/lib/x.py": ("python", "-m", "lib.x")}


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "x = " + "-" * 100_000 + "1",
        "if __name__ == '__main__':\n  \0",
        "def f(:\n",
        "# __main__\n" + "a" * 2_000_000,
        "x = '\\ud800'\n",
        "'\\d'\n" * 10,
    ],
    ids=lambda t: repr(t[:12]),
)
def test_hostile_files(tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_bytes(f"__main__ = 'argparse'\n{text}".encode())
    (tmp_path / "b.py").write_text(GUARD)
    files = walk(tmp_path)
    assert [e.path for e in read_entry_points(files) if e.path != "a.py"] == ["b.py"]
    entry = read_entry_point(files, "a.py")
    assert entry is not None
    assert capfd.readouterr().err == ""


def test_a_file_whose_name_does_not_decode(tmp_path: Path) -> None:
    import os

    (tmp_path / os.fsdecode(b"\xff.py")).write_text(
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\np.parse_args()\n"
    )
    (entry,) = read_entry_points(walk(tmp_path))
    assert entry.path == "\udcff.py"
    assert entry.options[0].name == "--a"


def test_variables_of_the_environment(tmp_path: Path) -> None:
    text = (
        "import os\nBASE = os.environ.get('BASE_MODEL', None)\nSIZE = int(os.getenv('SIZE', 8))\nos.environ['SET'] = '1'\n"
        "print(os.environ['OUT'], os.environ.get('HOME'), os.environ.get(BASE), os.environ.get('not a name'))\n"
    )
    found = read_program(tmp_path, text).environment
    assert [(o.name, o.default, o.assigned, o.source) for o in found] == [
        ("BASE_MODEL", None, True, "train.py:2"),
        ("SIZE", "8", True, "train.py:3"),
        ("OUT", None, True, "train.py:5"),
    ]
