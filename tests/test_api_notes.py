from pathlib import Path

import pytest

from ml_agent.api import solve


def test_a_damaged_index_is_said_with_the_result(smoke: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert solve(smoke, "evaluate the model", run=False).notes == ()
    for facts in (tmp_path / "cache" / "ml-agent" / "index").glob("*.sqlite"):
        facts.write_bytes(b"no database " * 1000)
    (note,) = solve(smoke, "evaluate the model", run=False).notes
    assert "was damaged" in note
