"""Lists in one word: how an option takes them, and how people say them."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from ml_agent.policies.grounded.lists import ListStyle, list_style, one_side
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import command, given, option

WAYS = (
    (option("--nests", default="'3,4'", type="str"), "7,12,31"),
    (option("--nests", default="'(3, 4)'", type="str"), "(7, 12, 31)"),
    (option("--nests", default="'[3,4]'", type="str"), "[7,12,31]"),
    (option("--nests", default="[3, 4]", type="eval"), "[7,12,31]"),
    (option("--nests", default="[3, 4]", type="lambda"), "7,12,31"),
    (option("--nests", default="[3, 4]", type="int_list"), "7,12,31"),
    (option("--nests", default="'3 4'", type="str"), "7 12 31"),
    (option("--nests", default="'3-4-5'", type="str"), "7-12-31"),
    (option("--nests", type="str", help="sizes of the nests, comma separated"), "7,12,31"),
    (option("--nests", type="str", help="a space-delimited list of sizes"), "7 12 31"),
    (option("--nests", type="str", help="their sizes, e.g. 3,4"), "7,12,31"),
    (option("--nests", nargs="+", type="int"), "7 12 31"),
)
SAID = (
    "nests 7, 12 and 31",
    "nests of 7 12 31",
    "nests set to 7,12,31",
    "nests: [7, 12, 31]",
    "use 7 then 12 then 31 as the nests",
    "nests 7 and then 12 and then 31",
    "7 followed by 12 followed by 31 for the nests",
    "7/12/31 for the nests",
    "40 broods, 7, 12 and 31 for the nests",
)


@pytest.mark.parametrize("text", SAID)
@pytest.mark.parametrize(("of", "written"), WAYS, ids=[f"{w} {o.type}" for o, w in WAYS])
def test_a_list_is_written_as_the_option_takes_it(of: Option, written: str, text: str) -> None:
    broods = option("--broods", type="int", default="9")
    found = given(f"watch the owls, {text}", of, broods)
    assert found["--nests"] == written
    assert found.get("--broods", "40") == "40"


def test_documented_lists_go_before_what_the_default_says() -> None:
    nests = option("--nests", default="'3,4'", type="str")
    documented = command("python train.py --nests 1:2:3")
    assert given("nests 7 and 12", nests, commands=[documented]) == {"--nests": "7:12"}


def test_three_digits_behind_a_comma() -> None:
    """`60,120` may be one number; where an option has a list of small ones, it is two."""
    assert given("nests 60,120", option("--nests", default="'30,40'", type="str")) == {"--nests": "60,120"}
    assert given("nests 60,120", option("--nests", default="'3000,4000'", type="str")) == {"--nests": "60,120"}
    assert given("nests 60,120", option("--nests", nargs="+", type="int", default="[30, 40]")) == {"--nests": "60 120"}
    assert given("nests 60,120", option("--nests", nargs="+", type="int", default="[3000, 4000]")) == {"--nests": "60120"}
    assert given("nests 60,120", option("--nests", type="int", default="30")) == {"--nests": "60120"}


def test_one_number_of_a_list_in_brackets() -> None:
    assert given("nests 7", option("--nests", default="'[3,4]'", type="str")) == {"--nests": "[7]"}
    assert given("nests 7", option("--nests", default="'3,4'", type="str")) == {"--nests": "7"}


@pytest.mark.parametrize("text", ["owl", "data/owl", "3", "1e-5", "-3", "owl-night", "2 owls", "owl night", ""])
def test_what_is_no_list(text: str) -> None:
    assert list_style(option("--nests"), [text]) is None


SIGNS = (("", ",", ""), ("[", ", ", "]"), ("", ":", ""), ("", "-", ""))


@for_all(st.lists(st.integers(0, 999).map(str), min_size=2, max_size=5), st.sampled_from(SIGNS))
def test_what_is_written_is_read_alike(values: list[str], signs: tuple[str, str, str]) -> None:
    style = ListStyle(*signs)
    assert list_style(option("--nests"), [style.written(values)]) == style


@pytest.mark.parametrize(
    ("of", "side"),
    [
        (option("--image-size", type="int"), "96"),
        (option("--resolution", default="64"), "96"),
        (option("--crop", type="int", default="64"), "96"),
        (option("--batch-size", type="int"), ""),
        (option("--image-size", type="str"), ""),
        (option("--image-width", type="int"), ""),
    ],
)
def test_the_side_of_a_square_for_one_number(of: Option, side: str) -> None:
    assert one_side(of, ("96", "96")) == side
    assert one_side(of, ("96", "64")) == ""


def test_square_pictures() -> None:
    assert given("with 96x96 pictures", option("--image-size", type="int", default="64")) == {"--image-size": "96"}
