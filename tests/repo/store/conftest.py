from pathlib import Path

import pytest

from ml_agent.repo.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache")
