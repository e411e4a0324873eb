"""What documented commands say beside a request."""

from ml_agent.policies.grounded.documented import documented_elsewhere, headings_said
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, option, program

OWLS = [command(f"python train.py --nest data/{bird}.txt --eggs {eggs}") for bird, eggs in (("owl", 3), ("lark", 5), ("wren", 3))]
MADE = program(option("--nest"), option("--eggs", type="int"), option("--songs"))


def test_a_value_that_another_command_has() -> None:
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/lark.txt",)}) == 1
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/lark.txt",), "--eggs": ("5",)}) == 2
    assert documented_elsewhere(MADE, OWLS[1], OWLS, {"--nest": ("data/lark.txt",), "--eggs": ("5",)}) == 0


def test_a_value_that_none_has_or_that_is_new() -> None:
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/gull.txt",), "--songs": ("x",)}) == 0
    assert documented_elsewhere(MADE, OWLS[0], OWLS[:1], {"--nest": ("data/lark.txt",)}) == 0


def test_a_heading_that_is_quoted_is_no_value() -> None:
    documented = command("python train.py --nest <nest> --eggs 3", headings=("Owls", "Hatching many owls"))
    request = read_request('hatch them as in "Hatching many owls", with 7 eggs')
    (mention,) = [m for m in request.mentions if m.kind == "quoted"]
    assert headings_said(documented, request) == {mention.position}
    assert headings_said(documented, read_request('take "Owls"')) == frozenset()  # one word may be a name
