"""What goes wrong around an index: huge and hostile trees, caches that cannot be used, no network, killed and simultaneous builds."""

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ml_agent.repo.files import FileTable
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.store import Store, pool
from ml_agent.repo.store import symbols as kept
from tests.pace import within
from tests.repo import slow_reader
from tests.repo.doubles import CountingEmbedder

PROGRAM = """\
import argparse

parser = argparse.ArgumentParser(description="Train a net to tell birds from planes.")
parser.add_argument("--epochs", type=int)
parser.parse_args()
"""
TOP = Path(__file__).parents[2]
BUILD = """if True:
    import json, sys
    from pathlib import Path
    from ml_agent.repo.index import RepoIndex
    from ml_agent.repo.store import Store
    index = RepoIndex(Path(sys.argv[1]), store=Store(Path(sys.argv[2])), embedder=None)
    print("begun", flush=True)
    symbols = [[s.source, s.qualified] for s in index.symbols.symbols()]
    programs = [[e.path, *(o.name for o in e.options)] for e in index.entry_points]
    hits = [h.chunk.source for h in index.search("train")]
    print(json.dumps([symbols, programs, hits, list(index.notes)]))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    (place / "birds").mkdir(parents=True)
    (place / "train.py").write_text(PROGRAM)
    (place / "README.md").write_text("# Birds\n\nTrain with `python train.py --epochs 3`.\n")
    for number in range(60):
        (place / "birds" / f"m{number}.py").write_text(
            f"def bird_{number}(wing):\n    return wing + {number}\n\n\nclass Nest{number}:\n    pass\n"
        )
    return place


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def answers(root: Path, store: Store) -> object:
    """What an index says, as BUILD prints it."""
    index = RepoIndex(root, store=store, embedder=None)
    symbols = [[s.source, s.qualified] for s in index.symbols.symbols()]
    return [symbols, [[e.path, *(o.name for o in e.options)] for e in index.entry_points], [h.chunk.source for h in index.search("train")]]


def start(root: Path, cache: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", BUILD, str(root), str(cache)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: "subprocess.Popen[str]") -> list[object]:
    out, err = process.communicate(timeout=50)
    assert process.returncode == 0, err
    found: list[object] = json.loads(out.splitlines()[-1])
    return found


# ---------------------------------------------------------------------- size
def test_fifty_thousand_files_and_two_queries(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second query, in another process say, parses nothing and reads no file."""
    root = tmp_path / "repository"
    for folder in range(100):
        (root / f"f{folder}").mkdir(parents=True)
        for number in range(500):  # many files are alike, as in real trees of that size; what is the same is parsed once
            (root / f"f{folder}/m{number}.py").write_text(f"def g{number}(): pass\n")
    time.sleep(0.06)
    first = RepoIndex(root, store=Store(cache), embedder=None)
    assert len(first.symbols.exact("g499")) == 100
    assert first.tree.read == 50_000
    monkeypatch.setattr(subprocess, "Popen", None)  # no worker can be started
    monkeypatch.setattr(FileTable, "read", None)
    again = RepoIndex(root, store=Store(cache), embedder=None)
    assert len(again.symbols.exact("g499")) == 100
    assert again.entry_points == ()
    assert again.tree.read == 0
    assert again.notes == ()


def test_a_minified_file_of_20_megabytes(root: Path, cache: Path) -> None:
    (root / "bundle.js").write_text("var a=function(b){return b};" * 750_000)
    (root / "one_line.py").write_text("x=[" + "1," * 10_000_000 + "]")
    (root / "data.json").write_text('{"k":' + "[" * 9_000_000 + "]" * 9_000_000 + "}")
    with within(20):
        index = RepoIndex(root, store=Store(cache), embedder=None)
        assert index.symbols.exact("bird_7")
        assert "train.py" in [e.path for e in index.entry_points]
        assert index.search("bird")[0].chunk.path.startswith("birds/")
    for path in ("bundle.js", "one_line.py", "data.json"):
        assert index.symbols.files[path].problems, path


# ---------------------------------------------------------------------- grammars
def test_a_grammar_that_hangs_and_one_that_crashes(root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TOP))
    monkeypatch.setattr(kept, "_READER", f"{slow_reader.__name__}:read")
    monkeypatch.setattr(pool, "FILE_SECONDS", 1.5)
    (root / "slow.py").write_text("HANG = 1\n")
    (root / "bad.py").write_text("CRASH = 1\n")
    index = RepoIndex(root, store=Store(cache), embedder=None)
    table = index.symbols
    assert "within 1.5 seconds" in table.files["slow.py"].problems[0].message
    assert "crashed" in table.files["bad.py"].problems[0].message
    assert all(table.exact(f"bird_{number}") for number in range(60))
    with within(1):
        again = RepoIndex(root, store=Store(cache), embedder=None)
        assert again.symbols.files["slow.py"].problems, "it is not tried again each time"


