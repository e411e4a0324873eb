"""The small repository as fixtures: its folder, a workspace that runs nothing, and one with a sandbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.sandbox.options import Options
from ml_agent.workspace import Workspace
from tests.tools.support import repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path)


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    with Workspace(root, Options(sandbox="none")) as made:
        yield made


@pytest.fixture
def sandboxed(root: Path) -> Iterator[Workspace]:
    with Workspace(root, Options(sandbox="bubblewrap")) as made:
        yield made
