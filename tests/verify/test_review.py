from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer, Language, Task
from ml_agent.verify import review
from tests.verify.support import repository

PROGRAM = """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--rows", type=int)
p.add_argument("--yarn", choices=["Merino", "Cotton"])
p.add_argument("--dye", type=float)
p.add_argument("--double-knot", action="store_true")
p.add_argument("--no-fringe", action="store_true")
p.add_argument("--pattern")
p.parse_args()
"""


@pytest.fixture
def index(tmp_path: Path) -> RepoIndex:
    files = {"loom/weave.py": PROGRAM, "loom/Tapestry.py": "x = 1\n", "lib/__init__.py": "def weave(rows, size=3): ...\n"}
    return repository(tmp_path / "silkworks", files)


def unplaced(index: RepoIndex, instruction: str, code: str, language: Language = "bash", workdir: str = "loom") -> list[str]:
    check = review(Task(instruction, index.root), Answer(language, code, workdir), index)
    assert all(f.severity == "warning" for f in check.findings if f.kind == "unplaced")
    return [f.suggestion or f.place for f in check.findings if f.kind == "unplaced"]


@pytest.mark.parametrize(
    ("instruction", "code", "expected"),
    [
        ("Weave 7 rows", "python weave.py --rows 7", []),
        ("Weave 7 rows", "python weave.py --rows 8", ["7"]),
        ("Weave 1,000 rows, dyed to 10%", "python weave.py --rows 1000 --dye 0.1", []),
        ("Weave 0.0001 of it", "python weave.py --dye 1e-4", []),
        ("Weave it of Merino", "python weave.py --yarn Merino", []),
        ("Weave it of Merino", "python weave.py --yarn Cotton", ["Merino"]),
        ("Weave it in Silkworks for Anna", "python weave.py", []),
        ("Weave the Tapestry", "python weave.py", ["Tapestry"]),
        ("Weave after the pattern in `plans/star.png`", "python weave.py --pattern plans/star.png", []),
        ("Weave after the pattern in `plans/star.png`", "python weave.py", ["plans/star.png"]),
        ("Weave with a double knot", "python weave.py", ["--double-knot"]),
        ("Weave with a double knot", "python weave.py --double-knot", []),
        ("Weave without a double knot", "python weave.py", []),
        ("Weave without fringe", "python weave.py", ["--no-fringe"]),
        ("Weave with fringe", "python weave.py", []),
    ],
)
def test_what_a_command_leaves_out(index: RepoIndex, instruction: str, code: str, expected: list[str]) -> None:
    assert unplaced(index, instruction, code) == expected


def test_what_a_program_leaves_out(index: RepoIndex) -> None:
    code = "from lib import weave\nweave(50, size=(49, 512))"
    assert unplaced(index, "Weave a (50,49,512) cloth", code, "python", ".") == []
    assert unplaced(index, "Weave a (50,49,256) cloth with Net_7", code, "python", ".") == ["256", "Net_7"]


def test_the_findings_of_verification_come_first(index: RepoIndex) -> None:
    check = review(Task("Weave 7 rows", index.root), Answer("bash", "python weave.py --colour red", "loom"), index)
    assert [(f.kind, f.severity) for f in check.findings] == [("option", "error"), ("unplaced", "warning")]


def test_an_empty_answer_is_that_alone(index: RepoIndex) -> None:
    check = review(Task("Weave 7 rows", index.root), Answer("bash", " "), index)
    assert [f.kind for f in check.findings] == ["nothing"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(instruction=st.text(max_size=200), code=st.text(max_size=100))
def test_nothing_is_raised(index: RepoIndex, instruction: str, code: str) -> None:
    for language in ("bash", "python"):
        check = review(Task(instruction, index.root), Answer(language, code), index)
        assert all(f.message.isprintable() or f.message for f in check.findings)
