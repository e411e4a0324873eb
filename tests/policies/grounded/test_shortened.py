"""Names in short, for those that are written in full."""

import pytest

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.shortened import abbreviates, in_full
from tests.policies.grounded.support import given, option


@pytest.mark.parametrize(
    ("short", "name", "meant"),
    [
        ("rn50", "RidgeNet-50", True),
        ("rn50", "RidgeNet50", True),
        ("rn_50", "Ridge Net 50", True),
        ("r50", "RidgeNet-50", True),
        ("mb2-lite", "MarshBirdV2 Lite", True),
        ("mbird2", "MarshBird-V2", True),
        ("rn34", "RidgeNet-50", False),
        ("mn50", "RidgeNet-50", False),
        ("rn50", "RidgeNet-50-34", False),
        ("rn50x4", "RidgeNet-50", False),
        ("mb2", "MarshBirdV2 Lite", False),
        ("rn50", "rn50", False),  # it is the name itself
        ("rn", "RidgeNet", False),
    ],
)
def test_letters_and_numbers_of_a_name(short: str, name: str, *, meant: bool) -> None:
    assert abbreviates(short, name) is meant


NETS = option("--net", choices=("rn50", "rn34", "mb2", "mb2-lite"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("train a RidgeNet-50", "rn50"),
        ("train RidgeNet 34 on owls", "rn34"),
        ("train a MarshBirdV2 Lite", "mb2-lite"),
        ("train a MarshBirdV2 for tea", "mb2"),
        ("train a RidgeNet-101", None),
    ],
)
def test_an_option_takes_the_short_name(text: str, value: str | None) -> None:
    assert given(text, NETS) == ({"--net": value} if value else {})


def test_of_two_short_names_none_is_meant() -> None:
    request = read_request("train a RidgeNet-50 for tea")
    assert in_full({"--net": {"rn50": "rn50", "rn34": "rn34"}, "--lamp": {"on": "on"}}, request) == {(2, 2): {"--net": "rn50"}}
    assert in_full({"--net": {"rn50": "rn50", "r50": "r50"}}, request) == {}
