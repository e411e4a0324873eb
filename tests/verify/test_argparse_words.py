"""The reading of words is compared with a real argparse program wherever one can be written."""

import argparse
import contextlib
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
        option("--lr", type="float"),
        option("--n_epochs", "-n", type="int"),
        option("--n_heads", type="int"),
        option("--dataset", choices=("Cora", "Citeseer"), type="str"),
        option("--layers", choices=("1", "2"), type="int"),
        option("--sizes", nargs="+", type="int"),
        option("--pair", nargs="2", type="float"),
        option("--maybe", nargs="?"),
        option("--cpu", action="flag", group="device"),
        option("--gpu", type="int", group="device"),
        option("-v", "--verbose", action="count"),
        option("--name", required=True),
        option("config", type="str"),
        option("extra", nargs="*", type="int"),
    ),
)


def real() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)
    parser.add_argument("--n_epochs", "-n", type=int)
    parser.add_argument("--n_heads", type=int)
    parser.add_argument("--dataset", choices=["Cora", "Citeseer"])
    parser.add_argument("--layers", choices=[1, 2], type=int)
    parser.add_argument("--sizes", nargs="+", type=int)
    parser.add_argument("--pair", nargs=2, type=float)
    parser.add_argument("--maybe", nargs="?")
    device = parser.add_mutually_exclusive_group()
    device.add_argument("--cpu", action="store_true")
    device.add_argument("--gpu", type=int)
    parser.add_argument("-v", "--verbose", action="count")
    parser.add_argument("--name", required=True)
    parser.add_argument("config")
    parser.add_argument("extra", nargs="*", type=int)
    return parser


def check(words: str | list[str], entry: EntryPoint = PROGRAM) -> list[Finding]:
    texts = words.split() if isinstance(words, str) else words
    return check_options(entry, [Argument(t, False, False) for t in texts])[0]


def accepts(words: list[str]) -> bool:
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            real().parse_args(words)
        except SystemExit as error:
            return error.code == 0
    return True


@pytest.mark.parametrize(
    "words",
    [
        "c --name x",
        "--name=x c --lr -1 --n_epochs 3",
        "--name x -n5 c",
        "--name x -n 5 -vvv c 1 2 3",
        "--name= c --n_e 4 --dat Cora",
        "--name x --sizes 1 2 3 --cpu c",
        "--name x --pair 0.5 -0.5 c",
        "--maybe --name x c",
        "--name x --lr 1e-3 --lr 2 c",
        "--name x -- c -5",
        "--help",
        "--name x c --layers 2",
    ],
)
def test_what_argparse_takes(words: str) -> None:
    assert accepts(words.split())
    assert check(words) == []


@pytest.mark.parametrize(
    ("words", "kind", "place", "suggestion"),
    [
        ("c --name x --learning-rate 3", "option", "--learning-rate", None),
        ("c --name x --n-epochs=3", "option", "--n-epochs=3", "--n_epochs=3"),
        ("c --name x --verbos", None, "", None),
        ("c --name x --n 3", "option", "--n", "--n_epochs"),
        ("c --name x --dataset citeseer", "value", "--dataset citeseer", "--dataset Citeseer"),
        ("c --name x --layers 3", "value", "--layers 3", None),
        ("c --name x --lr fast", "value", "--lr fast", None),
        ("c --name x --n_epochs 2.0", "value", "--n_epochs 2.0", "--n_epochs 2"),
        ("c --name x --n_epochs 2.5", "value", "--n_epochs 2.5", None),
        ("c --name x --sizes", "value", "--sizes", None),
        ("c --name x --pair 1", "value", "--pair", None),
        ("c --name x --cpu=1", "value", "--cpu=1", "--cpu"),
        ("c --name x --lr", "value", "--lr", None),
        ("c --name x --cpu --gpu 1", "option", "--gpu 1", None),
        ("c", "missing", "prog.py", "--name NAME"),
        ("--name x", "missing", "prog.py", "CONFIG"),
        ("c 1 b --name x", "value", "1 b", "1 b"),
        ("c --name x --lr -1e", "value", "--lr", None),
    ],
)
def test_what_argparse_refuses(words: str, kind: str | None, place: str, suggestion: str | None) -> None:
    findings = check(words)
    if kind is None:
        assert accepts(words.split())
        assert findings == []
        return
    assert not accepts(words.split())
    first = next(f for f in findings if f.severity == "error")
    assert (first.kind, first.place) == (kind, place)
    assert first.source is not None
    assert first.source.startswith("prog.py:")
    if suggestion and kind != "value":
        assert first.suggestion == suggestion
    if kind == "value" and suggestion and place != "1 b":
        assert first.suggestion == suggestion


