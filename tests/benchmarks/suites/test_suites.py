import pytest

from ml_agent.benchmarks.suites import SUITES, load_suite
from ml_agent.errors import UsageError


def test_the_registry() -> None:
    assert set(SUITES) == {"ml-bench", "smoke"}
    with pytest.raises(UsageError, match="there is no suite 'x': choose one of ml-bench, smoke"):
        load_suite("x")
