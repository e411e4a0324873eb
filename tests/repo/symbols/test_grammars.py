"""Versions that do not fit are said in one line; a grammar that is missing costs its language alone."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.repo.symbols import grammars, parse_symbols
from ml_agent.repo.symbols.languages import LANGUAGES

PYTHON = LANGUAGES["python"]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    yield
    grammars.check_core.cache_clear()
    grammars._load.cache_clear()


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_installed_grammars_fit(name: str) -> None:
    assert isinstance(grammars.load(LANGUAGES[name]), grammars.Loaded)


def test_a_missing_grammar_costs_its_language() -> None:
    absent = replace(PYTHON, grammar="nowhere")
    assert grammars.load(absent) == grammars.Missing("tree-sitter-nowhere is not installed: python is not read")


def test_a_missing_grammar_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = grammars._installed
    monkeypatch.setattr(grammars, "_installed", lambda package: None if package == "tree-sitter-go" else installed(package))
    grammars._load.cache_clear()
    assert [p.message for p in parse_symbols("a.go", "package a\n").problems] == ["tree-sitter-go is not installed: go is not read"]
    assert parse_symbols("a.py", "def f(): pass\n").problems == ()


def test_another_version_of_a_grammar() -> None:
    with pytest.raises(
        InfrastructureError, match=r"^tree-sitter-python \S+ is installed, 0\.1\.\* is needed: pip install 'tree-sitter-python==0\.1\.\*'$"
    ):
        grammars.load(replace(PYTHON, series="0.1"))


def test_a_grammar_without_the_nodes_of_the_query() -> None:
    with pytest.raises(InfrastructureError, match=r"^tree-sitter-python \S+ does not work with tree-sitter 0\.26\S* \("):
        grammars.load(replace(PYTHON, query="(no_such_node) @x"))


def test_another_core(monkeypatch: pytest.MonkeyPatch) -> None:
    for series, message in (("0.99", "tree-sitter 0.26.* is installed, 0.99.* is needed"),):
        monkeypatch.setattr(grammars, "CORE_SERIES", series)
        grammars.check_core.cache_clear()
        grammars._load.cache_clear()
        with pytest.raises(InfrastructureError) as error:
            parse_symbols("a.py", "")
        assert str(error.value).startswith(message.split("*")[0])
        assert "\n" not in str(error.value)


def test_a_series_is_not_a_prefix_of_digits() -> None:
    assert grammars._fits("0.25.0", "0.25")
    assert not grammars._fits("0.250.0", "0.25")


def test_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = grammars.fingerprint()
    grammars.fingerprint.cache_clear()
    monkeypatch.setattr(grammars, "_installed", lambda package: "9")
    assert grammars.fingerprint() != before
    grammars.fingerprint.cache_clear()