def test_all_that_is_wrong_is_said_at_once() -> None:
    kinds = [f.kind for f in check("--lr x --nope 1 --gpu --dataset cora --cpu=3")]
    assert sorted(set(kinds)) == ["missing", "option", "value"]
    assert kinds.count("value") == 4


def test_positionals_too_many() -> None:
    entry = EntryPoint("p.py", "argparse", ("python", "p.py"), (option("--lr", type="float"),))
    assert [(f.kind, f.place) for f in check("--lr 1 a b", entry)] == [("positional", "a"), ("positional", "b")]
    # the value of an unknown option is not a second fault
    assert [(f.kind, f.place) for f in check("--rl 1", entry)] == [("option", "--rl")]


def test_without_prefixes_an_abbreviation_is_unknown() -> None:
    entry = EntryPoint("p.py", "argparse", ("python", "p.py"), (option("--learning_rate", type="float"),), prefixes=False)
    assert [f.kind for f in check("--learning 1", entry)] == ["option"]


def test_an_open_ended_program_excuses_unknown_options_only() -> None:
    entry = EntryPoint(
        "p.py", "argparse", ("python", "p.py"), (option("--lr", type="float"), option("--must", required=True)), open_ended=True
    )
    severities = {f.kind: f.severity for f in check("--new 1 --lr x", entry)}
    assert severities == {"option": "warning", "value": "error", "missing": "error"}
    assert [(f.kind, f.severity) for f in check("--must 1 --lr", entry)] == [("value", "error")]
    assert [(f.kind, f.severity) for f in check("--must 1 a", entry)] == [("positional", "warning")]


def test_an_open_ended_program_may_have_the_option_that_a_prefix_is_taken_for() -> None:
    options = (option("--lr_policy", choices=("a", "b")), option("mode", choices=("train",)))
    entry = EntryPoint("p.py", "argparse", ("python", "p.py"), options, open_ended=True)
    assert [(f.kind, f.severity) for f in check("train --lr 0.1", entry)] == [("value", "warning")]
    assert [(f.kind, f.severity) for f in check("train --lr_policy c", entry)] == [("value", "error")]
    assert ("value", "error") not in [(f.kind, f.severity) for f in check("--unknown 5 train", entry)]


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [("--learning-rate", "--lr"), ("--epochs", "--n_epochs"), ("--num-epochs", "--n_epochs"), ("--data_set", "--dataset")],
)
def test_an_option_by_another_name(word: str, suggestion: str) -> None:
    assert [f.suggestion for f in check(f"c --name x {word} 3")] == [suggestion]


def test_values_that_only_a_run_can_tell_are_not_judged() -> None:
    entry = EntryPoint(
        "p.py", "argparse", ("python", "p.py"), (option("--lr", type="float"), option("file"), option("--must", required=True))
    )
    words = [Argument("--lr", False, False), Argument("$LR", True, True), Argument("$FILES", True, True)]
    assert [f.kind for f in check_options(entry, words)[0]] == []
    assert (
        check_options(entry, [Argument("--lr=$LR", True, False), Argument("f", False, False), Argument("--must=1", False, False)])[0] == []
    )


def test_booleans_as_values_warn() -> None:
    entry = EntryPoint("p.py", "argparse", ("python", "p.py"), (option("--a", type="bool"), option("--b", type="str2bool")))
    assert [(f.place, f.severity) for f in check("--a False --b maybe", entry)] == [("--a False", "warning"), ("--b maybe", "warning")]
    assert check("--a True --b no", entry) == []


def test_an_option_redefined_and_a_single_dash_name() -> None:
    entry = EntryPoint("p.py", "argparse", ("python", "p.py"), (option("-lr", type="float"), option("-h", "--height", type="int")))
    assert check("-lr 0.1 -h 3", entry) == []
    assert [f.kind for f in check("--lr 0.1", entry)] == ["option"]


WORDS = st.sampled_from(
    (
        "c 1 -1 0.5 -0.5 x --lr --lr=2 --lr=x --n_epochs -n -n5 -n= --n --n_h --dataset Cora --dataset=cora --sizes --pair "
        "--maybe --maybe=1 --cpu --cpu=1 --gpu -v -vv -vn5 --name --name=y --nope --nope=1 -- - -x --layers 2 3"
    ).split()
)


@given(st.lists(WORDS, max_size=8))
@settings(max_examples=600, deadline=None)
def test_agrees_with_argparse(words: list[str]) -> None:
    findings = check(words)
    refused = any(f.severity == "error" for f in findings)
    if "--" in words and not refused:
        return  # a `--` that no positional uses up is refused by some versions of Python only
    assert accepts(words) is not refused, findings


@given(st.lists(st.text(max_size=8) | WORDS, max_size=6))
@settings(max_examples=200, deadline=None)
def test_never_raises(words: list[str]) -> None:
    check(words)
