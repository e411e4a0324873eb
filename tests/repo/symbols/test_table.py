"""Questions to the table of a small tree."""

from ml_agent.repo.symbols import SymbolTable, parse_symbols
from tests.repo.symbols.trees import table


def test_exact() -> None:
    assert [s.source for s in table().exact("helper")] == ["other.py:1", "pkg/nets.py:11", "src/kernel.cu:1"]
    assert table().exact("nothing") == ()


def test_prefix() -> None:
    assert [s.name for s in table().prefix("HEL")] == ["helper"] * 3
    assert [s.name for s in table().prefix("HEL", k=2)] == ["helper"] * 2
    assert [s.name for s in table().prefix("n")] == ["Net"]
    assert table().prefix("zz") == ()


def test_fuzzy() -> None:
    [(score, symbol), *_] = table().fuzzy("forwrad")
    assert symbol.name == "forward"
    assert 70 <= score < 100
    assert table().fuzzy("qqqqqqqq") == ()


def test_qualified() -> None:
    asked = table()
    for name in ("Net.forward", "pkg.nets.Net.forward", "nets::Net::forward()", "pkg/nets/Net/forward"):
        assert [s.source for s in asked.qualified(name)] == ["pkg/nets.py:7"], name
    assert [s.source for s in asked.qualified("pkg.Model")] == ["pkg/nets.py:4"]  # handed on under another name
    assert [s.source for s in asked.qualified("forward")] == ["pkg/base.py:2", "pkg/nets.py:7"]
    assert asked.qualified("ets.Net") == ()


def test_who_calls_this() -> None:
    asked = table()
    [helper] = asked.qualified("nets.helper")
    found = asked.references(helper)
    assert [(r.source, r.called, r.inside and r.inside.qualified, r.bound) for r in found] == [
        ("pkg/__init__.py:1", False, None, True),
        ("pkg/nets.py:8", True, "Net.forward", True),
    ]  # what other.py and kernel.cu call is their own
    assert [r.source for r in asked.references("helper")] == ["other.py:4", "pkg/__init__.py:1", "pkg/nets.py:8", "src/kernel.cu:2"]


def test_who_calls_a_method() -> None:
    found = table().references("Net.forward")
    assert [(r.source, r.bound) for r in found] == [("other.py:5", False), ("train.py:6", False)]
    bound = SymbolTable([("n.py", parse_symbols("n.py", "class Net:\n    def go(self): pass\n")),
                         ("z.py", parse_symbols("z.py", "from n import Net\nNet().go()\n")),
                         ("a.py", parse_symbols("a.py", "x.go()\n"))])  # fmt: skip
    assert [(r.source, r.bound) for r in bound.references("Net.go")] == [("z.py:2", True), ("a.py:1", False)]


def test_references_to_what_is_not_defined_here() -> None:
    assert [(r.source, r.bound) for r in table().references("NotImplementedError")] == []
    assert [r.source for r in SymbolTable([("a.py", parse_symbols("a.py", "zeros(1)\n"))]).references("zeros")] == ["a.py:1"]


def test_references_are_cut() -> None:
    many = SymbolTable([("a.py", parse_symbols("a.py", "def f(): pass\n" + "f()\n" * 500))])
    assert [r.line for r in many.references("f", k=3)] == [2, 3, 4]


def test_exports() -> None:
    asked = table()
    offered = {e.name: (e.symbol and e.symbol.source, e.through) for e in asked.exports("pkg")}
    assert offered == {
        "VERSION": ("pkg/__init__.py:5", ""),
        "Model": ("pkg/nets.py:4", "pkg/__init__.py:1"),
        "helper": ("pkg/nets.py:11", "pkg/__init__.py:1"),
        "shown": ("pkg/extra.py:2", "pkg/__init__.py:2"),
    }
    assert [e.name for e in asked.exports("pkg/extra.py")] == ["shown", "_told"]
    assert [e.name for e in asked.exports("pkg.nets")] == ["Net", "helper"]
    assert asked.exports("no.such") == ()


def test_enclosing() -> None:
    asked = table()
    assert [str(getattr(asked.enclosing("pkg/nets.py", line), "qualified", None)) for line in (2, 5, 8, 12)] == [
        "None",
        "Net",
        "Net.forward",
        "helper",
    ]
    assert asked.enclosing("no.py", 1) is None


def test_the_order_of_the_files_does_not_matter() -> None:
    assert list(table().symbols()) == list(SymbolTable(reversed(list(table().files.items()))).symbols())
