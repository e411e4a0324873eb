"""Which content the files have: only what changed is read again."""

import os
import time
from pathlib import Path

import pytest

from ml_agent.repo.files import walk
from ml_agent.repo.store import Store, Tree, tree
from tests.repo.store.support import settled


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    for number in range(20):
        (place / f"m{number}.py").write_text(f"x = {number}\n")
    return settled(place)


def test_the_second_look_reads_nothing(root: Path, store: Store) -> None:
    first, second = Tree(walk(root), store), Tree(walk(root), Store(store.path.parent if store.path else None))
    assert (first.read, second.read) == (20, 0)
    assert first.hashes == second.hashes
    assert len(set(first.hashes.values())) == 20


def test_only_what_changed_is_read(root: Path, store: Store) -> None:
    before = Tree(walk(root), store).hashes
    (root / "m3.py").write_text("x = 9999\n")
    (root / "new.py").write_text("x = 4\n")
    (root / "m5.py").unlink()
    after = Tree(walk(root), store)
    assert after.read == 2
    assert {path for path in after.hashes if after.hashes[path] != before.get(path)} == {"m3.py", "new.py"}
    assert after.hashes["new.py"] == before["m4.py"], "the content counts, not the name"
    assert "m5.py" not in after.hashes


def test_same_size_and_time_are_not_believed(root: Path, store: Store) -> None:
    status = (root / "m3.py").stat()
    before = Tree(walk(root), store).hashes["m3.py"]
    (root / "m3.py").write_text("x = 8\n")
    os.utime(root / "m3.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert Tree(walk(root), store).hashes["m3.py"] != before


def test_what_was_written_while_it_was_read_is_read_again(root: Path, store: Store) -> None:
    (root / "m3.py").write_text("x = 8\n")
    assert Tree(walk(root), store).read == 20
    assert Tree(walk(root), store).read <= 1
    time.sleep(0.06)
    assert Tree(walk(root), store).read <= 1


def test_the_end_of_a_long_file_counts_by_its_length(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_LIMIT", 10)
    (root / "long").write_text("0123456789abc")
    before = Tree(walk(root), store).hashes["long"]
    (root / "long").write_text("0123456789abcd")
    assert Tree(walk(root), store).hashes["long"] != before


def test_a_notebook_counts_further(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_LIMIT", 10)
    (root / "long.ipynb").write_text("0123456789abc")
    before = Tree(walk(root), store).hashes["long.ipynb"]
    (root / "long.ipynb").write_text("0123456789abd")
    assert Tree(walk(root), store).hashes["long.ipynb"] != before


def test_what_was_kept_in_another_form_is_not_believed(root: Path, store: Store) -> None:
    before = Tree(walk(root), store)
    kept = store.load_tree(before.files.root)
    for other in (kept[1], (0, kept[1]), {os.fsencode(path): (signature, at, b"x") for path, (signature, at, _) in before._kept.items()}):
        store.save_tree(before.files.root, other)
        assert Tree(walk(root), store).read == 20


@pytest.mark.parametrize("change", ["a byte", "gone"])
def test_whether_files_are_as_they_were_read(root: Path, store: Store, change: str) -> None:
    before = Tree(walk(root), store)
    assert before.is_as_read()
    (root / "m3.py").unlink()
    if change == "a byte":
        (root / "m3.py").write_text("x = 4\n")
    assert not before.is_as_read()


def test_a_file_that_cannot_be_read_is_left_out(root: Path, store: Store) -> None:
    files = walk(root)
    (root / "m1.py").unlink()
    (root / "m2.py").unlink()
    (root / "m2.py").mkdir()
    hashes = Tree(files, store).hashes
    assert "m1.py" not in hashes
    assert "m2.py" not in hashes


def test_names_that_do_not_decode(root: Path, store: Store) -> None:
    (root / os.fsdecode(b"caf\xe9.py")).write_text("x = 1\n")
    Tree(walk(root), store)
    assert os.fsdecode(b"caf\xe9.py") in Tree(walk(root), store).hashes
