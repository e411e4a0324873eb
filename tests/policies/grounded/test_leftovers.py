"""Values that nothing names, at the only option that takes such."""

import pytest

from tests.policies.grounded.support import command, given, option

SEEDS = option("--seed", type="int", nargs="+", default="[1]")
DEVICE = option("--device", default="'cpu'", compared=("gpu",))


def test_numbers_of_a_documented_list() -> None:
    documented = command("python train.py --seed 13 21 42 87")
    assert given("search on the folds 13 42 87", SEEDS, commands=[documented]) == {"--seed": "13 42 87"}
    assert given("search on the folds 13 42 99", SEEDS, commands=[documented]) == {}
    assert given("search on the folds 13 42 87", SEEDS, option("--fold", type="int", nargs="+"), commands=[documented]) != {
        "--seed": "13 42 87"
    }


def test_a_text_goes_to_the_one_option_for_texts() -> None:
    context, owner = option("--context", default="'the lark'"), option("--owner")
    assert given("go on from `an owl in the oak`", context, owner) == {"--context": "an owl in the oak"}
    assert given("go on from `an owl in the oak`", owner) == {}
    assert given("go on from `an owl in the oak`", context, option("--prompt")) == {}


@pytest.mark.parametrize("text", ["count the owls on the GPU", "count the owls, entrusted to the gpu"])
def test_the_device(text: str) -> None:
    assert given(text, DEVICE) == {"--device": "gpu"}
    assert given(text, option("--device", default="'cuda'", compared=("cuda", "cpu"))) == {}  # it is the default
    assert given(text, option("--nest", compared=("gpu",))) == {}


@pytest.mark.parametrize("text", ["count the owls without a GPU", "count the owls, 8 per GPU", "count the owls on gpu 4"])
def test_no_device(text: str) -> None:
    assert given(text, DEVICE).get("--device") != "gpu"
