from pathlib import Path

import pytest

from ml_agent.repo.entrypoints.console_scripts import ConsoleScript, by_path, console_scripts
from ml_agent.repo.files import walk
from tests.repo.entrypoints.programs import write

PACKAGE = {"pkg/__init__.py": "", "pkg/cli.py": "def main(): pass\n"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", '[project.scripts]\ntool = "pkg.cli:main"\n'),
        ("pyproject.toml", '[tool.poetry.scripts]\ntool = "pkg.cli:main"\n'),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    tool = pkg.cli:main\n    other = elsewhere:main\n"),
        ("setup.py", "from setuptools import setup\nsetup(entry_points={'console_scripts': ['tool=pkg.cli:main [extra]']})\n"),
        ("pyproject.toml", '[tool.flit.scripts]\ntool = "pkg.cli:main"\n'),
        ("setup.py", 'setup(entry_points="""\n[console_scripts]\ntool = pkg.cli:main\n[other]\nno = pkg.cli:main\n""")\n'),
        ("setup.py", 'E = {"console_scripts": """\ntool = pkg.cli:main\n"""}\n'),
    ],
)
def test_where_they_are_declared(tmp_path: Path, path: str, text: str) -> None:
    write(tmp_path, {**PACKAGE, path: text})
    assert console_scripts(walk(tmp_path)) == {"tool": ConsoleScript("tool", "pkg/cli.py", "main")}


def test_from_the_folder_of_the_project(tmp_path: Path) -> None:
    write(tmp_path, {"sub/pkg/__init__.py": "def run(): pass\n", "sub/pyproject.toml": '[project.scripts]\ntool = "pkg:run"\n'})
    assert console_scripts(walk(tmp_path))["tool"].path == "sub/pkg/__init__.py"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", "[project"),
        ("pyproject.toml", "project = 3\n"),
        ("pyproject.toml", "[project.scripts]\ntool = 3\n"),
        ("setup.cfg", "no section\n"),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts = %(nope)s\n"),
        ("setup.py", "def broken(:\n"),
        ("setup.py", "setup(entry_points=read())\n"),
    ],
)
def test_what_cannot_be_read_declares_nothing(tmp_path: Path, path: str, text: str) -> None:
    write(tmp_path, {**PACKAGE, path: text})
    assert console_scripts(walk(tmp_path)) == {}


def test_by_the_file_that_they_call() -> None:
    one, same, other = (
        ConsoleScript("owl", "owl/cli.py", "main"),
        ConsoleScript("o", "owl/cli.py", "main"),
        ConsoleScript("owl-fly", "owl/cli.py", "fly"),
    )
    assert by_path({"owl": one, "o": same, "owl-fly": other}) == {"owl/cli.py": [one, other]}
