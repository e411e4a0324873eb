"""Definitions, references, imports and exports of Python, the language that matters most."""

from ml_agent.repo.symbols import Definition, Import, parse_symbols

SOURCE = '''\
import a.b, c as d
from . import x
from ..y import (p as q,  # why
   r,)
__all__ = ["f", "G"]
__all__ += ["h"]
try:
    import fast
    FAST = True
except ImportError:
    FAST = False
# limit of it
LIMIT = 10  # more
NAME: str = "x"
"""Doc of name."""
@dec(arg)
def f(x: int,  # first
      y="#no",
      *, z=(1,
            2)) -> Foo:  # comment
    """Does f.

    Long."""
    def inner(): return g(x)
    return d.e(q)
class G(Base[T], metaclass=M):
    r"""One
    two.
    """
    x: int = 1
    async def m(self): await self.n()
    class In: pass
    def one(self): "short doc"; return 1
first, second = 1, 2
'''


def definitions(text: str, path: str = "a.py") -> dict[str, Definition]:
    return {d.qualified: d for d in parse_symbols(path, text).definitions}


def test_definitions() -> None:
    found = definitions(SOURCE)
    assert {name: (d.kind, d.line, d.end_line) for name, d in found.items()} == {
        "FAST": ("constant", 11, 11),
        "LIMIT": ("constant", 13, 13),
        "NAME": ("constant", 14, 14),
        "f": ("function", 17, 25),
        "f.inner": ("function", 24, 24),
        "G": ("class", 26, 33),
        "G.x": ("field", 30, 30),
        "G.m": ("method", 31, 31),
        "G.In": ("class", 32, 32),
        "G.one": ("method", 33, 33),
        "first": ("variable", 34, 34),
        "second": ("variable", 34, 34),
    }


def test_signatures_stand_on_one_line_without_comments() -> None:
    found = definitions(SOURCE)
    assert found["f"].signature == 'def f(x: int, y="#no", *, z=(1, 2)) -> Foo'
    assert found["G"].signature == "class G(Base[T], metaclass=M)"
    assert found["G.m"].signature == "async def m(self)"
    assert found["G.x"].signature == "x: int = 1"
    assert found["LIMIT"].signature == "LIMIT = 10"


def test_long_signatures_and_values_are_cut() -> None:
    found = definitions(f"def f({', '.join(f'argument_{i}' for i in range(100))}): pass\nX = '{'x' * 500}'\n")
    assert len(found["f"].signature) == 300
    assert found["f"].signature.endswith("...")
    assert len(found["X"].signature) == 120


def test_docs() -> None:
    found = definitions(SOURCE)
    assert found["f"].doc == "Does f."
    assert found["G"].doc == "One two."
    assert found["G.one"].doc == "short doc"
    assert found["LIMIT"].doc == "limit of it"
    assert found["NAME"].doc == "Doc of name."
    assert found["G.m"].doc == ""


def test_calls_and_uses() -> None:
    symbols = parse_symbols("a.py", SOURCE)
    assert symbols.calls == {"dec": (16,), "g": (24,), "e": (25,), "n": (31,)}
    assert symbols.uses["q"] == (3, 25)
    assert symbols.uses["p"] == (3,)
    assert symbols.uses["d"] == (1, 25)
    assert "y" not in symbols.uses  # a parameter is nobody else's


def test_uses_of_what_the_file_binds() -> None:
    symbols = parse_symbols("a.py", "from m import A, B, C, D, E, F\nx = {'a': A}\ndef f(v: B = C) -> 'D': return E\nclass G(F.T): pass\n")
    assert {name: lines for name, lines in symbols.uses.items() if len(lines) > 1} == {
        "A": (1, 2), "B": (1, 3), "C": (1, 3), "E": (1, 3), "F": (1, 4),
    }  # fmt: skip
    assert symbols.uses["T"] == (4,)


def test_imports_at_the_top_are_bindings() -> None:
    symbols = parse_symbols("a.py", SOURCE + "def later():\n    from z import inner_import\n")
    assert symbols.imports == (
        Import("a", "a", "", 1), Import("d", "c", "", 1), Import("x", ".", "x", 2), Import("q", "..y", "p", 3),
        Import("r", "..y", "r", 3), Import("fast", "fast", "", 8),
    )  # fmt: skip
    assert symbols.uses["inner_import"] == (36,)


def test_what_a_module_says_that_it_exports() -> None:
    assert parse_symbols("a.py", SOURCE).exported == ("f", "G", "h")
    assert parse_symbols("a.py", "x = 1\n").exported is None
    assert parse_symbols("a.py", "__all__ = ['a']\n__all__.extend(['b'])\n__all__.append('c')\n").exported == ("a", "b", "c")
    assert parse_symbols("a.py", "__all__ = ['a'] + other.__all__\n").exported is None
    assert parse_symbols("a.py", "__all__ = [f'a{i}']\n").exported is None
    assert parse_symbols("a.py", "__all__ = ()\n").exported == ()


def test_letters_of_more_than_one_byte() -> None:
    symbols = parse_symbols("a.py", '# über\nclass Größe:\n    """Maß."""\n    def groß(self): return maß(1)\n')
    assert [(d.qualified, d.line, d.doc) for d in symbols.definitions] == [("Größe", 2, "Maß."), ("Größe.groß", 4, "")]
    assert symbols.calls == {"maß": (4,)}


def test_what_does_not_parse_costs_only_its_place() -> None:
    found = definitions("def f(): pass\nthis is not python\n\nclass A:\n    def m(self): pass\n")
    assert set(found) == {"f", "A", "A.m"}


def test_scripts_are_known_by_their_first_line() -> None:
    assert parse_symbols("bin/run", "#!/usr/bin/env python3\ndef f(): pass\n").language == "python"
    assert parse_symbols("bin/run", "#!/bin/sh\nf() { g; }\n").calls == {"g": (2,)}
    assert parse_symbols("LICENSE", "text").language == ""


def test_a_long_file_is_read_through() -> None:
    """Longer than what is queried at a time: nothing is lost or found twice at the borders, and parents hold."""
    body = "".join(f"    def m{i}(self):\n        return call{i}(self)\n" for i in range(8_000))
    symbols = parse_symbols("a.py", f"class A:\n{body}def after(): pass\n")
    assert [d.qualified for d in symbols.definitions] == ["A", *(f"A.m{i}" for i in range(8_000)), "after"]
    assert symbols.calls == {f"call{i}": (2 * i + 3,) for i in range(8_000)}
    assert symbols.problems == ()


def test_line_ends() -> None:
    text = "class A:\n\tdef m(self):\n\t\tf()\n"
    for end in ("\r\n", "\r"):
        assert parse_symbols("a.py", text.replace("\n", end)) == parse_symbols("a.py", text)
