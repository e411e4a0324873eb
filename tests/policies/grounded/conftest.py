from pathlib import Path

import pytest

from tests.policies.grounded.birds import BIRDS
from tests.policies.grounded.support import write


@pytest.fixture
def birds(tmp_path: Path) -> Path:
    return write(tmp_path / "birds", BIRDS)
