"""Options that exclude others, and positional arguments that argparse takes together."""

from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from ml_agent.verify import verify
from tests.policies.grounded.support import code, command, flag, line, option, program, write

SOURCE = option("--wav", group="g1")
SYNTHETIC = option("--seconds", type="float", default="2.0", group="g1")


def test_what_is_only_documented_gives_way_to_what_it_excludes() -> None:
    made = program(SOURCE, SYNTHETIC, option("--rate", type="int"))
    documented = command("python train.py --seconds 60 --rate 3")
    assert code("sing owl.wav", made, documented) == "python train.py --rate 3 --wav owl.wav"
    assert code("a rate of 5", made, documented) == "python train.py --seconds 60 --rate 5"


SINGS = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("owl")
parser.add_argument("nest", nargs={nargs!r})
parser.add_argument("--loud", action="store_true")
parser.add_argument("--rate", type=int)
parser.parse_args()
"""


@pytest.mark.parametrize("nargs", ["?", "*"])
def test_an_argument_that_may_be_missing_stands_beside_the_one_before_it(tmp_path: Path, nargs: str) -> None:
    """`sing.py a.wav --loud b.wav` is refused by argparse: the first group of arguments takes all places."""
    root = write(tmp_path, {"train.py": SINGS.format(nargs=nargs)})
    found = RepoIndex(root).entry_point("train.py")
    assert found is not None
    made = line("sing", found, command("python train.py a.wav --loud --rate 3 b.wav"))
    assert made.answer().code == "python train.py a.wav b.wav --loud --rate 3"
    assert verify(made.answer(), RepoIndex(root)).ok


def test_arguments_that_are_always_given_may_stand_apart() -> None:
    made = program(option("owl"), option("nest"), flag("--loud"))
    documented = command("python train.py a.wav --loud b.wav")
    assert code("sing", made, documented) == "python train.py a.wav --loud b.wav"
