import pytest

from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.request import Mention, read_request
from ml_agent.policies.grounded.spelled import beside_model, by_parts, in_folder_alike, joined_alike, respelled, spelled_names
from ml_agent.repo.callables import Callee, Taken
from ml_agent.repo.documents import Section
from tests.policies.grounded.support import block

NAMES = (
    "bakery/rye-base-v1",
    "bakery/rye-large-v1",
    "bakery/rye-large-multilingual-v1",
    "mill/rye-large-v1",
    "crust_x0_5",
    "crust_x1_0",
    "sour-dough",
)


def literal(text: str, name: str = "model", call: str = "") -> Literal:
    return Literal("string", text, 0, len(text) + 2, (name,), call)


def test_names_of_documents_and_choices() -> None:
    text = "Use `rye-large-v1`, see docs/rye.md and pie.bake or https://a.b/c; well-known breads."
    sections = [Section("README.md", 1, (), text, (block("load('bakery/oat-2')\nx_1 = 'plum'\n"),))]
    oven = Callee("class", "Oven", "a.py", 1, "a", takes=(Taken("crust", "positional", choices=("thin", "2")),))
    assert spelled_names(sections, [oven]) == ("thin", "rye-large-v1", "well-known", "bakery/oat-2")


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("bakery/rye-base-v1", "bake with the large rye", "bakery/rye-large-v1"),
        ("bakery/rye-base-v1", "the large multilingual rye", "bakery/rye-large-multilingual-v1"),
        ("bakery/rye-base-v1", "the base rye", None),
        ("bakery/rye-base-v1", "the large tin with `oats/wheat-v2`", None),  # the request has a name of its own
        ("mill/rye-base-v1", "bake with the large rye", "mill/rye-large-v1"),
        ("crust_x1_0", "the half-width crust (x0.5)", "crust_x0_5"),
        ("crust_x1_0", "0.5 kg of dough", None),
        ("plum", "bake with the large rye", None),
    ],
)
def test_a_name_that_is_said_by_its_parts(text: str, said: str, expected: str | None) -> None:
    request = read_request(said)
    found = by_parts(literal(text), NAMES, request)
    assert (found.value if found else None) == expected
    if found:
        assert found.words in said


def test_only_places_that_name_models() -> None:
    request = read_request("bake with the large rye")
    assert by_parts(literal("bakery/rye-base-v1", "path"), NAMES, request) is None
    assert by_parts(literal("bakery/rye-base-v1", "load", "from_pretrained"), NAMES, request) is not None


@pytest.mark.parametrize(
    ("value", "kind", "text", "expected"),
    [
        ("Crust-X0.5", "identifier", "crust_x1_0", "crust_x0_5"),
        ("RyeNet-50", "identifier", "ryenet18", "ryenet50"),
        ("crust_x0-5", "identifier", "crust_x1_0", "crust_x0_5"),
        ("Sour_Dough", "identifier", "rye", "Sour_Dough"),
        ("Crust-X0.5", "quoted", "crust_x1_0", "Crust-X0.5"),
        ("Plum", "name", "pear-1", "Plum"),
    ],
)
def test_names_are_written_as_the_documents_write_them(value: str, kind: str, text: str, expected: str) -> None:
    assert respelled(Mention(value, kind, 0, value), literal(text), NAMES) == expected  # type: ignore[arg-type]


def test_what_stands_beside_the_word_model() -> None:
    request = read_request("the model named plum_2 and the tin_3")
    beside = {m.value: beside_model(m, request) for m in request.mentions}
    assert beside == {"plum_2": True, "tin_3": False}


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("rye-thin-en", "the loaf rye-thick-dark please", "rye-thick-dark"),
        ("rye-thin-en", "the loaf oat-thick-en please", "oat-thick-en"),
        ("rye-thin-en", "an out-of-oven loaf", None),
        ("rye-thin-en", "rye-thick-dark or rye-thick-light", None),
        ("rye-thin", "the loaf rye-thick", "rye-thick"),
        ("fine-crumbed", "the fine-grained loaf", None),
    ],
)
def test_a_name_that_is_written_alike(text: str, said: str, expected: str | None) -> None:
    found = joined_alike(literal(text), read_request(said))
    assert (found.value if found else None) == expected


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("rye_L-12/crumbs.txt", "the loaf rye_L-24", "rye_L-24/crumbs.txt"),
        ("rye_L-12/crumbs.txt", "the loaf rye_L-12", None),
        ("rye_L-12/crumbs.txt", "the loaf rye_L-24 or rye_L-21", None),
        ("rye_L-12", "the loaf rye_L-24", None),
        ("loaf/crumbs.txt", "the loafs_2", None),
    ],
)
def test_a_folder_in_a_path_is_named_alike(text: str, said: str, expected: str | None) -> None:
    found = in_folder_alike(literal(text, "crumbs"), read_request(said))
    assert (found.value if found else None) == expected


def test_a_name_that_stands_there_as_code_writes_it() -> None:
    said = read_request("the loaf RYE-2")
    (mention,) = [m for m in said.mentions if m.value == "RYE-2"]
    assert respelled(mention, literal("rye2"), ["RYE-2", "rye2"]) == "rye2"
    assert respelled(mention, literal("oat"), ["RYE-2"]) == "RYE-2"
