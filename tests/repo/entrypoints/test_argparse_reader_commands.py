"""Sub-commands that a program runs although its command line names none."""

from pathlib import Path

import pytest

from tests.repo.entrypoints.programs import read_program

PROGRAM = """
import argparse, sys
p = argparse.ArgumentParser()
commands = p.add_subparsers(dest="command")
commands.add_parser("brew").add_argument("--leaves")
commands.add_parser("taste").add_argument("--cup")
if len(sys.argv) > 1 and sys.argv[1] not in commands.choices:
    sys.argv.insert(1, {name!r})
p.parse_args()
"""


@pytest.mark.parametrize(
    ("words", "command"),
    [(["--leaves", "oolong"], "brew"), (["taste", "--cup", "a"], "taste"), (["brew"], "brew"), (["--help"], None), ([], None)],
)
def test_the_one_that_is_put_in_where_none_is_given(tmp_path: Path, words: list[str], command: str | None) -> None:
    assert read_program(tmp_path, PROGRAM.format(name="brew")).command_of(words) == command


def test_what_is_put_in_may_be_something_else(tmp_path: Path) -> None:
    assert read_program(tmp_path, PROGRAM.format(name="--verbose")).default_command is None
