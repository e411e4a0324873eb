import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints.docopt_grammar import Matcher, UsageError, Word, parse_usage
from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

PROGRAM = '''"""Train a model.

Usage:
  train.py fit <data> [--lr=<rate>] [--verbose | --quiet] [-n COUNT]
  train.py test [options] <data>...
  train.py (show | list) [NAME [AGE]]
  train.py -h | --help
  train.py --version

Options:
  -h --help        Show this.
  --version        Show the version.
  --lr=<rate>      The rate [default: 0.1].
  -n COUNT         How many.
  -o FILE --out=FILE  Where to.
  --verbose        Say more.
  --quiet          Say less.
  --fast           Do it
                   fast.
"""
from docopt import docopt

if __name__ == "__main__":
    docopt(__doc__, version="1")
'''

LINES = [
    "fit d",
    "fit",
    "",
    "fit d --lr 0.2",
    "fit d --lr=0.2 --verbose",
    "--lr=0.2 fit d",
    "fit d --verbose --quiet",
    "fit d -n 3",
    "fit d -n3",
    "fit d -n",
    "fit d --verb",
    "fit d --ver",
    "fit d e",
    "fit d --fast",
    "test d e f --fast -o x",
    "test --out x d",
    "test --out=x",
    "test d --lr 3",
    "test d --lrr 3",
    "show",
    "list a",
    "list a 3",
    "list a 3 4",
    "push",
    "--help",
    "-h",
    "--version",
    "fit d --help",
    "fit d --verbose=3",
    "fit -- d",
]

SIMPLE = '"""Usage: train.py [-v] [--k=N] FILE..."""\nimport docopt\nprint(docopt.docopt(__doc__))\n'


def test_forms_of_a_usage(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": PROGRAM}, LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("docopt", False, ())
    rate = entry.option("--lr")
    assert rate is not None
    assert (rate.default, rate.help, rate.source) == ("'0.1'", "The rate [default: 0.1].", "train.py:13")
    assert entry.options[-1].choices == ("fit", "test", "show", "list") or entry.options[-1].action == "help"


def test_options_of_the_usage_alone(tmp_path: Path) -> None:
    compare(tmp_path, {"train.py": SIMPLE}, ["a b", "-v a", "", "--k=3 a", "--k 3", "-vv a", "-x a"])


def test_the_form_that_leaves_least_is_taken(tmp_path: Path) -> None:
    code = '"""Usage: train.py (go | go NAME | [go] AGE NAME)"""\nimport docopt\ndocopt.docopt(__doc__)\n'
    compare(tmp_path, {"train.py": code}, ["go", "go x", "go 3 x", "3 x", "3", "go 3 x y", ""])


def test_the_nearest_option(tmp_path: Path) -> None:
    index = repository(tmp_path, {"train.py": PROGRAM})
    assert found(bash(index, "python train.py fit d --verbos3")) == [("option", "error", "--verbose")]


@pytest.mark.parametrize("text", ["", "usage: a", "Usage: p [x", "usage: p " + "(" * 99, "usage: p " + "[a|b]..." * 5000, "usage:\nusage:"])
def test_texts_that_are_none(text: str, tmp_path: Path) -> None:
    code = f"from docopt import docopt\nif __name__ == '__main__':\n    docopt({text!r})\n"
    entry = repository(tmp_path, {"train.py": code}).entry_point("train.py")
    assert entry is not None
    assert entry.kind == "docopt"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="usage: pax[]()|.-<>\n= ", max_size=120), st.lists(st.sampled_from(["a", "-x", "--", "p"]), max_size=4))
def test_any_text_comes_to_an_end(text: str, words: list[str]) -> None:
    with contextlib.suppress(UsageError):
        Matcher().left(parse_usage("usage: p " + text).pattern, [Word(w) for w in words])
