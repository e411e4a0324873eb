import math
import time

import pytest

from ml_agent.errors import LimitReached
from ml_agent.limits import Limits


def test_the_clock_runs_from_the_start_only() -> None:
    limits = Limits(seconds=0.05)
    time.sleep(0.06)
    limits.check()
    assert limits.remaining().seconds == 0.05
    limits.start()
    time.sleep(0.03)
    limits.start()  # a second start does not set the clock back
    time.sleep(0.03)
    with pytest.raises(LimitReached, match=r"0\.05 seconds") as caught:
        limits.check()
    assert caught.value.limit == "seconds"


@pytest.mark.parametrize("name", ["steps", "tokens", "money"])
def test_a_spent_limit_is_named(name: str) -> None:
    limits = Limits(**{name: 2})
    limits.spend(**{name: 1})
    limits.check()
    assert getattr(limits.remaining(), name) == 1
    limits.spend(**{name: 1.5})  # spending never raises, and what is left is never below zero
    assert getattr(limits.remaining(), name) == 0
    with pytest.raises(LimitReached, match=f"the limit of 2 {name}") as caught:
        limits.check()
    assert caught.value.limit == name


def test_a_check_can_be_narrowed() -> None:
    limits = Limits(steps=1)
    limits.spend(steps=1)
    limits.check("seconds", "tokens", "money")
    with pytest.raises(LimitReached):
        limits.check("steps")


def test_spent_sandbox_time_ends_runs_and_not_the_solve() -> None:
    limits = Limits(seconds=100, sandbox_seconds=5)
    assert limits.run_seconds() == 5
    limits.spend(sandbox_seconds=7)
    assert limits.run_seconds() == 0
    limits.check()


def test_a_run_gets_the_smaller_rest() -> None:
    assert Limits(seconds=3, sandbox_seconds=5).run_seconds() == 3
    assert Limits(seconds=math.inf, sandbox_seconds=math.inf).run_seconds() == math.inf


@pytest.mark.parametrize("value", [0, -1, math.nan])
@pytest.mark.parametrize("name", ["steps", "seconds", "sandbox_seconds", "tokens", "money"])
def test_a_limit_is_above_zero(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})