# ---------------------------------------------------------------------- network, embedders, chromadb
def alone(code: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run Python where no network is, with an empty home and cache."""
    command = ["unshare", "-n", "-r"] if os.getuid() else ["unshare", "-n"]
    if shutil.which("unshare") is None or subprocess.run([*command, "true"], capture_output=True).returncode:
        pytest.skip("no namespace without a network can be made here")
    return subprocess.run(
        [*command, sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}, timeout=55
    )


SEARCH = """if True:
    import sys
    from pathlib import Path
    from ml_agent.repo.index import RepoIndex
    index = RepoIndex(Path({root!r}))
    hits = index.search("tell birds from planes")
    print([hit.chunk.path for hit in hits][0], any("embedding" in hit.ranks for hit in hits), *index.notes, sep="|")
"""


def test_no_network_on_first_use(root: Path, cache: Path) -> None:
    done = alone(SEARCH.format(root=str(root)), XDG_CACHE_HOME=str(cache), HOME=str(cache))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "train.py|True"
    assert done.stderr == ""


@pytest.mark.parametrize("why", ["sqlite", "missing"])
def test_a_chromadb_that_does_not_load_costs_one_line(root: Path, cache: Path, why: str) -> None:
    """An old sqlite makes it fail with a RuntimeError when it is imported."""
    broken = (
        "import sqlite3; sqlite3.sqlite_version_info = (3, 31, 0); sqlite3.sqlite_version = '3.31.0'\n"
        if why == "sqlite"
        else "import sys; sys.modules['chromadb'] = None\n"
    )
    code = broken + SEARCH.format(root=str(root))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    assert done.returncode == 0, done.stderr
    first, embedded, *notes = done.stdout.strip().split("|")
    assert (first, embedded) == ("train.py", "False")
    assert len(notes) == 1
    assert "chromadb does not load" in notes[0]
    assert done.stderr == ""


def test_another_embedder_on_the_same_index(root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    made = {"small": CountingEmbedder("small", 8), "large": CountingEmbedder("large", 32)}
    monkeypatch.setattr("ml_agent.repo.embedding.load_embedder", made.__getitem__)
    for name in ("small", "large", "small"):
        index = RepoIndex(root, embedder=name)
        assert any("embedding" in hit.ranks for hit in index.search("tell birds from planes")), name
        assert index.notes == ()
    asked = len(made["small"].asked)
    RepoIndex(root, embedder="small").search("tell birds from planes")
    assert len(made["small"].asked) == asked + 1, "only the question itself is new"


# ---------------------------------------------------------------------- processes
def test_two_processes_build_at_once(root: Path, cache: Path) -> None:
    running = [start(root, cache) for _ in range(3)]
    found = [finished(process) for process in running]
    assert found[0] == found[1] == found[2]
    assert found[0] == [*answers(root, Store(None)), []]  # type: ignore[misc]
    assert finished(start(root, cache)) == found[0]


def test_a_build_that_is_killed(root: Path, cache: Path) -> None:
    chance = random.Random(5)  # noqa: S311
    wanted = [*answers(root, Store(None)), []]  # type: ignore[misc]
    for _ in range(8):
        process = start(root, cache)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.random() * 0.5)
        process.kill()
        process.communicate()
    assert finished(start(root, cache)) == wanted
    assert [path.name for path in cache.iterdir()] == ["facts-2.sqlite"]


def test_the_workers_of_a_killed_build_end(root: Path, cache: Path) -> None:
    for number in range(3000):
        (root / f"birds/n{number}.py").write_text(f"def more_{number}():\n    return {number}\n")
    process = start(root, cache)
    assert process.stdout is not None
    process.stdout.readline()
    workers: list[str] = []
    end = time.monotonic() + 10
    while not workers and time.monotonic() < end:
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert workers
    process.kill()
    process.communicate()
    while any(Path(f"/proc/{worker}/cmdline").exists() and Path(f"/proc/{worker}/cmdline").read_bytes() for worker in workers):
        assert time.monotonic() < end
        time.sleep(0.02)


# ---------------------------------------------------------------------- the cache folder
def test_a_cache_that_cannot_be_written(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file" / "cache")
    assert answers(root, store) == answers(root, Store(None))
    assert len(store.notes) == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount")
def test_a_full_disk(root: Path, tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120k", "none", place]).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        store = Store(place)
        assert answers(root, store) == answers(root, Store(None))
        assert len(store.notes) == 1
        assert "full" in store.notes[0]
        assert answers(root, Store(place)) == answers(root, Store(None))
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_cache_that_is_removed_while_it_is_used(root: Path, cache: Path) -> None:
    wanted = answers(root, Store(None))
    stop = threading.Event()

    def remove() -> None:
        while not stop.is_set():
            for path in list(cache.glob("*")):
                path.unlink(missing_ok=True)
            time.sleep(0.003)

    remover = threading.Thread(target=remove)
    remover.start()
    try:
        for _ in range(4):
            assert answers(root, Store(cache)) == wanted
    finally:
        stop.set()
        remover.join()
    shutil.rmtree(cache)
    store = Store(cache)
    shutil.rmtree(cache)
    assert answers(root, store) == wanted
    assert answers(root, Store(cache)) == wanted


def test_a_file_that_changes_is_the_only_one_that_is_read(root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(0.06)
    answers(root, Store(cache))
    (root / "birds/m7.py").write_text("def bird_of_prey(): pass\n")
    read: list[str] = []
    real = pool.read_all

    def count(function: str, place: Path, paths: list[str], **others: object) -> object:
        read.extend(paths)
        return real(function, place, paths, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(kept, "read_all", count)
    index = RepoIndex(root, store=Store(cache), embedder=None)
    assert index.symbols.exact("bird_of_prey")
    assert not index.symbols.exact("bird_7")
    assert read == ["birds/m7.py"]
    assert index.tree.read == 1
