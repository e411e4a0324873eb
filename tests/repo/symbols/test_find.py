"""Symbols by whatever is given of their name, on a small tree."""

from ml_agent.repo.symbols import SymbolTable, parse_symbols
from ml_agent.repo.symbols.find import Match, find_exports, find_references, find_symbols, kinds_of, nearest_modules
from tests.repo.symbols.trees import table


def found(text: str, match: Match | None = None, kinds: tuple[str, ...] = (), k: int = 20) -> tuple[str, list[str]]:
    asked = find_symbols(table(), text, match, kinds, k)
    return asked.match, [s.source for s in asked.symbols]


def test_the_surest_way_that_finds_something() -> None:
    assert found("Net") == ("exact", ["pkg/nets.py:4"])
    assert found("Net()") == ("exact", ["pkg/nets.py:4"])
    assert found("pkg.Model") == ("qualified", ["pkg/nets.py:4"])
    assert found("nets::Net.forward") == ("qualified", ["pkg/nets.py:7"])
    assert found("help")[0] == "prefix"
    assert found("NET") == ("prefix", ["pkg/nets.py:4"])
    assert found("forwrad") == ("fuzzy", ["pkg/base.py:2", "pkg/nets.py:7"])
    assert found("Net.forwrad") == ("fuzzy", ["pkg/base.py:2", "pkg/nets.py:7"])
    for nothing in ("qqqqqq", "", ".", "a.b.qqqqqq"):
        assert found(nothing)[1] == [], nothing


def test_only_the_way_that_is_asked_for() -> None:
    assert found("help", "exact")[1] == []
    assert found("hepler", "prefix")[1] == []
    assert found("hepler", "fuzzy")[1] == found("helper", "exact")[1] != []
    assert found("nets.helper", "qualified")[1] == ["pkg/nets.py:11"]


def test_kinds_and_numbers() -> None:
    assert found("forward", kinds=("class",)) == ("fuzzy", [])
    assert found("n", kinds=("class",)) == ("prefix", ["pkg/nets.py:4"])
    assert found("he", k=2)[1] == ["other.py:1", "pkg/nets.py:11"]
    assert find_symbols(table(), "he", k=2).more
    assert not find_symbols(table(), "he", k=3).more
    assert set(kinds_of(table())) >= {"function", "class", "method"}
    assert kinds_of(SymbolTable(())) == ()


def test_what_is_data_comes_last() -> None:
    files = {"a.yaml": "lr: 1\n", "b.py": "def lr(): pass\n"}
    asked = SymbolTable((path, parse_symbols(path, text)) for path, text in files.items())
    assert [s.source for s in find_symbols(asked, "lr").symbols] == ["b.py:1", "a.yaml:1"]


def references(text: str) -> list[str]:
    asked = table()
    return [r.source for r in find_references(asked, text, find_symbols(asked, text))]


def test_who_uses_it() -> None:
    assert references("nets.helper")[:2] == ["pkg/__init__.py:1", "pkg/nets.py:8"]
    assert references("forwrad") == references("forward") != []
    assert references("thing") == ["pkg/__init__.py:3"]  # nothing in the tree defines it
    assert references("qqqqqq") == []


def test_exports() -> None:
    assert [e.name for e in find_exports(table(), "pkg.extra") or ()] == ["shown", "_told"]
    assert find_exports(table(), "pkg.extras") is None
    assert nearest_modules(table(), "pkg.extras")[0] == "pkg.extra"
    assert nearest_modules(table(), "pkg/extras.py")[0] == "pkg.extra"
