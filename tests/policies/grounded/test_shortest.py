"""Assignment at the least cost: exactly what scipy chooses, without scipy."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from ml_agent.policies.grounded import shortest
from ml_agent.policies.grounded.shortest import least_cost


@pytest.mark.parametrize("digits", [0, 1, 12], ids=["many ties", "some ties", "none"])
def test_the_pairs_are_those_of_scipy(digits: int) -> None:
    random = np.random.default_rng(digits)
    for _ in range(400):
        costs = -np.maximum(np.round(random.normal(0.5, 2.0, random.integers(0, 12, 2)), digits), 0.0)
        rows, columns = linear_sum_assignment(costs)
        assert least_cost(costs) == list(zip(rows.tolist(), columns.tolist(), strict=True))


def test_a_large_table_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = np.round(np.random.default_rng(5).normal(size=(9, 7)), 1)
    small = least_cost(costs)
    monkeypatch.setattr(shortest, "_LARGE", 1)
    assert least_cost(costs) == small


def test_a_small_table_needs_no_scipy() -> None:
    code = (
        "import sys, numpy; from ml_agent.policies.grounded.choosing import assignment;"
        "assert assignment(numpy.eye(3)) == [(0, 0), (1, 1), (2, 2)]; assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
