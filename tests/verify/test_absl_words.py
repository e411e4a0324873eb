import pytest

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.options import check_options
from ml_agent.verify.reading import Argument


def option(name: str, **facts: object) -> Option:
    return Option(name, (name,), "prog.py:3", **facts)  # type: ignore[arg-type]


PROGRAM = EntryPoint(
    "prog.py",
    "absl",
    ("python", "prog.py"),
    (
        option("--input_file", type="str", required=True),
        option("--train_steps", type="int"),
        option("--rate", type="float"),
        option("--do_train", type="bool", action="flag"),
        option("--mode", choices=("fast", "slow"), type="str"),
    ),
    flag_style="absl",
)


def check(words: str) -> list[tuple[str, str, str | None]]:
    return [(f.kind, f.place, f.suggestion) for f in check_options(PROGRAM, [Argument(t, False, False) for t in words.split()])[0]]


@pytest.mark.parametrize(
    "words",
    [
        "--input_file=a --train_steps 5 --do_train",
        "-input_file a -rate -1.0 --nodo_train",
        "--input_file a --do_train=TRUE positional",
        "--input_file a --do_train=f --mode slow",
        "--input-file=a -- --whatever",
        "--help",
        "--input_file a --alsologtostderr --v 1 -1",
    ],
)
def test_what_absl_takes(words: str) -> None:
    assert check(words) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--input_file=a --num_train_steps=5", ("option", "--num_train_steps=5", "--train_steps=5")),
        ("--input_file=a --unknown value --rate=1", ("option", "--unknown", None)),
        ("--input_file=a --train=5", ("option", "--train=5", "--train_steps=5")),
        ("--input_file=a --train_steps=x", ("value", "--train_steps=x", None)),
        ("--input_file=a --train_steps=1e3", ("value", "--train_steps=1e3", "--train_steps=1000")),
        ("--input_file=a --rate", ("value", "--rate", None)),
        ("--input_file=a --do_train=maybe", ("value", "--do_train=maybe", "--do_train=true")),
        ("--input_file=a --mode=Fast", ("value", "--mode=Fast", "--mode=fast")),
        ("--rate=1", ("missing", "prog.py", "--input_file INPUT_FILE")),
    ],
)
def test_what_absl_refuses(words: str, expected: tuple[str, str, str | None]) -> None:
    assert check(words) == [expected]
