"""Several processes on one folder, killed writers, damage, and machines where Chroma cannot be used."""

import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ml_agent.repo.chroma import StoreUnavailable, chroma_folder
from ml_agent.repo.vectors import VectorStore
from tests.repo.doubles import CountingEmbedder

PRELUDE = """
import sys, time
from pathlib import Path
from ml_agent.repo.vectors import StoreUnavailable, VectorStore
from tests.repo.doubles import CountingEmbedder
store = VectorStore(Path(sys.argv[1]), CountingEmbedder())
"""
ROOT = Path(__file__).parent.parent.parent
WORDS = "piano violin cello flute oboe horn harp drum lute viola".split()


def program(code: str) -> list[str]:
    return [sys.executable, "-c", PRELUDE + textwrap.dedent(code)]


def output(code: str, *arguments: object, before: str = "") -> str:
    """What a process of its own prints."""
    command = [sys.executable, "-c", textwrap.dedent(before) + PRELUDE + textwrap.dedent(code), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stderr == ""
    return done.stdout


def filled(folder: Path) -> VectorStore:
    store = VectorStore(folder, CountingEmbedder())
    store.add(WORDS, WORDS)
    return store


def is_whole(folder: Path) -> None:
    """Everything is found by its own word, as a new process sees it."""
    code = "print([store.query(word, 1)[0][0] == word for word in sys.argv[2:]].count(False), store.missing(sys.argv[2:]), store.notes)"
    assert output(code, folder, *WORDS) == "0 [] ()\n"


def test_processes_that_write_and_read_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    code = """
        me = sys.argv[2]
        for n in range(8):
            store.add([f"{me} {n}", f"shared {n}"], [f"{me} {n}", f"shared {n}"])
            found = store.query(f"{me} {n}", 1)
            assert found[0][0] == f"{me} {n}", found
        print(store.notes)
    """
    processes = [
        subprocess.Popen([*program(code), str(folder), me], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        for me in ("first", "second", "third")
    ]
    for process in processes:
        out, err = process.communicate(timeout=50)
        assert (process.returncode, out, err) == (0, "()\n", "")
    store = VectorStore(folder, CountingEmbedder())
    names = [f"{me} {n}" for me in ("first", "second", "third", "shared") for n in range(8)]
    assert sorted(store.ids()) == sorted(names)
    assert [store.query(name, 1)[0][0] for name in names] == names


def test_a_reader_sees_what_others_wrote_since(tmp_path: Path) -> None:
    store = filled(tmp_path / "vectors")
    assert store.query("tuba", 1)[0][0] in WORDS
    output("store.add(['tuba'], ['tuba'])", tmp_path / "vectors")
    assert store.query("tuba", 1)[0][0] == "tuba"
    output("store.delete(['tuba'])", tmp_path / "vectors")
    assert store.query("tuba", 1)[0][0] in WORDS


def test_threads(tmp_path: Path) -> None:
    store = filled(tmp_path / "vectors")
    wrong: list[object] = []

    def work(me: int) -> None:
        for n in range(5):
            store.add([f"{me}-{n}"], [f"thread{me} number{n}"])
            wrong.extend(word for word in WORDS[:3] if store.query(word, 1)[0][0] != word)

    threads = [threading.Thread(target=work, args=(me,)) for me in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(store.ids()) == len(WORDS) + 20


def test_a_forked_child_does_not_hang(tmp_path: Path) -> None:
    """Chroma's threads are not there in the child."""
    code = """
        import os
        store.add(["a"], ["a"]); store.query("a", 1)
        child = os.fork()
        if not child:
            try:
                store.query("a", 1)
            except StoreUnavailable as error:
                print(error, flush=True)
            os._exit(0)
        print(os.waitpid(child, 0)[1], store.query("a", 1)[0][0], store.notes)
    """
    said = "no embeddings: this process was forked from one that uses them, where Chroma would hang"
    assert output(code, tmp_path / "vectors") == f"{said}\n0 a ()\n"


def test_a_killed_writer_leaves_a_store_that_can_be_used(tmp_path: Path) -> None:
    filled(tmp_path / "vectors").close()
    code = """
        print("ready", flush=True)
        for n in range(100_000):
            store.add([f"{n} {i}" for i in range(200)], [f"{n} {i}" for i in range(200)])
    """
    writer = subprocess.Popen([*program(code), str(tmp_path / "vectors")], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert writer.stdout
    assert writer.stdout.readline() == "ready\n"
    time.sleep(0.7)
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    is_whole(tmp_path / "vectors")


def test_a_folder_that_crashes_its_readers_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only after a killed writer is it looked at by another process first."""
    store = filled(tmp_path / "vectors")
    store.close()
    (tmp_path / "vectors" / "stamp").write_text("writing 0")
    real = subprocess.run
    crash = [sys.executable, "-c", "import os; os.abort()"]
    monkeypatch.setattr(subprocess, "run", lambda command, **options: real(crash, **options))
    assert store.missing(WORDS) == WORDS
    assert "are computed anew (reading it ends with exit code -6" in store.notes[0]
    assert store.add(WORDS, WORDS) == len(WORDS)


def delete(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def garble(path: Path) -> None:
    for file in [path] if path.is_file() else path.iterdir():
        file.write_bytes(b"\xde\xad" * (file.stat().st_size // 2 + 8))


def empty(path: Path) -> None:
    for file in [path] if path.is_file() else path.iterdir():
        file.write_bytes(b"")


@pytest.mark.parametrize("harm", [delete, garble, empty])
@pytest.mark.parametrize("what", ["chroma.sqlite3", "*-*-*-*-*"])
def test_damage_is_repaired(tmp_path: Path, what: str, harm: Callable[[Path], None]) -> None:
    store = filled(tmp_path / "vectors")
    store.close()
    (victim,) = (tmp_path / "vectors").glob(what)
    harm(victim)
    # In a process of its own, in case the damage should crash it.
    code = "print(store.add(sys.argv[2:], sys.argv[2:]), [store.query(w, 1)[0][0] for w in sys.argv[2:]] == sys.argv[2:], len(store.notes))"
    added, found, notes = output(code, tmp_path / "vectors", *WORDS).split()
    assert found == "True"
    assert added in ("0", str(len(WORDS)))
    assert int(notes) <= 1


def test_what_was_repaired_is_said_in_one_line(tmp_path: Path) -> None:
    store = filled(tmp_path / "vectors")
    store.close()
    garble(tmp_path / "vectors" / "chroma.sqlite3")
    assert store.missing(WORDS) == WORDS
    (note,) = store.notes
    assert note.startswith(f"the embeddings kept in {tmp_path / 'vectors'} were damaged and are computed anew (")
    assert "\n" not in note


def test_a_mistake_of_ours_costs_no_vectors(tmp_path: Path) -> None:
    store = filled(tmp_path / "vectors")
    with pytest.raises(StoreUnavailable, match=r"^no embeddings: NotFoundError: [^\n]+$"):
        chroma_folder(tmp_path / "vectors").do(lambda client: client.get_collection("unknown"), writes=True)
    assert store.missing(WORDS) == []
    assert store.notes == ()


def test_a_folder_that_vanishes_between_two_questions(tmp_path: Path) -> None:
    store = filled(tmp_path / "vectors")
    store.query("harp", 1)
    shutil.rmtree(tmp_path / "vectors")
    assert store.add(WORDS, WORDS) == len(WORDS)
    is_whole(tmp_path / "vectors")


def test_a_path_where_no_folder_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = VectorStore(tmp_path / "file" / "vectors", CountingEmbedder())
    with pytest.raises(StoreUnavailable, match=r"^no embeddings: .*\.lock cannot be locked: [^\n]*$"):
        store.query("harp", 1)


def test_a_folder_that_one_may_not_write() -> None:
    code = """
        import os, filelock
        if os.geteuid() == 0:
            os.setuid(65534)
        try:
            store.add(["x"], ["x"])
        except StoreUnavailable as error:
            print(error)
    """
    assert output(code, "/vectors") == "no embeddings: /vectors.lock cannot be locked: Permission denied\n"


@pytest.mark.bubblewrap
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--ro-bind", "{folder}", "{folder}"], "no embeddings: {folder}/vectors.lock cannot be locked: Read-only file system"),
        (["--size", "65536", "--tmpfs", "{folder}"], "no embeddings: {folder}/vectors cannot be written: No space left on device"),
    ],
)
def test_a_disk_that_takes_nothing(tmp_path: Path, options: list[str], expected: str) -> None:
    filled(tmp_path / "vectors").close()
    code = """
        try:
            store.add(["x"], ["x"])
        except StoreUnavailable as error:
            print(error)
    """
    sandbox = ["bwrap", "--dev-bind", "/", "/", *(option.format(folder=tmp_path) for option in options), "--chdir", str(ROOT)]
    done = subprocess.run([*sandbox, *program(code), str(tmp_path / "vectors")], capture_output=True, text=True, timeout=50)
    assert (done.stdout.strip(), done.stderr) == (expected.format(folder=tmp_path), "")
    is_whole(tmp_path / "vectors")


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("import sqlite3; sqlite3.sqlite_version_info = (3, 34, 1)", "RuntimeError: Your system has an unsupported version of sqlite3"),
        ("import sys; sys.modules['chromadb'] = None", "ModuleNotFoundError: No module named 'chromadb.api'"),
    ],
)
def test_where_chroma_does_not_load(tmp_path: Path, before: str, reason: str) -> None:
    code = """
        try:
            store.query("x", 1)
        except StoreUnavailable as error:
            print(error)
    """
    said = output(code, tmp_path / "vectors", before=before)
    assert said.startswith(f"no embeddings: chromadb does not load: {reason}")
    assert said.count("\n") == 1
    assert "\x1b" not in said


def test_another_process_that_holds_the_lock_is_not_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(tmp_path / "vectors")
    monkeypatch.setattr("ml_agent.repo.chroma.LOCK_SECONDS", 0.2)
    code = (
        f"import filelock; lock = filelock.FileLock({str(tmp_path / 'vectors.lock')!r}); lock.acquire(); print('held', flush=True); input()"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(StoreUnavailable, match=r"another process has held .*vectors\.lock for 0\.2 s$"):
        store.query("harp", 1)
    holder.communicate("\n")
    assert store.query("harp", 1)[0][0] == "harp"


def test_other_clients_of_chroma_in_the_process_go_on(tmp_path: Path) -> None:
    import chromadb

    theirs = chromadb.PersistentClient(str(tmp_path / "theirs"))
    collection = theirs.create_collection("theirs", embedding_function=None)
    collection.add(ids=["x"], embeddings=[1.0, 0.0])
    filled(tmp_path / "vectors").close()
    assert collection.count() == 1


def test_one_object_for_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert chroma_folder(Path("vectors")) is chroma_folder(tmp_path / "vectors")
