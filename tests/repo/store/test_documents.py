"""Kept documents and commands: what a fresh read gives, whatever has changed since; and only what has to be is read again."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ml_agent.repo.documents as reading
from ml_agent.repo.commands import Command, read_commands
from ml_agent.repo.documents import Document, read_documents
from ml_agent.repo.files import FileTable, walk
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.store import Store, tree
from ml_agent.repo.store.database import code_signature
from tests.repo.store.support import settled, write

NOTEBOOK = {"nbformat": 4, "cells": [{"cell_type": "code", "source": ["!python train.py --epochs 3\n"], "outputs": [], "metadata": {}}]}
FILES = {
    "README.md": (
        "# Birds\n\nTrain:\n\n```bash\nDEPTH=3 python train.py --epochs $N\nfor k in 1 2; do python a/run.py --k $k; done\n```\n"
    ),
    "a/README.rst": "Nests\n=====\n\nRun ``python run.py --k 4``::\n\n    python run.py\n",
    "a/run.py": "",
    "train.py": "",
    "go.sh": "./birds --wing < feathers\n",
    "notes.ipynb": json.dumps(NOTEBOOK),
    "Makefile": "birds: birds.c\n\t$(CC) -o birds birds.c\n",
    "setup.py": "from setuptools import setup\nsetup(entry_points={'console_scripts': ['fly=train:main']})\n",
    "use.md": "`fly --high` and `python build/made.py --x`\n",
    ".gitignore": "build/\n",
}


def add(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("")


CHANGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda root: None,
    "a byte of a document": lambda root: (root / "README.md").write_text(FILES["README.md"].replace("3", "4")),
    "the program is gone": lambda root: (root / "train.py").unlink(),
    "a program beside the text": lambda root: (root / "a/train.py").write_text(""),
    "what is built": lambda root: (root / "Makefile").write_text("owls: birds.c\n\t$(CC) -o owls birds.c\n"),
    "what is installed": lambda root: (root / "setup.py").write_text(""),
    "a script": lambda root: (root / "go.sh").write_text("python train.py --wing 3\n"),
    "a cell": lambda root: (root / "notes.ipynb").write_text(FILES["notes.ipynb"].replace("epochs", "rounds")),
    "a program that git ignores": lambda root: add(root / "build/made.py"),
    "a document by another name": lambda root: (root / "use.md").rename(root / "use.rst"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "repository", FILES)
    return settled(tmp_path / "repository")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that are parsed from now on."""
    found: list[str] = []
    real = reading.read_document

    def read_one(files: FileTable, path: str) -> Document:
        found.append(path)
        return real(files, path)

    monkeypatch.setattr(reading, "read_document", read_one)
    return found


def fresh(root: Path) -> tuple[tuple[Document, ...], tuple[Command, ...]]:
    files = walk(root)
    documents = read_documents(files)
    return documents, read_commands(files, documents)


def kept(root: Path, store: Store) -> tuple[tuple[Document, ...], tuple[Command, ...]]:
    index = RepoIndex(root, store=store)
    return index.documents, index.commands


@pytest.mark.parametrize("change", CHANGES)
def test_after_each_change_it_is_what_a_fresh_read_gives(root: Path, store: Store, change: str) -> None:
    assert kept(root, store) == fresh(root)
    CHANGES[change](root)
    for _ in range(2):
        assert kept(root, store) == fresh(root)


def test_the_first_read_finds_all_kinds(root: Path, store: Store) -> None:
    _, commands = kept(root, store)
    assert {c.source for c in commands} == {
        "README.md:6",
        "README.md:7",
        "a/README.rst:4",
        "a/README.rst:6",
        "go.sh:1",
        "notes.ipynb:1",
        "use.md:1",
    }
    for field in ("environment", "variables", "loops", "redirects", "headings", "intro"):
        assert any(getattr(c, field) for c in commands), field


def test_a_second_read_parses_nothing_and_an_edit_its_own_document(root: Path, store: Store, read: list[str]) -> None:
    kept(root, store)
    assert sorted(read) == ["README.md", "a/README.rst", "notes.ipynb", "use.md"]
    read.clear()
    kept(root, store)
    assert read == []
    (root / "use.md").write_text("nothing\n")
    kept(root, store)
    assert read == ["use.md"]


def test_another_version_of_the_program_reads_anew(root: Path, store: Store, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    kept(root, store)
    read.clear()
    signature = code_signature()
    monkeypatch.setattr("ml_agent.repo.store.database.code_signature", lambda: signature[::-1])
    kept(root, store)
    assert len(read) == 4


def test_a_notebook_counts_to_its_end(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notebooks are read further than other files."""
    monkeypatch.setattr(tree, "_LIMIT", 100)
    late = json.dumps({"metadata": "x" * 100, **NOTEBOOK})
    (root / "notes.ipynb").write_text(late)
    kept(root, store)
    (root / "notes.ipynb").write_text(late.replace("epochs", "rounds"))
    assert kept(root, store) == fresh(root)


def test_a_text_that_was_read_before_the_hashes_is_not_believed(root: Path, store: Store) -> None:
    index = RepoIndex(root, store=store)
    index.files.read("use.md")
    (root / "use.md").write_text("nothing\n")
    assert index.documents == fresh(root)[0]
    assert kept(root, store) == fresh(root)


def test_the_readers_are_not_loaded_for_what_is_known(root: Path, store: Store) -> None:
    index = RepoIndex(root, store=store, embedder=None)
    found = len(index.documents), len(index.search_commands("train", 5)), len(index.search_entry_points("birds", 5))
    assert index.names.files == {}
    code = f"""if True:
        import sys
        from pathlib import Path
        from ml_agent.repo.index import RepoIndex
        from ml_agent.repo.store import Store
        index = RepoIndex(Path({str(root)!r}), store=Store(Path({str(store.path and store.path.parent)!r})), embedder=None)
        print((len(index.documents), len(index.search_commands("train", 5)), len(index.search_entry_points("birds", 5))))
        assert index.names.files == {{}}
        for program in index.entry_points:
            assert index.entry_point(program.path) == program
        heavy = "scipy markdown_it chromadb tree_sitter ml_agent.repo.symbols ml_agent.repo.entrypoints.reading".split()
        assert not [name for name in heavy if name in sys.modules], [name for name in heavy if name in sys.modules]
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{found}\n"


def test_a_damaged_store_costs_time_only(root: Path, store: Store) -> None:
    kept(root, store)
    assert store.path is not None
    data = bytearray(store.path.read_bytes())
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    store.path.write_bytes(bytes(data))
    assert kept(root, Store(store.path.parent)) == fresh(root)
