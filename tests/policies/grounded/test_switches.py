"""Parameters that are switched on or off in words."""

import pytest

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.switches import ON_CPU, switched
from ml_agent.repo.callables import Taken


@pytest.mark.parametrize(
    ("name", "default", "text", "expected"),
    [
        ("amp", "True", "train without mixed precision", False),
        ("amp", "False", "train in mixed precision", True),
        ("amp", "True", "train in mixed precision", None),
        ("verbose", "True", "train quietly", False),
        ("verbose", "False", "train quietly", None),
        ("cuda", "True", "train on the CPU", False),
        ("cuda", "False", "train on the CPU", None),
        ("calculate_fid", "True", "train, and don't calculate the FID", False),
        ("use_bias", "True", "with use_bias=False", False),
        ("straight_through", "False", "straight-through on", True),
        ("include_input", "True", "without the raw input", False),
        ("rel_pos", "True", "and no relative position bias", False),
        ("concat", "True", "averaged rather than concatenated", False),
        ("learnable", "True", "the scale must stay fixed", False),
        ("learnable", "False", "the scale must stay fixed", None),
    ],
)
def test_what_is_wished_for(name: str, default: str, text: str, expected: bool | None) -> None:
    found = switched(Taken(name, "keyword_only", default), read_request(text), frozenset())
    assert (found[0] if found else None) is expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("train on nothing but the CPU", True),
        ("train on the CPU alone", True),
        ("train with CPU alone", True),
        ("train with just the CPU", True),
        ("log the CPU count", False),
        ("train on 4 CPU cores", False),
    ],
)
def test_that_it_is_to_run_on_the_cpu(text: str, *, said: bool) -> None:
    assert bool(ON_CPU.search(text)) is said
