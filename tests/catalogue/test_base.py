import json
from pathlib import Path

from ml_agent.catalogue.base import Candidate, one_line


def test_as_json() -> None:
    stored = json.loads(json.dumps(Candidate("a", path=Path("/x"), topics=("b",)).to_dict()))
    assert (stored["name"], stored["path"], stored["topics"], stored["stars"]) == ("a", "/x", ["b"], None)
    assert Candidate("a", "https://x/y").to_dict()["path"] is None


def test_one_line() -> None:
    assert one_line(" a\n\tb  c ") == "a b c"
    assert one_line("x" * 50, 10) == "x" * 9 + "…"
    assert len(one_line("x " * 1_000_000)) == 1_000
