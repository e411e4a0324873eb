import pytest

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.options import check_options
from ml_agent.verify.reading import Argument

POSITIONALS = EntryPoint(
    "run.sh",
    "shell",
    ("bash", "run.sh"),
    (Option("DATASET", ("DATASET",), "run.sh:2", required=True, lenient=True), Option("GPU", ("GPU",), "run.sh:3", nargs="?")),
)
GETOPTS = EntryPoint(
    "run.sh", "shell", ("bash", "run.sh"), (Option("-n", ("-n",), "run.sh:2"), Option("-v", ("-v",), "run.sh:2", action="flag"))
)


def check(entry: EntryPoint, words: str) -> list[tuple[str, str, str]]:
    return [(f.kind, f.severity, f.place) for f in check_options(entry, [Argument(t, False, False) for t in words.split()])[0]]


@pytest.mark.parametrize(
    ("entry", "words"),
    [(POSITIONALS, "cora"), (POSITIONALS, "cora 0"), (POSITIONALS, "--x"), (GETOPTS, ""), (GETOPTS, "-n 5 -v"), (GETOPTS, "-n5 -vn 3")],
)
def test_what_a_script_takes(entry: EntryPoint, words: str) -> None:
    assert check(entry, words) == []


@pytest.mark.parametrize(
    ("entry", "words", "expected"),
    [
        (POSITIONALS, "", ("missing", "warning", "run.sh")),
        (POSITIONALS, "a b c", ("positional", "warning", "c")),
        (GETOPTS, "-x", ("option", "error", "-x")),
        (GETOPTS, "--name=3", ("option", "error", "--name=3")),
        (GETOPTS, "-n 5 -- extra", ("positional", "warning", "extra")),
    ],
)
def test_what_a_script_does_not_take(entry: EntryPoint, words: str, expected: tuple[str, str, str]) -> None:
    assert check(entry, words) == [expected]


def test_a_script_that_ends_without_the_word() -> None:
    entry = EntryPoint("run.sh", "shell", ("bash", "run.sh"), (Option("X", ("X",), "run.sh:2", required=True),))
    assert check(entry, "") == [("missing", "error", "run.sh")]


def test_a_script_that_hands_words_on() -> None:
    entry = EntryPoint("run.sh", "shell", ("bash", "run.sh"), (*POSITIONALS.options, Option("-n", ("-n",), "run.sh:2")), open_ended=True)
    assert check(entry, "4 b c d") == []
    assert check(entry, "4 --model x") == [("option", "warning", "--model")]


def test_any_number_of_words_is_not_judged() -> None:
    assert check_options(POSITIONALS, [Argument("$ARGS", True, True)])[0] == []
