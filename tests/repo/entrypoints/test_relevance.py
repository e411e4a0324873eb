"""What a program's parser may be made by, however the program comes to it."""

import weakref
from pathlib import Path

import pytest

from ml_agent.repo.entrypoints.relevance import Relevance
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.files import walk
from tests.repo.entrypoints.programs import names, read_all


@pytest.mark.parametrize("package", ["from .reading import *", "from .reading import options"])
def test_a_function_that_the_package_hands_on(tmp_path: Path, package: str) -> None:
    reading = """
        import argparse

        def options():
            parser = argparse.ArgumentParser()
            parser.add_argument("config")
            return parser.parse_args()
        """
    run = "import birds\nargs = birds.options()\nprint(args)\n"
    found = read_all(tmp_path, {"bin/run.py": run, "birds/__init__.py": package, "birds/reading.py": reading})
    assert names(found["bin/run.py"]) == ["config"]


def test_a_module_is_looked_through_once_whatever_program_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lib.py").write_text("def make(p):\n    p.add_argument('--x')\n")
    sources = Sources(walk(tmp_path))
    module = sources.module("lib.py")
    assert module is not None
    make = module.tree.body[0]
    first = Relevance.of(sources, "a")
    assert first.node(module, make)
    monkeypatch.setattr("ml_agent.repo.entrypoints.relevance._WORD", None)
    second = Relevance.of(sources, "b")
    assert second is not first
    assert second.node(module, make)


def test_what_is_forgotten_is_read_anew_and_freed(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text("def make(p):\n    p.add_argument('--x')\n")
    sources = Sources(walk(tmp_path))
    module = sources.module("lib.py")
    assert module is not None
    assert Relevance.of(sources, ".").module(module)
    gone = weakref.ref(module)
    sources.forget()
    del module
    assert gone() is None
    again = sources.module("lib.py")
    assert again is not None
    assert Relevance.of(sources, ".").module(again)
