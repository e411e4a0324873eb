"""What Python files say about themselves, kept: what a fresh read gives, and only what has changed is read again."""

import time
from pathlib import Path

import pytest

from ml_agent.repo.callables import find_callables
from ml_agent.repo.files import walk
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.modules import PythonModules, lookup
from ml_agent.repo.modules.packed import pack, unpack
from ml_agent.repo.modules.source import ModuleSource, read_source
from ml_agent.repo.store import Store
from ml_agent.repo.store.database import code_signature
from tests.repo.store.support import settled, write

NETS = '''\
import dataclasses
from .base import *
from ..top import Deep as Deeper
__all__ = ["Net", "make"]


class Net(Base):
    """A net."""

    def __init__(self, depth: int, /, width=3, *rest, wide: bool = False, **more):
        pass


@dataclasses.dataclass(kw_only=True)
class Settings:
    size: int
    name: str = "x"


class Meta(metaclass=type):
    pass


def make(size, *, fast=False):
    return Net(size)


@strange
def changed(a):
    pass


VALUE = 3
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "pkg/__init__.py": "from .nets import *\n",
        "pkg/nets.py": NETS,
        "pkg/base.py": "class Base:\n    def __init__(self, x):\n        pass\n\n    def run(self, y=1):\n        pass\n",
        ".gitignore": "left.py\n",
        "left.py": "class Left:\n    pass\n",
    }
    write(tmp_path / "repository", files)
    return settled(tmp_path / "repository")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are parsed from now on."""
    found: list[str] = []

    def counted(text: str) -> ModuleSource:
        found.append(text)
        return read_source(text)

    monkeypatch.setattr(lookup, "read_source", counted)
    return found


def asked(root: Path, store: Store) -> object:
    index = RepoIndex(root, store=store)
    found = find_callables(index, "make a net", 10)
    return [(round(score, 12), callee) for score, callee in found], index.modules.offered("pkg/nets.py", "Net")


def fresh(root: Path, tmp_path: Path) -> object:
    return asked(root, Store(tmp_path / f"other {time.monotonic_ns()}"))


@pytest.mark.parametrize("text", [NETS, "", "def (", "print 'old'\n", "exec(open('x').read())\n", "x = '\\ud800'\n"])
def test_packed_it_is_the_same(text: str, store: Store) -> None:
    source = read_source(text)
    store.save("kind", {b"k" * 16: pack(source)})
    assert unpack(store.load("kind", [b"k" * 16])[b"k" * 16]) == source


def test_a_second_answer_reads_nothing_and_is_the_same(root: Path, store: Store, read: list[str]) -> None:
    first = asked(root, store)
    assert NETS in read
    read.clear()
    assert asked(root, store) == first
    assert read == []


@pytest.mark.parametrize("change", ["nets", "base", "package", "gone", "new"])
def test_after_a_change_it_is_what_a_fresh_read_gives(root: Path, store: Store, change: str, tmp_path: Path) -> None:
    before = asked(root, store)
    if change == "nets":
        (root / "pkg/nets.py").write_text(NETS.replace("width=3", "width=4"))
    elif change == "base":
        (root / "pkg/base.py").write_text("class Base:\n    def net(self, z):\n        pass\n\n\ndef make_net(size):\n    pass\n")
    elif change == "package":
        (root / "pkg/__init__.py").write_text("")
    elif change == "gone":
        (root / "pkg/nets.py").unlink()
    else:
        (root / "make.py").write_text("def make_net():\n    pass\n")
    after = asked(root, store)
    assert after == fresh(root, tmp_path)
    assert after != before
    assert asked(root, store) == after


def test_only_what_has_changed_is_read(root: Path, store: Store, read: list[str]) -> None:
    asked(root, store)
    read.clear()
    (root / "pkg/nets.py").write_text(NETS + "x = 1\n")
    asked(root, store)
    assert read == [NETS + "x = 1\n"]
    asked(root, store)
    assert len(read) == 1


def test_another_version_of_the_program_reads_anew(root: Path, store: Store, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked(root, store)
    read.clear()
    signature = code_signature()
    monkeypatch.setattr("ml_agent.repo.store.database.code_signature", lambda: signature[::-1])
    asked(root, store)
    assert NETS in read


def test_a_file_that_the_walk_left_out_is_read_each_time(root: Path, store: Store) -> None:
    for text in ("class Left:\n    pass\n", "class Other:\n    pass\n"):
        (root / "left.py").write_text(text)
        index = RepoIndex(root, store=store)
        module = index.modules.find("left")
        assert module is not None
        assert f"class {next(iter(module.source.bindings))}:" in text
        index.keep_sources()


def test_what_was_read_while_files_changed_is_not_kept(root: Path, store: Store) -> None:
    index = RepoIndex(root, store=store)
    assert index.tree.hashes
    (root / "pkg/base.py").write_text("class Late:\n    pass\n")
    assert "Late" in index.modules.source("pkg/base.py").bindings
    index.keep_sources()
    (root / "pkg/base.py").write_text("class Base:\n    def __init__(self, x):\n        pass\n\n    def run(self, y=1):\n        pass\n")
    assert "Base" in RepoIndex(root, store=store).modules.source("pkg/base.py").bindings


def test_without_a_store_it_is_read(root: Path) -> None:
    assert "Base" in PythonModules(walk(root)).source("pkg/base.py").bindings
