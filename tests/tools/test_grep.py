import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ml_agent.errors import ToolError
from ml_agent.limits import Limits
from ml_agent.sandbox.options import Options
from ml_agent.tools.grep import LINE_LIMIT, _compile, _matching
from ml_agent.workspace import Workspace
from tests.pace import within
from tests.tools.support import call


def found(workspace: Workspace, **arguments: Any) -> list[tuple[str, int]]:
    return [(m["path"], m["line"]) for m in call(workspace, "grep", **arguments).data["matches"]]


def test_lines_that_match(workspace: Workspace) -> None:
    seen = call(workspace, "grep", pattern=r"--lr\b")
    assert seen.data == {
        "cut": False,
        "matches": [
            {"path": "README.md", "line": 11, "text": "python train.py --lr 0.5 --out model.txt"},
            {"path": "examples/run.sh", "line": 1, "text": "python train.py --lr $1 --out $2"},
            {
                "path": "examples/train.py",
                "line": 11,
                "text": '    parser.add_argument("--lr", type=float, default=0.1, help="learning rate")',
            },
        ],
    }
    assert seen.text.splitlines()[1] == "examples/run.sh:1: python train.py --lr $1 --out $2"


def test_case_and_globs(workspace: Workspace) -> None:
    assert found(workspace, pattern="^# lines") == []
    assert found(workspace, pattern="^# lines", ignore_case=True) == [("README.md", 1)]
    assert found(workspace, pattern="train", glob="*.sh") == [("examples/run.sh", 1)]
    assert {p for p, _ in found(workspace, pattern="out", glob="examples/")} == {"examples/run.sh", "examples/train.py"}
    assert found(workspace, pattern="matrix", glob="/docs/**") == [("docs/guide.md", 3)]
    assert found(workspace, pattern="train", glob="*.sh\n*.py") == []
    assert found(workspace, pattern="train", glob="\udcff*") == []


def test_a_limit_says_that_there_is_more(workspace: Workspace) -> None:
    seen = call(workspace, "grep", pattern=".", limit=2)
    assert len(seen.data["matches"]) == 2
    assert seen.data["cut"] is True
    assert seen.text.endswith("[there are more than 2 lines; raise limit or narrow the pattern]")
    assert call(workspace, "grep", pattern="slope", limit=2).data["cut"] is False
    assert call(workspace, "grep", pattern="zzz").text == "no line matches"


@pytest.mark.parametrize("pattern", ["(", "a(?=b)", r"(a)\1", "\udcff", "((a{999}){999}){999}"])
def test_a_pattern_that_is_none_says_why(workspace: Workspace, pattern: str) -> None:
    with pytest.raises(ToolError, match=r"not a regular expression of RE2: ."):
        call(workspace, "grep", pattern=pattern)


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"(a|aa)+$", r"(a*)*b", "(" * 400 + "a" + ")" * 400, r"(.*)(.*)(.*)(.*)(.*)[^a]x$"])
def test_no_pattern_takes_long(root: Path, pattern: str) -> None:
    (root / "long.txt").write_text("a" * 1_000_000 + "!\n")
    with Workspace(root, Options(sandbox="none")) as workspace:
        workspace.index.files  # noqa: B018
        with within(5):
            call(workspace, "grep", pattern=pattern)


def test_no_glob_takes_long(root: Path) -> None:
    (root / ("a" * 200)).write_text("x\n")
    with Workspace(root, Options(sandbox="none")) as workspace, within(5):
        call(workspace, "grep", pattern="x", glob="a*" * 400 + "b")
        call(workspace, "grep", pattern="x", glob="**/" * 300 + "b")


def test_the_clock_of_the_run_holds(workspace: Workspace) -> None:
    limits = Limits(seconds=0.001)
    limits.start()
    time.sleep(0.002)
    seen = call(workspace, "grep", limits=limits, pattern="x")
    assert seen.data == {"matches": [], "cut": True}
    assert "the time was over" in seen.text


def test_a_long_line_is_shown_around_the_match(root: Path) -> None:
    (root / "min.js").write_text("é" * 5000 + "needle" + "ü" * 5000 + "\n" + "y\n")
    (root / "big.txt").write_bytes(b"z" * 3_000_000 + b"needle\n")
    with Workspace(root, Options(sandbox="none")) as workspace:
        seen = call(workspace, "grep", pattern="needle")
    (match,) = seen.data["matches"]
    assert match["path"] == "min.js"
    assert "éneedleü" in match["text"]
    assert len(match["text"]) == LINE_LIMIT + 2
    assert match["text"][0] == match["text"][-1] == "…"
    assert seen.data["cut"] is True
    assert "big.txt were not searched" in seen.text


def test_many_matches_on_one_line_count_once(root: Path) -> None:
    (root / "one.txt").write_text("a" * 1_500_000)
    with Workspace(root, Options(sandbox="none")) as workspace, within(2):
        assert found(workspace, pattern="a", glob="one.txt") == [("one.txt", 1)]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.text("ab é\U0001f642\u2028\x0b", max_size=6), max_size=8),
    st.sampled_from(["a", "^a", "b$", "a+b", "^$", " ", "[^a]", "é", r"a.b", "(?i)A", "b|^a", ".", "🙂"]),
)
def test_it_finds_the_lines_that_python_finds_one_by_one(lines: list[str], pattern: str) -> None:
    text = "\n".join(lines)
    expected = [(n, line) for n, line in enumerate(lines, 1) if re.search(pattern, line, re.ASCII)]
    if lines and not lines[-1]:  # a file ends with its last newline, not with an empty line
        expected = [e for e in expected if e[0] != len(lines)]
    assert list(_matching(_compile(pattern, False), text)) == expected
