"""Grounded with a model beside it: what the model may decide, and what becomes of it when it fails."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from ml_agent.benchmarks.base import Sample
from ml_agent.errors import InfrastructureError
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.scripted import scripted_model
from ml_agent.policies.grounded import Grounded
from ml_agent.policies.grounded_plus import GroundedPlus
from ml_agent.policies.grounded_plus.policy import GroundedPlusSettings
from ml_agent.trajectory import Trajectory
from tests.models.parts import Fixed, model_at
from tests.models.server import refused, serving
from tests.policies.with_model import SMOKE, answer_of, end_of, run, solved, truth

TASK = "train the MLP on the spirals for 20 epochs"
UNPLACED = "train the MLP on the spirals for 20 epochs with a warm-up of 731 iterations"
"""No option of the program takes the last value."""


def plus(**settings: Any) -> GroundedPlus:
    return GroundedPlus(GroundedPlusSettings(**settings))


def choice(number: int) -> str:
    return json.dumps({"choice": number})


def code(text: str) -> str:
    return json.dumps({"code": text})


def thoughts(trajectory: Trajectory) -> str:
    return "\n".join(step.decision.thought for step in trajectory.steps)


def knowing(sample: Sample) -> Callable[[list[BaseMessage]], str]:
    """A model that knows the ground truth: it takes the candidate that is most like it."""
    wanted = set(re.findall(r"[\w./-]+", truth(sample).as_text()))

    def choose(messages: list[BaseMessage]) -> str:
        shown = re.findall(r'language="(\w+)">\n(.*?)\n</candidate>', str(messages[-1].content), re.DOTALL)
        best = max(shown, key=lambda one: (one[0] == sample.language, len(wanted & set(re.findall(r"[\w./-]+", one[1])))))
        return choice(shown.index(best) + 1)

    return choose


@pytest.mark.parametrize("sample", SMOKE, ids=lambda sample: sample.key)
def test_the_tasks_of_the_example(sample: Sample) -> None:
    model = scripted_model(knowing(sample), code(sample.output))
    assert solved(sample, run(plus(ask="always", candidates=10), model, sample.instruction))


def test_without_a_doubt_nothing_is_asked() -> None:
    model = scripted_model()
    alone = answer_of(run(Grounded(), None, TASK))
    assert answer_of(run(plus(close=0), model, TASK)) == alone


def test_the_model_chooses_among_those_that_are_close() -> None:
    model = scripted_model(choice(2))
    alone = answer_of(run(Grounded(), None, TASK, attempt=1))
    assert answer_of(run(plus(close=1), model, TASK)) == alone
    asked = str(model.chat.asked[0][-1].content)  # type: ignore[attr-defined]
    assert TASK in asked
    assert asked.count("<candidate number=") == 4
    assert alone.as_text() in asked


def test_attempts_follow_the_choice() -> None:
    first, second, third = (answer_of(run(plus(close=1), scripted_model(choice(3)), TASK, attempt=n)).as_text() for n in range(3))
    alone = [answer_of(run(Grounded(), None, TASK, attempt=n)).as_text() for n in range(3)]
    assert [first, second, third] == [alone[2], alone[0], alone[1]]


def test_what_found_no_place_is_put_in_and_checked() -> None:
    before = answer_of(run(Grounded(), None, UNPLACED)).code
    for put, taken in ((f"{before} --seed 731", True), (f"{before} --warm-up 731", False), (before.replace("20", "731"), False)):
        model = scripted_model(code(put))
        trajectory = run(plus(close=0), model, UNPLACED)
        assert answer_of(trajectory).code == (put if taken else before)
        assert "--epochs" in str(model.chat.asked[0][-1].content)  # type: ignore[attr-defined] # the program's help
    assert "the model's correction drops what was placed" in thoughts(trajectory)


def test_no_correction_if_none_is_wanted() -> None:
    assert answer_of(run(plus(close=0, correct=False), scripted_model(), UNPLACED)) == answer_of(run(Grounded(), None, UNPLACED))


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ([InfrastructureError("the service is gone")], "the service is gone"),
        ([ContextOverflow("too long")], "too long"),
    ],
)
def test_a_model_that_fails(replies: list[Exception], words: str) -> None:
    trajectory = run(plus(close=1), Fixed(*replies), TASK)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, TASK))
    assert f"(without the model: {words})" in thoughts(trajectory)


@pytest.mark.parametrize("replies", [("words", "more words"), ('{"choice": 99}', '{"choice": "one"}'), ("", "")])
def test_a_model_that_makes_no_sense(replies: tuple[str, str]) -> None:
    trajectory = run(plus(close=1), scripted_model(*replies), TASK)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, TASK))
    assert end_of(trajectory).verified


@pytest.mark.parametrize("status", [401, 500])
def test_a_service_that_refuses(status: int) -> None:
    with serving(*[refused(status, "no")] * 5) as server:
        trajectory = run(plus(close=1), model_at(server.url), TASK)
    assert answer_of(trajectory) == answer_of(run(Grounded(), None, TASK))
    assert "(without the model: " in thoughts(trajectory)
