"""Requests for documented commands as they are, and for documented code."""

from pathlib import Path

import pytest

from ml_agent.benchmarks.echoes.__main__ import main
from ml_agent.benchmarks.echoes.code import documented_code
from ml_agent.benchmarks.echoes.whole import title_of, whole_commands
from ml_agent.repo.index import RepoIndex
from tests.policies.grounded.support import write

PROGRAM = """import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--nest", default="x")
parser.add_argument("--eggs", type=int, default=3)
parser.add_argument("--tree", default="elm")
parser.add_argument("--loud", action="store_true")
args = parser.parse_args()
"""
README = """# Birds

## Hatching at night in winter

```bash
python hatch.py --nest owl --eggs 50 --loud
python hatch.py --nest lark --eggs 50 --tree oak
python hatch.py --nest lark --wings 2
python hatch.py --nest <nest> --eggs 7
```

## Singing in the morning

```python
from birds import Singer

singer = Singer("lark", notes=40)
singer.sing("at dawn")
```

## Singing all day long

```python
from birds import Singer
singer = Singer(notes)
```
"""


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    singer = "class Singer:\n    def __init__(self, bird, notes=3): ...\n    def sing(self, when): ...\n"
    files = {"hatch.py": PROGRAM, "README.md": README, "birds.py": singer}
    return write(tmp_path / "checkouts", {f"aviary/{path}": text for path, text in files.items()})


def test_what_sets_a_command_apart_is_said(checkouts: Path) -> None:
    """Not the option that the program has no more, and no placeholder."""
    samples = list(whole_commands(RepoIndex(checkouts / "aviary"), "aviary", 9, 1))
    assert sorted(s.output for s in samples) == [
        "python hatch.py --nest lark --eggs 50 --tree oak",
        "python hatch.py --nest owl --eggs 50 --loud",
    ]
    for sample in samples:
        bird = sample.output.split()[3]
        assert {"owl": " owl", "lark": " oak" if "oak" in sample.instruction else " lark"}[bird] in sample.instruction
        assert set(sample.arguments.values()) == {bird, "50"} | ({"oak"} if bird == "lark" else set())


def test_documented_code_with_another_number(checkouts: Path) -> None:
    (sample,) = documented_code(RepoIndex(checkouts / "aviary"), "aviary", 9, 1)
    assert "notes=120" in sample.output
    assert set(sample.arguments.values()) == {"lark", "120", "at dawn"}
    assert "notes" in sample.instruction
    assert "120" in sample.instruction


def test_titles() -> None:
    assert title_of(("Birds", "## `Hatching`: **owls** (slow)")) == "Hatching owls"
    assert (title_of(("Owl",)), title_of(()), title_of(("long " * 20,))) == ("", "", "")


def test_they_are_answered_right(checkouts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(checkouts), "--each", "2", "--workers", "1", "--kinds", "whole", "code"]) == 0
    out = capsys.readouterr().out
    assert "2 of 2, 100.0 %" in out
    assert "1 of 1, 100.0 %" in out
