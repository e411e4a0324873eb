"""Reading files that only an old Python takes."""

import ast
import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.entrypoints.reading import read_entry_point
from ml_agent.repo.files import walk
from ml_agent.repo.oldpython import mend, parse_old_python
from ml_agent.repo.pysource import parse_python
from tests.pace import within

OLD = '''#!/usr/bin/env python
"""print "kept as it is": 0777, `x`, except A, b:"""
import argparse, sys

def pair(a, (b, c)):
\tif a:
        \tprint "x %d" % a, \\
            "y"
\tprint >>sys.stderr, "bad"
\tprint
\tprint ("a %d" %
           a)
\tprint ("a"), "b"
\tprint("%d") % 3
\tprint -1; print [1]; print not a
\texec "x = 1" in {}
\ttry: raise ValueError, "bad", sys.exc_info()[2]
\texcept (ValueError, IOError), e: print e
\texcept KeyError, e:
\t\traise e[0], e[1]
\tn = 0777 + 0L + 10L + 0xFFL + 1e-05 + 010
\treturn `a` <> 3, ur"x\\d", lambda (x, y): x

target = target.cuda(async=True)
parser = argparse.ArgumentParser()
parser.add_argument('--async', type=int, default=0, help="print `x`, 0777 <> 1")
opts = parser.parse_args()
if opts.async: print "y"
else: print "z"
'''


def test_every_construct_is_mended_in_its_line() -> None:
    with pytest.raises(SyntaxError):
        parse_python(OLD)
    tree = parse_old_python(OLD)
    assert mend(OLD).count("\n") == OLD.count("\n")
    calls = {ast.unparse(n): n.lineno for n in ast.walk(tree) if isinstance(n, ast.Call)}
    line = next(text for text in calls if "add_argument" in text)
    assert "'--async'" in line
    assert "print `x`, 0777 <> 1" in line
    assert calls[line] == next(n for n, text in enumerate(OLD.split("\n"), 1) if "add_argument" in text)
    assert ast.get_docstring(tree) == 'print "kept as it is": 0777, `x`, except A, b:'


@pytest.mark.parametrize(
    "text",
    [
        "print('a')\nprint = 1\nexec_prefix = 2\n",
        "async def f():\n    await g()\n    async with a, b: pass\n",
        "x = {'print': 0, 0: 1.0, 'async': 1e-05}\nraise ValueError('a', 1)\n",
    ],
)
def test_what_parses_is_left_alone(text: str) -> None:
    assert ast.dump(parse_old_python(text)) == ast.dump(parse_python(text))


def test_what_cannot_be_mended_fails_with_its_own_error() -> None:
    with pytest.raises(SyntaxError) as caught:
        parse_old_python('x = 1\nprint "a"\ny = (((\n')
    assert caught.value.lineno in (2, 3)
    with pytest.raises(SyntaxError):
        parse_old_python('print "\ue0000\ue000"\n')


@given(st.text(alphabet="print'\"#\\\n\t async=True:,()`0<>lL\ue000", max_size=60))
def test_no_text_makes_it_fail_otherwise(text: str) -> None:
    assert mend(text).count("\n") == text.count("\n")
    with contextlib.suppress(SyntaxError):
        parse_old_python(text)


@pytest.mark.parametrize("text", ['"""\\' * 100_000, '"\\' * 200_000, ";print(" * 150_000, "except" + " a" * 400_000, "lambda (" * 100_000])
def test_long_texts_take_no_long_time(text: str) -> None:
    with within(2):
        mend(text)


def test_options_of_an_old_program_are_read(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(OLD)
    entry = read_entry_point(walk(tmp_path), "train.py")
    assert entry is not None
    assert [o.name for o in entry.options if o.takes_value] == ["--async"]
    option = next(o for o in entry.options if o.takes_value)
    assert option.source == f"train.py:{OLD[: OLD.index('parser.add_argument')].count(chr(10)) + 1}"
