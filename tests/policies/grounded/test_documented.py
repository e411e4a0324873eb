"""What documented commands say beside a request."""

from ml_agent.policies.grounded.documented import documented_elsewhere
from tests.policies.grounded.support import command, option, program

OWLS = [command(f"python train.py --nest data/{bird}.txt --eggs {eggs}") for bird, eggs in (("owl", 3), ("lark", 5), ("wren", 3))]
MADE = program(option("--nest"), option("--eggs", type="int"), option("--songs"))


def test_a_value_that_another_command_has() -> None:
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/lark.txt",)}) == 3  # a file is seldom the same by chance
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/lark.txt",), "--eggs": ("5",)}) == 4
    assert documented_elsewhere(MADE, OWLS[1], OWLS, {"--nest": ("data/lark.txt",), "--eggs": ("5",)}) == 0


def test_a_value_that_none_has_or_that_is_new() -> None:
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/gull.txt",), "--songs": ("x",)}) == 0
    assert documented_elsewhere(MADE, OWLS[0], OWLS[:1], {"--nest": ("data/lark.txt",)}) == 0
