"""Options that a request calls exactly by their name, or as their help does."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.verbatim import Beside, explained_exactly, is_called, longer_names, naming
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import line, option, program

EGGS = option("--nest-eggs", type="int")
FEED = option("--feed", type="int", help="grains of wheat per owl, at most 100")
ALL = (EGGS, option("--eggs", type="int"), FEED, option("--ngulls", type="int"))


def beside(text: str) -> Beside:
    request = read_request(text)
    return Beside(request, next(m.position for m in request.mentions if m.kind == "number"))


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("with 7 as the number of grains of wheat per owl", {"--feed"}),
        ("the grains of wheat per owl should be 7", {"--feed"}),
        ("grains of wheat of 7", set()),
        ("set the nest eggs to 7", set()),
        ("give it 7", set()),
        ("use 7 for the number of grains of wheat to run an owl", {"--run"}),
        ("use 7 for the number of grains of wheat and run an owl", set()),
    ],
)
def test_a_help_beside_a_value(text: str, explained: set[str]) -> None:
    run = option("--run", type="int", help="number of grains of wheat to run an owl")
    assert explained_exactly((*ALL, run), beside(text)) == frozenset(explained)


def test_a_name_that_says_all() -> None:
    assert is_called(EGGS, beside("nest eggs of 7")) == 2
    assert is_called(EGGS, beside("eggs of 7")) == 0
    assert is_called(EGGS, beside("a size of the nest eggs of 7")) == 2
    assert is_called(EGGS, beside("blue nest eggs of 7")) == 0


def test_words_that_name_an_option_are_no_values() -> None:
    text = "hatch with nest eggs 7"
    assert {read_request(text).tokens[at].text for at in naming(ALL, (), beside(text))} == {"nest", "eggs"}
    assert naming(ALL, (), beside("hatch with eggs 7")) == frozenset()
    assert naming(ALL, {"--eggs"}, beside("hatch with eggs 7")) != frozenset()


def test_a_value_goes_to_what_is_called_exactly() -> None:
    made = program(option("--gulls", type="int"), option("--ngulls-max", type="int"), option("--nsamples", type="int", default="128"))
    assert line("Set the nsamples to 256.", made).answer().code == "python train.py --nsamples 256"


@given(st.text(alphabet="nest eggs7 .,of", max_size=60), st.text(alphabet="nest-eggs", max_size=12))
def test_any_text(text: str, name: str) -> None:
    request = read_request(text + " 7")
    made: Option = option(f"--{name}" if name.strip("-") else "--x")
    for mention in request.mentions:
        assert is_called(made, Beside(request, mention.position)) >= 0


def names_out(text: str, options: Sequence[Option]) -> frozenset[str]:
    request = read_request(text)
    (number,) = (m.position for m in request.mentions if m.kind == "number")
    return longer_names(options, number, Beside(request, number), request)


BATCH, MOST = option("--batch-size", type="int"), option("--max-batch-size", type="int")
TEA = (BATCH, MOST, option("--cups", type="int"), option("--min-cups", type="int"), option("--green-batch-size", type="int"))


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("brew tea with a batch size of 8", {"--max-batch-size", "--green-batch-size", "--min-cups"}),
        ("brew green tea with a batch size of 8", {"--max-batch-size", "--min-cups"}),
        ("brew tea with batch size 8 as the maximum", {"--green-batch-size", "--min-cups", "--batch-size"}),
        ("brew tea with a maximum batch size of 8", {"--min-cups", "--batch-size"}),
        ("brew 8 cups", {"--max-batch-size", "--min-cups"}),
        ("brew 8 cups as a minimum", {"--max-batch-size", "--cups"}),
        ("brew at most 8 cups", {"--min-cups", "--batch-size"}),
        ("brew at least 8 cups", {"--max-batch-size", "--cups"}),
        ("brew at a heat of 8", {"--max-batch-size", "--min-cups"}),
    ],
)
def test_a_longer_name_than_the_one_that_stands_there(text: str, out: set[str]) -> None:
    assert names_out(text, TEA) == out


def test_a_limit_alone_is_no_longer_name() -> None:
    text = "brew with a batch size of 8"
    assert names_out(text, (MOST, FEED)) == frozenset()


@pytest.mark.parametrize(("text", "name"), [("a batch size of 8", "--batch-size"), ("a maximum batch size of 8", "--max-batch-size")])
def test_a_value_goes_to_a_longer_name_only_if_all_of_it_is_said(text: str, name: str) -> None:
    untyped = option("--batch-size", type="str")
    assert line(f"brew tea with {text}", program(untyped, MOST)).answer().code == f"python train.py {name} 8"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("train for at least 50 epochs", "--minimum-epochs 50"),
        ("train for at most 8 epochs", "--max-epochs 8"),
        ("train for 8 epochs", "--num-epochs 8"),
    ],
)
def test_a_limit_is_for_the_option_that_has_it(text: str, expected: str) -> None:
    plain, least, most = (option(f"--{name}-epochs", type="int") for name in ("num", "minimum", "max"))
    for options in ((plain, least, most), (most, least, plain)):
        assert line(text, program(*options)).answer().code == f"python train.py {expected}"
    assert "--num-epochs" not in names_out(text.replace("most", "least"), (plain, most))
