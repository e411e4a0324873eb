from ml_agent.repo.symbols import SymbolTable, parse_symbols
from ml_agent.repo.symbols.modules import dotted


def table(files: dict[str, str]) -> SymbolTable:
    return SymbolTable((path, parse_symbols(path, text)) for path, text in files.items())


def test_dotted() -> None:
    assert [dotted(p) for p in ("a/b.py", "a/__init__.py", "__init__.py", "a.b/c", "src/x.tsx")] == ["a.b", "a", "", "a.b.c", "src.x"]


def test_the_nearest_of_two_modules_of_a_name() -> None:
    tree = table({"one/utils.py": "def f(): pass", "two/utils.py": "def f(): pass", "two/main.py": "from utils import f\nf()\n"})
    symbol, through = tree.modules.resolve("two/main.py", "f")
    assert (symbol and symbol.path, through) == ("two/utils.py", "two/main.py:1")


def test_relative_imports_do_not_leave_the_tree() -> None:
    tree = table({"a.py": "from ...b import x\nfrom .b import y\n", "b.py": "x = y = 1\ny = 2\n"})
    assert tree.modules.resolve("a.py", "x") == (None, "a.py:1")
    assert tree.modules.resolve("a.py", "y")[0] is not None


def test_circles_end() -> None:
    tree = table(
        {
            "a.py": "from b import *\nfrom b import x\n",
            "b.py": "from a import *\nfrom a import x\n",
            "c/__init__.py": "from . import *\nfrom c import q\n",
        }
    )
    assert tree.modules.resolve("a.py", "x") == (None, "a.py:2")
    assert tree.modules.resolve("a.py", "nothing") == (None, "")
    assert tree.exports("c") == ()


def test_what_other_languages_offer() -> None:
    tree = table(
        {"a.go": "package a\nfunc Public() {}\nfunc private() {}\n", "b.rs": "pub fn f() {}\nfn g() {}\n", "c.c": "int f() { return 1; }\n"}
    )
    assert [[e.name for e in tree.exports(path)] for path in ("a.go", "b.rs", "c.c")] == [["Public"], ["f"], ["f"]]
