"""Any words at all, beside click itself."""

import contextlib
import io
import shlex
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ml_agent.repo.index import RepoIndex
from tests.verify.support import bash, errors, repository

PROGRAM = """
import click

@click.group()
@click.option("--debug/--no-debug", "-d/-D")
@click.option("--level", "-l", type=click.IntRange(0, 5))
def cli(**kwargs):
    pass

@cli.command()
@click.option("--lr", type=float)
@click.option("--pair", "-p", nargs=2, type=int)
@click.option("--mode", type=click.Choice(["a", "b"]), required=True)
@click.option("-v", "--verbose", count=True)
@click.option("--maybe", is_flag=False, flag_value="x")
@click.argument("first", type=int)
@click.argument("rest", nargs=-1)
@click.argument("last", type=bool)
def train(**kwargs):
    pass

@cli.command()
@click.argument("what", required=False)
@click.option("--mode", multiple=True)
def show(**kwargs):
    pass

if __name__ == "__main__":
    cli()
"""


@cache
def index() -> RepoIndex:
    return repository(Path(tempfile.mkdtemp()), {"train.py": PROGRAM})


@cache
def real() -> Any:
    scope: dict[str, Any] = {"__name__": "program"}
    exec(PROGRAM, scope)  # noqa: S102 - our own text
    return scope["cli"]


def takes(words: list[str]) -> bool:
    import click

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            real().main(words, prog_name="train.py", standalone_mode=False)
        except click.exceptions.NoArgsIsHelpError:
            return False
        except click.ClickException:
            return False
    return True


_WORDS = (
    "train show --debug -d -D -dl --no-debug --level --level=3 -l3 -l 9 --lr --lr=0.1 -p -p1 1 2 --mode --mode=a a b -v -vv -vp x -1 "
    "true -- - --maybe --maybe=3 --help --nope -x --pair= --lr=x --verbose=1".split()
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(_WORDS), max_size=9))
@example(["train", "--mode", "a", "1", "true"])
@example(["train", "--mode", "a", "1", "x", "y", "true", "-vvp", "1", "2"])
@example(["show", "--mode", "-x"])
def test_the_same_command_lines_are_taken(words: list[str]) -> None:
    ahead = words[: words.index("--")] if "--" in words else ["train"]
    assume("train" in ahead or "show" in ahead)  # a group reads what stands behind its own `--` once more
    check = bash(index(), f"python train.py {shlex.join(words)}")
    assert (errors(check) == []) == takes(words), [f.message for f in check.findings]
