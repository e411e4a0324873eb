"""What a shell knows at one place."""

import pytest

from ml_agent.repo.shell.state import State, change_folder
from ml_agent.repo.shell.words import Word


@pytest.mark.parametrize(
    ("start", "to", "folder"),
    [
        (".", "a/b", "a/b"),
        ("a/b", "..", "a"),
        ("a", "/b", "/b"),
        ("a", "$PWD/c", "a/c"),
        ("a", "~", None),
        (None, "b", None),
        ("a" * 4090, "b", "a" * 4090 + "/b"),
        ("a" * 4096, "b", None),  # longer than any system's paths
    ],
)
def test_where_cd_leads(start: str | None, to: str, folder: str | None) -> None:
    assert change_folder(State(cwd=start), Word(to, to, 0, len(to), 1)) == folder
