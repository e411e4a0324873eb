"""Sub-commands: the reading of words is compared with a real argparse program."""

import argparse
import contextlib
import dataclasses
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.findings import Finding
from ml_agent.verify.options import check_options
from ml_agent.verify.reading import Argument


def option(*aliases: str, **facts: object) -> Option:
    return Option(max(aliases, key=len), aliases, "prog.py:7", **facts)  # type: ignore[arg-type]


PROGRAM = EntryPoint(
    "prog.py",
    "argparse",
    ("python", "prog.py"),
    (
        option("--seed", type="int"),
        option("command", nargs="A...", choices=("train", "t", "eval", "remote"), required=True),
        option("--lr", type="float", command="train", required=True),
        option("--fast", action="flag", command="train"),
        option("data", command="train", required=True),
        option("--model", command="eval", required=True),
        option("--lr", command="eval"),
        option("how", nargs="A...", choices=("add", "remove"), command="remote"),
        option("name", command="remote add", required=True),
        option("--force", action="flag", command="remote remove"),
    ),
    command_aliases=(("t", "train"),),
)


def accepts(words: list[str]) -> bool:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", aliases=["t"])
    train.add_argument("--lr", type=float, required=True)
    train.add_argument("--fast", action="store_true")
    train.add_argument("data")
    evaluate = commands.add_parser("eval")
    evaluate.add_argument("--model", required=True)
    evaluate.add_argument("--lr")
    remote = commands.add_parser("remote").add_subparsers(dest="how")
    remote.add_parser("add").add_argument("name")
    remote.add_parser("remove").add_argument("--force", action="store_true")
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            parser.parse_args(words)
        except SystemExit as error:
            return error.code == 0
    return True


def check(words: str | list[str], entry: EntryPoint = PROGRAM) -> list[Finding]:
    texts = words.split() if isinstance(words, str) else words
    return check_options(entry, [Argument(t, False, False) for t in texts])[0]


@pytest.mark.parametrize(
    "words",
    ["train --lr 1 d", "t d --lr 1 --fast", "--seed 3 eval --model m --lr x", "remote", "remote add n", "remote remove --forc", "eval -h"],
)
def test_what_is_taken(words: str) -> None:
    assert accepts(words.split())
    assert check(words) == []


@pytest.mark.parametrize(
    ("words", "kind", "said", "suggestion"),
    [
        ("eval --lr 1", "missing", "`eval` of `prog.py` needs the option `--model`", "--model MODEL"),
        ("train d", "missing", "`train` of `prog.py` needs the option `--lr`", "--lr LR"),
        ("t --lr 1", "missing", "`train` of `prog.py` needs the argument `data`", "DATA"),
        ("--seed 1", "missing", "needs the argument `command`", "train"),
        ("evl --model m", "value", "`command` takes one of train, t, eval, remote, not 'evl'", "eval"),
        ("remote ad n", "value", "not 'ad'", "add"),
        ("train --lr 1 d --model m", "option", "takes no option `--model`: it belongs to `eval`", None),
        ("eval --model m --seed 1", "option", "it belongs in front of `eval`", None),
        ("eval --modell m --model x", "option", "`eval` of `prog.py` takes no option `--modell`", "--model"),
        ("train --lr x d", "value", "`--lr` takes a float, not 'x'", None),
        ("remote add", "missing", "`remote add` of `prog.py` needs the argument `name`", "NAME"),
        ("remote remove --force x", "positional", "takes no further argument: 'x'", None),
    ],
)
def test_what_is_refused(words: str, kind: str, said: str, suggestion: str | None) -> None:
    assert not accepts(words.split())
    (finding,) = check(words)
    assert (finding.kind, finding.severity) == (kind, "error")
    assert said in finding.message
    assert suggestion in (None, finding.suggestion)


def test_the_sub_command_that_the_program_puts_in() -> None:
    entry = dataclasses.replace(PROGRAM, default_command="train")
    assert check("--lr 1 --fast d", entry) == check("eval --model m", entry) == check("-h", entry) == []
    assert [f.message for f in check("d --lr x", entry)] == ["`--lr` takes a float, not 'x'"]


def test_a_sub_command_whose_name_could_not_be_read_is_not_judged() -> None:
    options = (option("command", nargs="A...", required=True), option("--must", required=True))
    entry = EntryPoint("p.py", "argparse", ("python", "p.py"), options)
    assert check("anything --x 1 --must 2", entry) == []


WORDS = st.sampled_from(
    "train t eval remote add remove --seed --seed=2 --lr --lr=x --lr=1 --fast --model --model=m --force --nope d 1 -h".split()
)


@given(st.lists(WORDS, max_size=7))
@settings(max_examples=500, deadline=None)
def test_agrees_with_argparse(words: list[str]) -> None:
    findings = check(words)
    assert accepts(words) is not any(f.severity == "error" for f in findings), findings
