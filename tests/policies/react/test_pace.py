"""How many more replies the limits allow."""

import math

import pytest

from ml_agent.limits import Remaining
from ml_agent.models.messages import Reply, Usage
from ml_agent.policies.react.pace import Pace


def left(pace: Pace, steps: float = math.inf, seconds: float = math.inf, tokens: float = math.inf, money: float = math.inf) -> float:
    return pace.replies(Remaining(steps, seconds, math.inf, tokens, money))


def reply(seconds: float = 0.0, tokens: int = 0, money: float | None = None) -> Reply:
    return Reply(seconds=seconds, usage=Usage(tokens, 0), money=money)


def test_steps_count_with_the_one_that_is_decided() -> None:
    assert left(Pace(), steps=0) == 1
    assert left(Pace(), steps=9) == 10
    assert left(Pace()) == math.inf


@pytest.mark.parametrize(
    ("costs", "remaining", "replies"),
    [
        ({"seconds": 4.0}, {"seconds": 10.0}, 2.5),
        ({"tokens": 3_000}, {"tokens": 2_000}, 2 / 3),
        ({"money": 0.5}, {"money": 2.0}, 4.0),
        ({"money": None}, {"money": 2.0}, math.inf),
        ({"seconds": 4.0, "tokens": 100}, {"seconds": 40.0, "tokens": 300, "steps": 50}, 3.0),
    ],
)
def test_what_is_scarcest_counts(costs: dict[str, float], remaining: dict[str, float], replies: float) -> None:
    pace = Pace()
    pace.hear(reply(**costs))  # type: ignore[arg-type]
    assert left(pace, **remaining) == pytest.approx(replies)


def test_the_dearest_of_the_last_three_is_the_measure() -> None:
    pace = Pace()
    for seconds in (90.0, 2.0, 5.0, 1.0):  # the first loaded the model
        pace.hear(reply(seconds))
    assert left(pace, seconds=20.0) == 4
