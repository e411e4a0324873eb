from pathlib import Path

import pytest

from ml_agent.benchmarks.suites import SUITES, about, load_suite
from ml_agent.errors import UsageError

MINE = '''
"""Nothing at all."""
from ml_agent.benchmarks.base import Suite
from ml_agent.errors import InfrastructureError, UsageError

def load(data=None, split="full"):
    """With what is in a file."""
    return Suite(f"mine {data} {split}", "1", (), {})

def strange(data, split):
    return Suite("ml-bench", "1", (), {})

def broken(data, split):
    return 1 / 0

def refuses(data, split):
    raise UsageError("give --data")

def nothing(data, split): ...

number = 3
'''


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path / 'mine.py'}"


def test_the_registry() -> None:
    assert set(SUITES) == {"documented", "fresh", "further", "kindred", "lessons", "ml-bench", "reserve", "smoke", "wide"}
    with pytest.raises(
        UsageError,
        match="no suite is called 'x': known: ml-bench, smoke, documented, lessons, reserve, kindred, fresh, further, wide; your own",
    ):
        load_suite("x")
    assert [load_suite("smoke").name, about("smoke")] == ["smoke", SUITES["smoke"][1]]


def test_one_of_a_file(mine: str) -> None:
    assert load_suite(f"{mine}:load", "rows", "quarter").name == "mine rows quarter"
    assert about(f"{mine}:load") == "With what is in a file."


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("strange", "has the name of ml-agent's own suite ml-bench"),
        ("broken", "cannot be read: ZeroDivisionError"),
        ("refuses", "^give --data$"),
        ("nothing", "gives no ml_agent.benchmarks.base.Suite"),
        ("number", "has to be a function"),
        ("nosuch", "has no 'nosuch'"),
    ],
)
def test_what_is_none_is_told_in_a_line(mine: str, name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        load_suite(f"{mine}:{name}")
    assert "\n" not in str(caught.value)
