"""Any words at all, beside Fire itself."""

import contextlib
import importlib
import io
import shlex
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ml_agent.repo.index import RepoIndex
from tests.verify.support import bash, errors, repository

PROGRAM = """
import fire

class Trainer:
    def __init__(self, seed=0, name="a"):
        self._seed = seed

    def train(self, data, lr=0.1, deep=False):
        pass

    def show_all(self, *what):
        pass

if __name__ == "__main__":
    fire.Fire(Trainer)
"""


@cache
def index() -> RepoIndex:
    return repository(Path(tempfile.mkdtemp()), {"train.py": PROGRAM})


@cache
def component() -> Any:
    scope: dict[str, Any] = {"__name__": "program"}
    exec(PROGRAM, scope)  # noqa: S102 - our own text
    return scope["Trainer"]


def takes(words: list[str]) -> bool:
    fire = importlib.import_module("fire")  # it has no types

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            fire.Fire(component(), command=words, name="train.py")
        except SystemExit as end:  # FireExit
            return end.code in (0, None)
    return True


_WORDS = "train show-all show_all --seed --seed=3 -s 4 --noseed --name x --data --data=3 --lr -l=2 --deep --nodeep -d --x y=2 --x=3".split()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_WORDS), max_size=7))
@example(["train", "x", "1", "True"])
@example(["train", "--data", "x", "--seed", "3"])
def test_the_same_command_lines_are_taken(words: list[str]) -> None:
    check = bash(index(), f"python train.py {shlex.join(words)}")
    assert (errors(check) == []) == takes(words), [f.message for f in check.findings]
