"""The store: what is kept comes back; whatever is wrong with its file costs time only."""

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.store import database
from ml_agent.repo.store.database import Store, code_signature, open_store

KEY, OTHER = b"k" * 16, b"o" * 16
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_what_is_kept_comes_back(value: object) -> None:
    store = Store(None)
    store.save("kind", {KEY: value})
    assert store.load("kind", [KEY, OTHER]) == {KEY: value}


def test_another_process_finds_it(tmp_path: Path) -> None:
    Store(tmp_path).save("kind", {KEY: ["a", 1]})
    code = f"from pathlib import Path; from ml_agent.repo.store import Store; print(Store(Path({str(tmp_path)!r})).load('kind', [{KEY!r}]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str({KEY: ["a", 1]})


def test_kinds_are_kept_apart_and_many_are_found(tmp_path: Path) -> None:
    store = Store(tmp_path)
    facts = {number.to_bytes(16, "big"): number for number in range(1700)}
    store.save("one", facts)
    store.save("two", {KEY: "x"})
    assert store.load("one", facts) == facts
    assert store.load("two", facts) == {}
    assert store.stats() == {"one": 1700, "two": 1}
    assert store.size() > 1700


def test_another_version_of_the_program_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    store.save("kind", {KEY: 1})
    monkeypatch.setattr(database, "code_signature", lambda: "later")
    assert store.load("kind", [KEY]) == {}
    store.save("kind", {OTHER: 2})
    assert store.prune()[0] == 1
    assert store.load("kind", [OTHER]) == {OTHER: 2}


def test_another_python_or_library_is_another_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = code_signature.__wrapped__
    before = own()
    assert own() == before
    with monkeypatch.context() as other:
        other.setattr("sys.version", "3.99.0")
        assert own() != before
    library = tmp_path / "markdown_it"
    library.mkdir()
    (library / "__init__.py").write_text("__version__ = '99'\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "markdown_it", raising=False)
    assert own() != before


def test_what_is_old_is_pruned_and_folders_that_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "cache")
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    store.save("kind", {KEY: "x" * 100_000})
    monkeypatch.undo()
    store.save("kind", {OTHER: 1})
    store.save_tree(tmp_path / "gone", {"a": 1})
    store.save_tree(tmp_path, {"b": 1})
    removed, smaller = store.prune()
    assert removed == 1
    assert smaller > 50_000
    assert (store.load_tree(tmp_path / "gone"), store.load_tree(tmp_path)) == (None, {"b": 1})
    assert store.prune(all_of_it=True)[0] == 1
    assert store.load("kind", [OTHER]) == {}


def test_a_damaged_value_is_not_there(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save("kind", {KEY: [1, 2, 3], OTHER: "fine"})
    assert store.path is not None
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE facts SET data = CAST(substr(data, 1, 6) || x'ff' || substr(data, 8) AS BLOB) WHERE hash = ?", (KEY,))
    connection.close()
    assert store.load("kind", [KEY, OTHER]) == {OTHER: "fine"}


@pytest.mark.parametrize("damage", ["begin", "middle", "cut", "other"])
def test_a_damaged_file_is_made_anew_with_one_line_said(tmp_path: Path, damage: str) -> None:
    facts = {number.to_bytes(16, "big"): "x" * 300 for number in range(2000)}
    store = Store(tmp_path)
    store.save("kind", facts)
    assert store.path is not None
    data = bytearray(store.path.read_bytes())
    half = len(data) // 2
    if damage == "begin":
        data[:100] = b"\xff" * 100
    elif damage == "middle":
        for page in range(4096, len(data), 4096):
            data[page : page + 64] = os.urandom(64)
    elif damage == "cut":
        del data[half:]
    else:
        data = bytearray(b"hello")
    store.path.write_bytes(data)
    later = Store(tmp_path)
    found = later.load("kind", facts)
    assert all(found[key] == facts[key] for key in found)
    later.save("kind", facts)
    assert later.load("kind", facts) == facts
    assert len(later.notes) == 1
    assert "made anew" in later.notes[0]
    assert Store(tmp_path).load("kind", facts) == facts


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    store = Store(tmp_path)
    store.save("kind", {KEY: 1})
    assert store.load("kind", [KEY]) == {KEY: 1}
    assert len(store.notes) == 1


def test_a_place_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file" / "x")
    store.save("kind", {KEY: 1})
    store.save_tree(tmp_path, [1])
    assert (store.load("kind", [KEY]), store.load_tree(tmp_path)) == ({KEY: 1}, [1])
    assert len(store.notes) == 1
    assert "for this run alone" in store.notes[0]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount")
def test_a_full_disk(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", place]).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        store = Store(place)
        facts = {number.to_bytes(16, "big"): os.urandom(2000) for number in range(300)}
        store.save("kind", facts)
        assert store.load("kind", facts) == facts
        assert len(store.notes) == 1
        assert "full" in store.notes[0]
    finally:
        subprocess.run(["umount", place], check=True)


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    code = """if True:
        import sys
        from pathlib import Path
        from ml_agent.repo.store import Store
        store, own = Store(Path(sys.argv[1])), int(sys.argv[2])
        for batch in range(20):
            store.save("kind", {(own * 10_000 + batch * 100 + n).to_bytes(16, "big"): [own, batch, n] for n in range(100)})
        assert not store.notes, store.notes
    """
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(own)]) for own in range(4)]
    assert [process.wait(50) for process in running] == [0] * 4
    assert Store(tmp_path).stats() == {"kind": 8000}


def test_a_writer_that_is_killed_leaves_a_sound_file(tmp_path: Path) -> None:
    code = """if True:
        import os, sys
        from pathlib import Path
        from ml_agent.repo.store import Store
        store = Store(Path(sys.argv[1]))
        print("begun", flush=True)
        while True:
            store.save("kind", {os.urandom(16): os.urandom(3000) for _ in range(300)})
    """
    for pause in (0.02, 0.1, 0.25):
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.kill()
        process.wait()
        process.stdout.close()
        store = Store(tmp_path)
        store.save("other", {KEY: 1})
        assert store.load("other", [KEY]) == {KEY: 1}
        assert store.notes == []


def test_the_default_place_is_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    open_store().save("kind", {KEY: 1})
    assert [path.name for path in (tmp_path / "ml-agent" / "index").iterdir()] == ["facts-2.sqlite"]
