"""Commands of typer with decorators of others."""

from pathlib import Path

import pytest

from tests.repo.entrypoints.programs import names, read_program

PROGRAM = """
import functools
import typer
from nests import filled

app = typer.Typer()


def own(function):
    return function


@app.command()
{decorator}
def hatch(owls: int = 3):
    pass


if __name__ == "__main__":
    app()
"""


@pytest.mark.parametrize("decorator", ["@filled", "@filled()", "@filled.by('tea')"])
def test_a_decorator_of_another_package_may_add_options(tmp_path: Path, decorator: str) -> None:
    entry = read_program(tmp_path, PROGRAM.format(decorator=decorator))
    assert entry.open_ended
    assert [note.partition(" may add")[0] for note in entry.unread] == [f"options that {decorator.strip('@').partition('(')[0]}"]
    assert names(entry) == ["--owls"]


@pytest.mark.parametrize("decorator", ["@functools.wraps(print)", "@own", ""])
def test_a_decorator_that_leaves_the_parameters_alone(tmp_path: Path, decorator: str) -> None:
    entry = read_program(tmp_path, PROGRAM.format(decorator=decorator))
    assert (names(entry), entry.open_ended, entry.unread) == (["--owls"], False, ())
