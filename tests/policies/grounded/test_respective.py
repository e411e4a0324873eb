"""Values that are said behind each other for names that are said behind each other."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import given, option

NESTS = option("--nests", type="int")
EGGS = option("--eggs", type="int")
WARMTH = option("--warmth", type="float")


@pytest.mark.parametrize(
    "text",
    [
        "set the nests, the eggs and the warmth to 4, 7 and 0.5 respectively",
        "nests, eggs and warmth of 4, 7 and 0.5, respectively.",
        "the nests, eggs, and warmth should be 4, 7, and 0.5, respectively; thanks",
        "Use 4, 7 and 0.5 as the nests, the eggs and the warmth, respectively.",
        "eggs and warmth = 7 and 0.5 respectively. 4 nests.",
    ],
)
def test_each_value_is_for_its_name(text: str) -> None:
    assert given(text, NESTS, EGGS, WARMTH) == {"--nests": "4", "--eggs": "7", "--warmth": "0.5"}


def test_such_values_are_no_list() -> None:
    request = read_request("nests and eggs of 4 and 7, respectively")
    assert request.runs == ()
    assert read_request("nests and eggs of 4 and 7").runs != ()


def test_as_many_names_as_values() -> None:
    assert read_request("nests of 4 and 7, respectively").respective == {}


@for_all(st.text(alphabet="ab 1,.and respectively", max_size=60))
def test_any_text(text: str) -> None:
    request = read_request(text + " respectively")
    assert all(0 <= start < end <= len(request.tokens) for start, end in request.respective.values())
