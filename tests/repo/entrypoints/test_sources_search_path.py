"""Programs whose parser lies in a folder that they put on `sys.path` themselves."""

from pathlib import Path

import pytest

from tests.repo.entrypoints.programs import names, read_all

KNOBS = """\
import argparse


def make():
    parser = argparse.ArgumentParser()
    parser.add_argument('--owls')
    return parser


def get():
    return make().parse_args()
"""
ADDS = "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'lib'))\n"
TAKES = "from knobs import make\n\nif __name__ == '__main__':\n    make().parse_args()\n"
HELPED = "from helper import fetch\n\nif __name__ == '__main__':\n    print(fetch())\n"
HELPER = "from knobs import get\n\n\ndef fetch():\n    return get()\n"
FILES = {"nest/lib/knobs.py": KNOBS, "nest/_init_paths.py": ADDS, "nest/helper.py": HELPER}


@pytest.mark.parametrize("adds", [ADDS, "import _init_paths\n", "from _init_paths import *\n"])
@pytest.mark.parametrize("takes", [TAKES, HELPED])
@pytest.mark.parametrize(("program", "other"), [("nest/a.py", "nest/b.py"), ("nest/b.py", "nest/a.py")])
def test_the_parser_of_a_folder_that_the_program_adds(tmp_path: Path, adds: str, takes: str, program: str, other: str) -> None:
    found = read_all(tmp_path, {**FILES, program: adds + takes, other: takes})
    assert names(found[program]) == ["--owls"]
    assert names(found[other]) == []  # it does not look there, whichever is read first


def test_what_lies_beside_the_program_comes_first(tmp_path: Path) -> None:
    own = KNOBS.replace("owls", "tea")
    assert names(read_all(tmp_path, {**FILES, "nest/knobs.py": own, "nest/a.py": ADDS + TAKES})["nest/a.py"]) == ["--tea"]
