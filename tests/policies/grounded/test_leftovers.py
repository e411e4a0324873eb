"""Values that nothing names, at the only option that takes such."""

import pytest

from ml_agent.policies.grounded.leftovers import by_what_they_take
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import command, given, option

SEEDS = option("--seed", type="int", nargs="+", default="[1]")
DEVICE = option("--device", default="'cpu'", compared=("gpu",))


def left_over(text: str, *options: Option, documented: str = "") -> dict[str, tuple[str, ...]]:
    found = by_what_they_take(options, {o.name: documented.split() for o in options}, {}, read_request(text), ())
    return {o.name: values for o, values, _ in found}


def test_numbers_of_a_documented_list() -> None:
    shown = "13 21 42 87"
    assert given("search on the folds 13 42 87", SEEDS, commands=[command(f"python train.py --seed {shown}")]) == {"--seed": "13 42 87"}
    assert left_over("search on the folds 13 42 87", SEEDS, documented=shown) == {"--seed": ("13", "42", "87")}
    assert left_over("search on the folds 13 42 99", SEEDS, documented=shown) == {}
    assert left_over("search on the folds 13 42 87", SEEDS, option("--fold", type="int", nargs="+"), documented=shown) == {}


def test_a_text_goes_to_the_one_option_for_texts() -> None:
    context, owner = option("--context", default="'the lark'"), option("--owner")
    assert given("go on from `an owl in the oak`", context, owner) == {"--context": "an owl in the oak"}
    assert left_over("go on from `an owl in the oak`", context, owner) == {"--context": ("an owl in the oak",)}
    assert left_over("go on from `an owl in the oak`", owner) == {}
    assert left_over("go on from `an owl in the oak`", context, option("--prompt")) == {}


@pytest.mark.parametrize("text", ["count the owls on the GPU", "count the owls, entrusted to the gpu"])
def test_the_device(text: str) -> None:
    assert given(text, DEVICE) == {"--device": "gpu"}
    assert given(text, option("--device", default="'cuda'", compared=("cuda", "cpu"))) == {}  # it is the default
    assert given(text, option("--nest", compared=("gpu",))) == {}


@pytest.mark.parametrize("text", ["count the owls without a GPU", "count the owls, 8 per GPU", "count the owls on gpu 4"])
def test_no_device(text: str) -> None:
    assert given(text, DEVICE).get("--device") != "gpu"


SAMPLES = option("--num-samples", type="int", default="10")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("draw 25 plumages", "25"),
        ("make the 25 nests", "25"),
        ("draw 25 plumages and make 3 nests", None),  # which of them?
        ("paint 25 plumages", None),
        ("draw 25.5 plumages", None),
        ("draw it, 25 of them", None),
    ],
)
def test_how_many_are_made(text: str, expected: str | None) -> None:
    values = (expected,) if expected else ()
    assert left_over(text, SAMPLES, option("--seed", type="int")) == ({"--num-samples": values} if values else {})
    assert left_over(text, SAMPLES, option("--n_outputs", type="int")) == {}


def test_how_many_are_made_goes_to_the_option_that_nothing_names() -> None:
    assert given("draw 25 plumages", SAMPLES, option("--lamps")) == {"--num-samples": "25"}
    assert given("draw 25 plumages", SAMPLES, option("--plumages", type="int")) == {"--plumages": "25"}
