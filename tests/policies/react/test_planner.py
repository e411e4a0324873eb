"""The plan: short, and asked for in a request that is small however much was done."""

import pytest
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import BaseMessage

from ml_agent.models.messages import Options
from ml_agent.models.scripted import scripted_model
from ml_agent.policies.react.planner import SCHEMA, STEPS, Planner
from ml_agent.prompts import Prompts
from ml_agent.trajectory import Observation, ToolCall


def planner(model: object, options: Options | None = None, instruction: str = "train it") -> Planner:
    return Planner(model, Prompts(), options or Options(seed=3, must_call=True), instruction, ["grep", "submit"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "plan"),
    [
        ('{"plan": ["look  at\\nthe README", "submit"]}', ("look at the README", "submit")),
        ('```json\n{"plan": ["submit"]}\n```', ("submit",)),
        ('{"plan": ["a", 3, "", null, "b"]}', ("a", "b")),
        ('{"plan": {"a": "b"}}', ()),
        ('["a"]', ()),
        ("first I look", ()),
    ],
)
def test_a_plan_is_read(reply: str, plan: tuple[str, ...]) -> None:
    made, heard = planner(scripted_model(reply)).make()
    assert made == plan
    assert heard is not None
    assert heard.usage.total == 110


def test_a_long_plan_is_cut() -> None:
    plan, _ = planner(scripted_model(str({"plan": ["x" * 900] * 20}).replace("'", '"'))).make()
    assert len(plan) == STEPS
    assert {len(line) for line in plan} == {160}


def test_the_request_is_small() -> None:
    model = scripted_model('{"plan": ["a"]}', "none")
    made = planner(model, Options(max_tokens=5_000))
    made.make()
    for number in range(100):
        made.step()
        call = ToolCall("1", "run", {"code": f"python {number}.py " + "x" * 5_000, "language": "bash"})
        made.note(call, Observation("outcome: failed\n" + "y" * 50_000), failed=True)
    assert made.age == 100
    assert made.make()[0] == ()
    assert made.age == 0
    chat = model.chat  # type: ignore[attr-defined]
    assert chat.options[0]["max_tokens"] == 600
    assert chat.options[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    request = str(chat.asked[1][1].content)
    assert "1. a" in request
    assert "python 99.py" in request
    assert "python 80.py" not in request
    assert len(request) < 7_000


def test_only_the_last_step_went_wrong() -> None:
    model = scripted_model("{}")
    made = planner(model)
    made.note(ToolCall("1", "check_answer", {}), Observation("failed\nerror: old"), failed=True)
    made.step()
    made.note(ToolCall("1", "grep", {}), Observation("found"), failed=False)
    made.make()
    assert "went wrong" not in model.chat.asked[0][1].content  # type: ignore[attr-defined]


def test_a_task_that_is_too_long_has_no_plan() -> None:
    def full(messages: list[BaseMessage]) -> str:
        raise ContextOverflowError("9000 tokens")

    assert planner(scripted_model(full)).make() == ((), None)
