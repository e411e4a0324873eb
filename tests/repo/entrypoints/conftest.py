"""A reader that fails is a defect, which these tests must see."""

import pytest

from ml_agent.repo.entrypoints import reading
from ml_agent.repo.entrypoints.base import EntryPoint


@pytest.fixture(autouse=True)
def readers_do_not_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str, error: Exception) -> EntryPoint:
        raise error

    monkeypatch.setattr(reading, "_failed", fail)
