"""docs/security.md: each of its lines names tests, and they are there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "security.md"
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def lines(text: str) -> list[str]:
    """The claims of a page: what its lists are made of, each on one line."""
    return [line for line in text.splitlines() if line.startswith("- ")]


def unbacked(text: str) -> list[str]:
    """Claims that name no test, and tests that are named but are not there."""
    found = [line for line in lines(text) if not _TEST.search(line)]
    return found + [f"{file}::{name}" for file, name in _TEST.findall(text) if name not in _tests(ROOT / file)]


def _tests(file: Path) -> set[str]:
    if not file.is_file():
        return set()
    return {node.name for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def test_every_claim_is_backed_by_a_test() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(lines(text)) > 30
    assert unbacked(text) == []


def test_every_word_of_a_path_is_in_a_reference() -> None:
    """A reference that is written otherwise would be passed over."""
    text = PAGE.read_text(encoding="utf-8").replace("`tests/test_security_page.py`", "")
    assert len(re.findall(r"tests/", text)) == len(_TEST.findall(text))


def test_what_is_wrong_is_found() -> None:
    assert unbacked("- No test.\n") == ["- No test."]
    assert unbacked("- One. `tests/test_security_page.py::test_nosuch`") == ["tests/test_security_page.py::test_nosuch"]
    assert unbacked("- One. `tests/nosuch.py::test_x`") == ["tests/nosuch.py::test_x"]
    assert unbacked("- One. `tests/test_security_page.py::test_what_is_wrong_is_found`") == []


def test_every_attack_is_on_the_page() -> None:
    """A test of an attack that the page does not name is a claim that nobody can read."""
    named = {name for _, name in _TEST.findall(PAGE.read_text(encoding="utf-8"))}
    written = {name for file in ("attacks", "exhaustion") for name in _tests(ROOT / "tests" / "sandbox" / f"test_sandbox_{file}.py")}
    assert {name for name in written if name.startswith("test_")} - named == set()
