"""What documented commands say beside a request."""

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.documented import documented_elsewhere, shown_as_they_are
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, option, program

OWLS = [command(f"python train.py --nest data/{bird}.txt --eggs {eggs}") for bird, eggs in (("owl", 3), ("lark", 5), ("wren", 3))]
BIRDS = program(option("--nest"), option("--perch"), option("--song"))
MADE = program(option("--nest"), option("--eggs", type="int"), option("--songs"))


def test_a_value_that_another_command_has() -> None:
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/lark.txt",)}) == 3  # a file is seldom the same by chance
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/lark.txt",), "--eggs": ("5",)}) == 4
    assert documented_elsewhere(MADE, OWLS[1], OWLS, {"--nest": ("data/lark.txt",), "--eggs": ("5",)}) == 0


def test_a_value_that_none_has_or_that_is_new() -> None:
    assert documented_elsewhere(MADE, OWLS[0], OWLS, {"--nest": ("data/gull.txt",), "--songs": ("x",)}) == 0
    assert documented_elsewhere(MADE, OWLS[0], OWLS[:1], {"--nest": ("data/lark.txt",)}) == 0


def barred(text: str, documented: str) -> set[tuple[str, str]]:
    request = read_request(text)
    values = {m.position: m.value for m in request.mentions}
    return {(name, values[at]) for name, at in shown_as_they_are(BIRDS, command(documented), Surroundings(request))}


def test_a_value_that_the_command_gives_stays_where_it_is() -> None:
    documented = "python train.py --nest in/owl.txt --perch in/lark.txt"
    assert barred("take in/lark.txt", documented) == {("--nest", "in/lark.txt"), ("--song", "in/lark.txt")}
    assert barred("the nest is in/lark.txt", documented) == {("--song", "in/lark.txt")}  # for it is named
    assert barred("take in/wren.txt", documented) == set()


def test_a_name_may_be_the_other_way_round() -> None:
    assert barred("from Owlet to Larkling", "python train.py --nest Larkling --perch Owlet") == {
        ("--song", "Owlet"),
        ("--song", "Larkling"),
    }
    assert barred("with OwlNet", "python train.py --nest me/LarkNet --perch owlnet") == {("--nest", "OwlNet"), ("--song", "OwlNet")}
