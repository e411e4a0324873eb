import pytest

from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import rank_programs
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.titles import is_named, titles, without_headings
from tests.policies.grounded.support import command, flag, option, program


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('hatch them as in "Hatching many owls", with 7 eggs', {"7"}),
        ('what stands under "Owls", with 7 eggs', {"7"}),
        ('the "Owls" section, with 7 eggs', {"7"}),
        ('take "Owls", with 7 eggs', {"Owls", "7"}),  # one word may be a name
        ('the text "Hatching two owls", with 7 eggs', {"Hatching two owls", "7"}),
        ('the task "owl watching", with 7 eggs', {"owl watching", "7"}),  # two may be, too
        ('the section "枭"', set()),
    ],
)
def test_a_heading_that_is_quoted_is_no_value(text: str, left: set[str]) -> None:
    found = without_headings(read_request(text), ["Owls", "2. :owl: Hatching many owls (slow)", "枭", "Owl watching"])
    assert {m.value for m in found.mentions if m.kind in ("quoted", "number")} == left


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("please do Hatching many owls with 7 eggs", True),
        ("hatching  many owls", True),
        ("hatching many owlets", False),
        ("Hatching", False),
        ("owls", False),  # a word alone may stand there by chance
        ('what stands under "Owls"', True),
        ('on the "Owls" dataset', False),
        ("孵化猫头鹰 用 7", True),
        ("使用孵化猫头鹰模型", True),
        ("take Owls, as under Owls", True),  # the second one
        ('the label "hatching many owls and larks"', False),
        ("about étape", False),
    ],
)
def test_a_heading_that_is_said_as_it_is(text: str, named: bool) -> None:
    documented = [command("python train.py", headings=("Owls", h)) for h in ("3. 🦉 Hatching many owls:", "孵化猫头鹰", "Étape")]
    assert any(is_named(c, read_request(text)) for c in documented) is named


def test_names_in_a_heading_that_is_said_are_no_values() -> None:
    made = program(option("--nest"), option("--bird"))
    request = read_request("Run a Snowy OwlNet, where the bird is LarkNet")
    documented = command("python train.py --bird wren", headings=("Run a Snowy OwlNet",))
    (owl,) = [m.position for m in request.mentions if m.value == "OwlNet"]
    found = set(titles(made, documented, request))
    assert {("--nest", owl), ("--bird", owl)} <= found
    assert not any(m.value == "LarkNet" and (o, m.position) in found for m in request.mentions for o in ("--nest", "--bird"))


def test_what_a_document_leaves_open_may_stand_in_its_heading() -> None:
    made = program(option("--nest"), option("--eggs", type="int"))
    request = read_request("Hatch LarkNet in 8 days")
    documented = command("python train.py --nest <nest> --eggs 3", headings=("Hatch LarkNet in 8 days",))
    barred = {(name, next(m.value for m in request.mentions if m.position == at)) for name, at in titles(made, documented, request)}
    assert barred >= {("--eggs", "8"), ("--eggs", "LarkNet")}
    assert not {name for name, _ in barred} & {"--nest"}


def test_the_section_that_is_named_is_taken() -> None:
    shown = [
        command("python train.py --nest oak --eggs 3", source="README.md:3", headings=("Hatching in the dark",)),
        command("python train.py --nest elm --loud --eggs 4", source="README.md:9", headings=("Singing in the dawn",)),
    ]
    made = program(option("--nest"), option("--eggs", type="int"), flag("--loud"))
    material = Material([(1.0, made)], [(0.9, shown[0]), (0.8, shown[1])])
    for text, source in (("Singing in the dawn with 7 eggs", "README.md:9"), ("hatching in the dark with 7 eggs", "README.md:3")):
        best = rank_programs(material, (), read_request(text))[0]
        assert best.line.command is not None
        assert best.line.command.source == source
        assert best.features["titled"] > 0


def test_numbers_that_a_command_has_speak_for_it() -> None:
    shown = [command(f"python train.py --nest {nest} --eggs {eggs}", source=f"README.md:{eggs}") for nest, eggs in (("oak", 3), ("elm", 4))]
    material = Material([(1.0, program(option("--nest"), option("--eggs", type="int")))], [(0.8, c) for c in shown])
    best = rank_programs(material, (), read_request("train with 4 eggs"))[0]
    assert best.line.answer().code == "python train.py --nest elm --eggs 4"
