from pathlib import Path

import pytest

from tests.repo.entrypoints.programs import option, read_program

KINDS = """
from enum import Enum
class Kind(Enum):
    HERON = "grey heron"
    EGRET = "egret"
"""


@pytest.mark.parametrize(
    ("choices", "values"),
    [
        ("[k.value for k in Kind]", ("grey heron", "egret")),
        ("[k.name.lower() for k in Kind]", ("heron", "egret")),
        ("list(Kind)", ("grey heron", "egret")),
        ("list(Kind), type=Kind", ("grey heron", "egret")),
        ("Kind.__members__", ("HERON", "EGRET")),
        ("list(Kind.__members__.keys())", ("HERON", "EGRET")),
        ("[*Kind.__members__, 'owl']", ("HERON", "EGRET", "owl")),
        ("list(Kind), type=lambda name: Kind[name]", None),  # names or values: the converter decides
        ("list(Pond)", None),
    ],
)
def test_choices_of_an_enum(tmp_path: Path, choices: str, values: tuple[str, ...] | None) -> None:
    text = f"""
import argparse
from kinds import Kind
class Pond:
    deep = 1
p = argparse.ArgumentParser()
p.add_argument("--kind", choices={choices})
p.parse_args()
"""
    entry = read_program(tmp_path, text, kinds=KINDS)
    assert option(entry, "--kind").choices == values
    assert bool(entry.unread) is (values is None)


@pytest.mark.parametrize(
    ("given", "names"),
    [("parents or []", ["--loud", "--owls"]), ("parents if parents else []", ["--owls"]), ("[] or parents", ["--loud", "--owls"])],
)
def test_a_default_for_what_may_be_none(tmp_path: Path, given: str, names: list[str]) -> None:
    text = f"""
import argparse
def make(parents=None):
    parents = {given}
    p = argparse.ArgumentParser(parents=parents, add_help=False)
    p.add_argument("--owls")
    return p
base = make()
more = argparse.ArgumentParser(add_help=False)
more.add_argument("--loud")
make([more]).parse_args()
"""
    assert sorted(o.name for o in read_program(tmp_path, text).options) == names


def test_what_is_empty_may_be_filled_elsewhere(tmp_path: Path) -> None:
    text = """
import argparse
table = {}
def fill():
    table["owl"] = 1
fill()
p = argparse.ArgumentParser()
p.add_argument("--owls", choices=list(table) or ["wren"])
p.parse_args()
"""
    assert option(read_program(tmp_path, text), "--owls").choices in (None, ("owl",))
