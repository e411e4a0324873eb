"""Files that installed commands call: what they take is what the called function reads."""

from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import reading
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.reading import read_started
from ml_agent.repo.files import walk
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.store import Store
from tests.repo.entrypoints.programs import names, option, read_all, write

TOOL = """
    from argparse import ArgumentParser

    def main():
        parser = ArgumentParser()
        sub = parser.add_subparsers(dest="mode", required=True)
        grow = sub.add_parser("grow")
        grow.add_argument("--height", type=int)
        args = parser.parse_args()
    """
GROUP = """
    import click

    @click.group()
    def owl():
        pass

    @owl.command()
    @click.option("--feathers", type=int)
    def moult(feathers):
        pass
    """
TWO = """
    import argparse

    def sing():
        argparse.ArgumentParser().parse_args()

    def fly():
        parser = argparse.ArgumentParser()
        parser.add_argument("--far")
        parser.parse_args()
    """


def scripts(*lines: str) -> str:
    return "[project]\nname = 'owl'\n[project.scripts]\n" + "\n".join(lines) + "\n"


def test_a_module_that_only_defines_is_what_its_command_calls(tmp_path: Path) -> None:
    files = {"pyproject.toml": scripts("tree = 'owl.cli:main'"), "owl/__init__.py": "", "owl/cli.py": TOOL}
    entry = read_all(tmp_path, files)["owl/cli.py"]
    assert (entry.kind, entry.run) == ("argparse", ("tree",))
    assert option(entry, "mode").choices == ("grow",)
    assert option(entry, "--height").command == "grow"


def test_so_is_a_group_of_click(tmp_path: Path) -> None:
    files = {"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    owl = owl.cli:owl\n", "owl/__init__.py": "", "owl/cli.py": GROUP}
    assert option(read_all(tmp_path, files)["owl/cli.py"], "--feathers").command == "moult"


def test_commands_that_take_different_options_are_not_one_program(tmp_path: Path) -> None:
    files = {"pyproject.toml": scripts("sing = 'owl.cli:sing'", "fly = 'owl.cli:fly'"), "owl/__init__.py": "", "owl/cli.py": TWO}
    assert "--far" not in names(found) if (found := read_all(tmp_path, files).get("owl/cli.py")) else True


GUARDED = TOOL + "\n    if __name__ == '__main__':\n        main()\n"


def test_a_file_is_started_by_its_command(tmp_path: Path) -> None:
    files = {"pyproject.toml": scripts("tree = 'owl.cli:main'"), "owl/__init__.py": "", "owl/cli.py": GUARDED}
    entry = read_all(tmp_path, files)["owl/cli.py"]
    assert entry.run == ("tree",)
    assert option(entry, "mode").choices == ("grow",)


def test_but_not_by_one_of_several_that_take_something_else(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": scripts("sing = 'owl.cli:sing'", "tree = 'owl.cli:main'"),
        "owl/__init__.py": "",
        "owl/cli.py": TWO + GUARDED,
    }
    assert read_all(tmp_path, files)["owl/cli.py"].run == ("python", "owl/cli.py")


def test_a_package_is_started_as_such(tmp_path: Path) -> None:
    files = {"pyproject.toml": scripts("tree = 'owl.__main__:main'"), "owl/__init__.py": "", "owl/__main__.py": GUARDED}
    assert read_all(tmp_path, files)["owl/__main__.py"].run == ("python", "-m", "owl")


def test_a_command_of_a_module_that_works_when_it_is_imported(tmp_path: Path) -> None:
    works = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--far')\nparser.parse_args()\n"
    files = {"setup.py": "E = {'console_scripts': ['fly = owl.fly']}\n", "owl/__init__.py": "", "owl/fly.py": works}
    entry = read_all(tmp_path, files)["owl/fly.py"]
    assert (entry.run, names(entry)) == (("fly",), ["--far"])


def test_one_alone_and_all_of_the_index_are_read_alike(tmp_path: Path) -> None:
    root = tmp_path / "owl"
    write(root, {"pyproject.toml": scripts("tree = 'owl.cli:main'"), "owl/__init__.py": "", "owl/cli.py": TOOL, "plain.py": "x = 1\n"})
    index = RepoIndex(root, store=Store(tmp_path / "cache"))
    alone = index.entry_point("owl/cli.py")
    assert alone is not None
    assert alone in RepoIndex(root, store=Store(tmp_path / "cache")).entry_points
    plain = read_started(walk(root), "plain.py", ())
    assert plain is not None
    assert plain.options == ()


def test_a_reader_that_fails_costs_its_own_program_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def owl(program: Program) -> None:
        if program.path == "owl.py":
            raise ValueError("hoo")

    monkeypatch.undo()  # here it is said, and not raised
    monkeypatch.setattr(reading, "READERS", (owl, *reading.READERS))
    program = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--nest')\nparser.parse_args()\n"
    found = read_all(tmp_path, {"owl.py": program, "wren.py": program})
    assert names(found["wren.py"]) == ["--nest"]
    assert found["owl.py"].open_ended
    assert "ml-agent's own reader fails on it" in found["owl.py"].unread[0]
    assert "ValueError: hoo" in found["owl.py"].unread[0]
