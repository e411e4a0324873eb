from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.policies.ml_agent.schemas import Decided, Feasibility, Final, Parameters, Refined, StepReply, Unfit
from ml_agent.prompts import names

KINDS: list[type[StepReply]] = [Feasibility, Decided, Parameters, Final, Refined]


@pytest.mark.parametrize("kind", KINDS)
def test_each_has_its_prompt(kind: type[StepReply]) -> None:
    assert f"ml_agent/{kind.template}" in names()


def test_schemas() -> None:
    assert Final.schema_of(folder=True) == {
        "type": "object",
        "properties": {
            "flag": {"enum": ["CODE", "No"], "type": "string"},
            "finally_code": {"type": "string"},
            "folder": {"type": "string"},
        },
        "required": ["flag", "finally_code", "folder"],
        "additionalProperties": False,
    }
    assert list(Final.schema_of(folder=False)["properties"]) == ["flag", "finally_code"]
    assert Feasibility.schema_of(folder=True)["properties"]["ranked_readmefiles"] == {"items": {"type": "string"}, "type": "array"}


def test_flags_are_read_as_they_are_meant() -> None:
    assert Decided.model_validate({"flag": " code ", "code": "x"}).flag == "CODE"
    assert Feasibility.model_validate({"task_flag": "YES"}).task_flag == "Yes"
    assert Decided.model_validate({"flag": "no", "code": "x", "file_path": None}).written == ""
    assert Final.model_validate({"flag": "CODE", "finally_code": "x", "why": 1}).written == "x"
    assert Refined.model_validate({"code": "x", "folder": None}).folder == ""


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        (Decided, {"flag": "CODE"}, "there is no code"),
        (Final, {"flag": "CODE", "finally_code": "\n"}, "there is no code"),
        (Decided, {"flag": "FILE", "file_path": ""}, "file_path is empty"),
        (Decided, {}, "flag: Field required"),
        (Refined, {"code": ""}, "code: Value error, it is empty"),
        (Parameters, {"args_code": 3}, "args_code: Input should be a valid string"),
        (Feasibility, {"task_flag": True}, "task_flag: Input should be 'Yes' or 'No'"),
        (Feasibility, {"task_flag": "Yes", "ranked_readmefiles": "README.md"}, "ranked_readmefiles: "),
    ],
)
def test_what_does_not_fit_is_said(kind: type[StepReply], data: dict[str, Any], words: str) -> None:
    with pytest.raises(Unfit, match="Your JSON object does not fit: ") as caught:
        kind.read(data)
    assert words in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s), max_leaves=5
)
FIELDS = st.sampled_from(["flag", "task_flag", "code", "finally_code", "file_path", "folder", "args_code", "ranked_readmefiles"])


@given(data=st.dictionaries(FIELDS, JSON | st.sampled_from(["CODE", "FILE", "No"])))
def test_any_object_is_read_or_refused(data: dict[str, Any]) -> None:
    for kind in KINDS:
        with suppress(Unfit):
            assert isinstance(kind.read(data), kind)
