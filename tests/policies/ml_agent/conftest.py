from pathlib import Path

import pytest

from tests.policies.ml_agent.support import lines


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lines(tmp_path)
