"""Options that are made of dictionaries, in a loop of a helper."""

import ast
from pathlib import Path

import pytest

from ml_agent.repo.entrypoints.dictionaries import changes_dict, makes_dict
from tests.repo.entrypoints.programs import names, option, read_all, read_program

SETTINGS = """
import argparse

def roof():
    return dict(tiles=400, slope=0.5, flat=False, colour=None)

def whole():
    found = dict(floors=2)
    found.update(roof())
    return found

def boolean(text):
    return text == "yes"

def add(parser, settings):
    for name, value in settings.items():
        kind = type(value)
        if value is None:
            kind = str
        elif isinstance(value, bool):
            kind = boolean
        parser.add_argument(f"--{name}", default=value, type=kind)
"""
PROGRAM = """
import argparse
from settings import add, roof, whole
def parser():
    settings = {made}
    {change}
    parser = argparse.ArgumentParser()
    add(parser, settings)
    return parser
if __name__ == "__main__":
    parser().parse_args()
"""


@pytest.mark.parametrize(
    ("made", "change", "expected"),
    [
        ("dict(seed=1)", "settings.update(roof())", ["--seed", "--tiles", "--slope", "--flat", "--colour"]),
        ("dict(seed=1)", "settings.update(whole())", ["--seed", "--floors", "--tiles", "--slope", "--flat", "--colour"]),
        ("{**roof(), 'seed': 1}", "settings['late'] = 2", ["--tiles", "--slope", "--flat", "--colour", "--seed", "--late"]),
        ("roof()", "settings |= dict(seed=1)", ["--tiles", "--slope", "--flat", "--colour", "--seed"]),
        ("dict(roof(), seed=1)", "settings.pop('tiles')", ["--seed", "--slope", "--flat", "--colour"]),
        ("dict(seed=1)", "settings.update(seed=2, other=3)", ["--seed", "--other"]),
    ],
)
def test_a_dictionary_that_is_changed_before_options_are_made_of_it(tmp_path: Path, made: str, change: str, expected: list[str]) -> None:
    entry = read_program(tmp_path, PROGRAM.format(made=made, change=change), settings=SETTINGS)
    assert sorted(names(entry)) == sorted(expected)
    assert not entry.open_ended


def test_types_that_the_loop_decides(tmp_path: Path) -> None:
    entry = read_program(tmp_path, PROGRAM.format(made="whole()", change=""), settings=SETTINGS)
    kinds = [option(entry, name).type for name in ("--tiles", "--slope", "--flat", "--colour", "--floors")]
    assert kinds == ["int", "float", "boolean", "str", "int"]


@pytest.mark.parametrize("change", ["settings.update(elsewhere())", "settings[elsewhere()] = 1", "settings.update(**elsewhere())"])
def test_what_is_not_known_of_a_change_leaves_the_options_open(tmp_path: Path, change: str) -> None:
    text = "from somewhere import elsewhere\n" + PROGRAM.format(made="dict(seed=1)", change=change)
    entry = read_program(tmp_path, text, settings=SETTINGS)
    assert names(entry) == ["--seed"]
    assert entry.open_ended


def test_a_function_that_changes_the_dictionary_it_is_given(tmp_path: Path) -> None:
    more = SETTINGS + "\ndef extend(settings):\n    settings['added'] = 1\n"
    text = PROGRAM.format(made="dict(seed=1)", change="extend(settings)").replace("add, roof", "add, extend, roof")
    assert names(read_program(tmp_path, text, settings=more)) == ["--seed", "--added"]


def test_sub_commands_stand_where_they_are_declared(tmp_path: Path) -> None:
    text = """
    import argparse
    p = argparse.ArgumentParser()
    p.add_argument("first")
    s = p.add_subparsers(dest="what")
    s.add_parser("lay")
    p.add_argument("last")
    p.parse_args()
    """
    assert names(read_all(tmp_path, {"a.py": text})["a.py"]) == ["first", "what", "last"]


def _function(text: str) -> ast.FunctionDef:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(): return {}", True),
        ("def f():\n    a = dict(x=1)\n    a['y'] = 2\n    return a", True),
        ("def f():\n    a = g()\n    a.update(x=1)\n    return a", True),
        ("def f():\n    a = g()\n    return a", False),
        ("def f(x):\n    if x:\n        a = {}\n    else:\n        a = {1: 2}\n    return a", False),
        ("def f(x):\n    if x:\n        return {}\n    return {1: 2}", False),
        ("def f(): return [1]", False),
        ("def f(): return", False),
    ],
)
def test_functions_that_make_a_dictionary(text: str, expected: bool) -> None:
    assert makes_dict(_function(text)) is expected


def test_functions_that_change_one() -> None:
    assert changes_dict(_function("def f(d): d['a'] = 1"))
    assert changes_dict(_function("def f(d): d.update(a=1)"))
    assert not changes_dict(_function("def f(d): return d['a']"))
