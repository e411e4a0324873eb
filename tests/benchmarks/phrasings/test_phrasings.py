"""Made-up programs asked in many ways: the measurement, and that `grounded` understands nearly all of it."""

import re
from itertools import islice

import pytest

from ml_agent.benchmarks.phrasings.__main__ import main
from ml_agent.benchmarks.phrasings.made import Program, Wanted, lists, options, switches
from ml_agent.benchmarks.phrasings.measure import measure
from ml_agent.task import Answer

ON, OFF = ("true", "1", "yes"), ("false", "0", "no")


@pytest.mark.parametrize(
    ("words", "wanted", "given"),
    [
        ("--lr 0.1", Wanted("", "--lr", "0.1"), True),
        ("--lr=0.1", Wanted("", "--lr", "0.1"), True),
        ("--lr 0.2", Wanted("", "--lr", "0.1"), False),
        ("--lrs 0.1", Wanted("", "--lr", "0.1"), False),
        ("", Wanted("", "--lr", "0.1"), False),
        ("--sizes 3 9 --lr 1", Wanted("", "--sizes", "3|9"), True),
        ("--sizes 3", Wanted("", "--sizes", "3|9"), False),
        ("--fast", Wanted("", "--fast", ""), True),
        ("", Wanted("", "--fast", None, ON), True),
        ("--fast", Wanted("", "--fast", None, ON), True),
        ("--fast", Wanted("", "--fast", None, OFF), False),
        ("--fast False", Wanted("", "--fast", None, OFF), True),
        ("--fast False", Wanted("", "--fast", None, ON), False),
    ],
)
def test_what_is_given(words: str, wanted: Wanted, given: bool) -> None:
    assert wanted.is_given(["python", "train.py", *words.split()]) is given
    assert wanted.problems(Answer("bash", f"cd x\npython train.py {words}")) == ([] if given else [""])


def test_the_same_seed_asks_the_same() -> None:
    assert list(options(20, 3)) == list(options(20, 3)) != list(options(20, 4))
    assert sum(len(p.requests) for p in options(30, 1)) == 30


def test_options_in_many_words() -> None:
    figures = measure(options(40, 5))
    assert figures.asked.total() == 160
    assert figures.wrong.total() <= 8, figures.examples


def test_lists_and_switches() -> None:
    first = [Program(p.code, p.documented, p.requests[::4]) for p in lists()]
    some = [Program(p.code, p.documented, p.requests[::3]) for p in islice(switches(), 0, None, 9)]
    for figures in (measure(first), measure(some)):
        assert figures.asked
        assert not figures.wrong, figures.examples


def test_no_answer_gives_nothing() -> None:
    assert Wanted("", "--lr", "0.1").problems(None) == Wanted("", "--lr", "0.1").problems(Answer("python", "--lr 0.1")) == [""]


def test_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "code", "voices", "options", "commands", "--tasks", "2", "-v"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("    ")]
    kinds = [re.fullmatch(r"(\w+): \d+ of (\d+) (\w+), [\d.]+ %", line) for line in lines]
    assert [each and each.group(1, 3) for each in kinds] == [
        ("options", "values"), ("voices", "values"), ("commands", "tasks"), ("code", "values"),
    ]  # fmt: skip
    assert kinds[2]
    assert kinds[2][2] == "2"


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tasks", "0"]) == 2
    assert capsys.readouterr().err == "--tasks must be at least 1\n"
    with pytest.raises(SystemExit):
        main(["--only", "words"])
