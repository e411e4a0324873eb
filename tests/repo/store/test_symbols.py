"""Kept symbols: what parsing each file anew gives, whatever has changed since; and only what is new is parsed."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.files import walk
from ml_agent.repo.store import Store, Tree, pool
from ml_agent.repo.store import symbols as kept
from ml_agent.repo.store.symbols import kept_symbols
from ml_agent.repo.symbols import FileSymbols, SymbolFiles, SymbolTable, packed, parse_symbols
from tests.repo.store.support import write

FILES = {
    "a.py": "from b import Net\n\n\ndef train(net: Net):\n    return net.go()\n",
    "b.py": "class Net:\n    def go(self):\n        return 1\n",
    "run.sh": "start() {\n  python a.py\n}\nstart\n",
    "deep/c.cpp": "struct Layer { int width; };\nint area(Layer l) { return l.width; }\n",
    "conf.yaml": "train:\n  lr: 0.1\n",
    "notes.txt": "no language\n",
    "tool": "#!/usr/bin/env python3\ndef tool(): pass\n",
    "umlaut.py": "größe = 1\n\n\ndef zähle(x):\n    return größe\n",
}


def fresh(root: Path) -> dict[str, FileSymbols]:
    files = walk(root)
    return {file.path: parse_symbols(file.path, files.read(file.path).text) for file in files.files}


def table_of(root: Path, store: Store) -> SymbolTable:
    return kept_symbols(Tree(walk(root), store), store)


def agrees(table: SymbolTable, found: Mapping[str, FileSymbols]) -> bool:
    """All files that have symbols have these, and the questions are answered as by a table that is not packed."""
    known = {path: symbols for path, symbols in found.items() if path in table.files}
    assert all(not symbols.definitions for path, symbols in found.items() if path not in table.files)
    plain = SymbolTable(known.items())
    names = sorted({symbol.name for symbol in plain.symbols()} | {"go", "Net", "größe"})
    for name in names:
        assert table.exact(name) == plain.exact(name)
        assert table.references(name) == plain.references(name)
        assert table.prefix(name[:2]) == plain.prefix(name[:2])
        assert table.fuzzy(name) == plain.fuzzy(name)
    return dict(table.files) == known


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "repository", FILES)
    return tmp_path / "repository"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that workers are asked to read from now on."""
    found: list[str] = []
    real = pool.read_all

    def count(function: str, root: Path, paths: list[str], **others: object) -> Iterator[object]:
        found.extend(paths)
        return real(function, root, paths, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(kept, "read_all", count)
    return found


def test_it_is_what_parsing_gives(root: Path, store: Store) -> None:
    assert agrees(table_of(root, store), fresh(root))
    assert agrees(table_of(root, Store(store.path.parent if store.path else None)), fresh(root))


def test_only_what_is_new_is_read(root: Path, store: Store, read: list[str]) -> None:
    table_of(root, store)
    assert set(read) == set(FILES) - {"notes.txt"}
    read.clear()
    table_of(root, store)
    assert read == []
    write(root, {"b.py": "class Net:\n    def went(self): pass\n", "new.py": "def new(): pass\n"})
    (root / "a.py").unlink()
    table = table_of(root, store)
    assert sorted(read) == ["b.py", "new.py"]
    assert agrees(table, fresh(root))


def test_equal_files_are_read_once_unless_their_names_say_another_language(root: Path, store: Store, read: list[str]) -> None:
    write(root, {"copy/b.py": FILES["b.py"], "copy/b.jl": FILES["b.py"]})
    table = table_of(root, store)
    assert len([path for path in read if path.endswith("b.py")]) == 1
    assert table.files["copy/b.py"] == table.files["b.py"]
    assert table.files["copy/b.jl"].language == "julia"


def test_what_was_read_before_a_fault_is_kept(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_SAVED_AT_ONCE", 1)
    real = pool.read_all

    def breaks(*given: object, **others: object) -> Iterator[object]:
        for number, found in enumerate(real(*given, **others)):  # type: ignore[arg-type]
            if number == 3:
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(kept, "read_all", breaks)
    with pytest.raises(KeyboardInterrupt):
        table_of(root, store)
    assert store.stats()["symbols"] == 3


TEXT = st.sampled_from(sorted(FILES.values())) | st.text(max_size=40)


@settings(deadline=None, max_examples=int(os.environ.get("SYMBOLS_EXAMPLES", "15")))
@given(st.lists(st.tuples(st.sampled_from(sorted(FILES)), st.none() | TEXT), max_size=5))
def test_after_any_change_it_is_what_parsing_gives(edits: list[tuple[str, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        root, store = Path(place).resolve() / "repository", Store(None)
        write(root, FILES)
        table_of(root, store)
        for path, text in edits:
            if text is None:
                (root / path).unlink(missing_ok=True)
            else:
                (root / path).write_bytes(text.encode("utf-8", "surrogatepass"))
        assert agrees(table_of(root, store), fresh(root))


@given(st.lists(st.text(min_size=1, max_size=12), unique=True, max_size=8))
def test_a_name_is_found_in_what_is_packed(names: list[str]) -> None:
    """Without unpacking: whichever characters it has, and wherever in the file it first stands."""
    calls = {name: (number + 1,) for number, name in enumerate(names[::2])}
    uses = {name: (number + 1, number + 5) for number, name in enumerate(names)}
    files = SymbolFiles({"a.py": packed(FileSymbols("python", calls=calls, uses=uses)), "b.py": packed(FileSymbols("python"))})
    for name in names:
        assert "a.py" in dict(SymbolFiles(dict(files._files)).referring(name))
