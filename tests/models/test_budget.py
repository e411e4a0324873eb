"""A run's limits hold a model."""

import time

import pytest

from ml_agent.errors import InfrastructureError, LimitReached, UsageError
from ml_agent.limits import Limits
from ml_agent.models.budget import Budgeted
from ml_agent.models.messages import Options
from ml_agent.models.retry import RetryRule
from tests.models.parts import HI, Fixed, model_at, said
from tests.models.server import dripping, serving


def test_tokens_and_money_are_spent() -> None:
    limits = Limits(tokens=2000, money=1.0)
    model = Budgeted(Fixed(said("a"), said("b")), limits)
    model.complete(HI)
    assert (limits.used("tokens"), limits.used("money")) == (1500, 0.0075)
    model.complete(HI)
    with pytest.raises(LimitReached, match="the limit of 2000 tokens is spent"):
        model.complete(HI)


def test_what_is_cached_costs_nothing() -> None:
    limits = Limits(tokens=10)
    Budgeted(Fixed(said("a", cached=True)), limits).complete(HI)
    assert limits.used("tokens") == 0


def test_money_cannot_be_limited_where_the_price_is_unknown() -> None:
    with pytest.raises(UsageError, match=r"the price of openai:gpt-4o is not known.*limit tokens instead"):
        Budgeted(Fixed(priced=False), Limits(money=1.0))
    Budgeted(Fixed(priced=False), Limits(tokens=1))


def test_the_deadline_of_the_run_is_the_deadline_of_the_request() -> None:
    limits = Limits(seconds=0.5)
    with serving(*[dripping(9)] * 9) as server:
        model = Budgeted(model_at(server.url, rule=RetryRule()), limits)
        limits.start()
        start = time.monotonic()
        with pytest.raises(LimitReached, match=r"the limit of 0\.5 seconds is spent"):
            model.complete(HI, options=Options(max_tokens=1))
    assert time.monotonic() - start < 2


def test_a_failure_before_the_deadline_is_a_failure() -> None:
    with pytest.raises(InfrastructureError, match="dead"):
        Budgeted(Fixed(InfrastructureError("dead")), Limits()).complete(HI)
