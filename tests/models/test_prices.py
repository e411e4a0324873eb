"""Prices by name; what is unknown is unknown."""

import datetime

import pytest

from ml_agent.models.messages import Usage
from ml_agent.models.prices import price_of


@pytest.mark.parametrize(
    "name", ["openai:gpt-4o", "openai:gpt-4o-2024-08-06", "anthropic:claude-sonnet-4-20250514", "anthropic:claude-3-5-haiku-latest"]
)
def test_known(name: str) -> None:
    price = price_of(name)
    assert price is not None
    datetime.date.fromisoformat(price.date)
    assert 0 < price.input < price.output


def test_cost() -> None:
    price = price_of("openai:gpt-4o")
    assert price is not None
    assert price.of(Usage(1_000_000, 100_000)) == pytest.approx(3.5)


@pytest.mark.parametrize("name", ["openai:gpt-4o-audio", "ollama:gpt-4o", "gpt-4o", ""])
def test_unknown(name: str) -> None:
    assert price_of(name) is None


def test_this_machine_is_free() -> None:
    price = price_of("gguf:/models/x.gguf")
    assert price is not None
    assert price.of(Usage(10**9, 10**9)) == 0
