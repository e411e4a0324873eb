import pytest

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.titles import is_named, titles, without_headings
from tests.policies.grounded.support import command, option, program


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('hatch them as in "Hatching many owls", with 7 eggs', {"7"}),
        ('what stands under "Owls", with 7 eggs', {"7"}),
        ('the "Owls" section, with 7 eggs', {"7"}),
        ('take "Owls", with 7 eggs', {"Owls", "7"}),  # one word may be a name
        ('the text "Hatching two owls", with 7 eggs', {"Hatching two owls", "7"}),
        ('the section "枭"', set()),
    ],
)
def test_a_heading_that_is_quoted_is_no_value(text: str, left: set[str]) -> None:
    found = without_headings(read_request(text), ["Owls", "2. :owl: Hatching many owls (slow)", "枭"])
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
    ],
)
def test_a_heading_that_is_said_as_it_is(text: str, named: bool) -> None:
    documented = [command("python train.py", headings=("Owls", h)) for h in ("3. Hatching many owls", "孵化猫头鹰")]
    assert any(is_named(c, read_request(text)) for c in documented) is named


def test_names_in_a_heading_that_is_said_are_no_values() -> None:
    made = program(option("--nest"), option("--bird"))
    request = read_request("Run a Snowy OwlNet, where the bird is LarkNet")
    documented = command("python train.py --bird wren", headings=("Run a Snowy OwlNet",))
    (owl,) = [m.position for m in request.mentions if m.value == "OwlNet"]
    found = set(titles(made, documented, request))
    assert {("--nest", owl), ("--bird", owl)} <= found
    assert not any(m.value == "LarkNet" and (o, m.position) in found for m in request.mentions for o in ("--nest", "--bird"))
