from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.store import open_store
from ml_agent.repo.upkeep import kept, prune, read_all
from ml_agent.repo.vectors import VectorStore
from tests.repo.doubles import CountingEmbedder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "README.md").write_text("# Songs\n\nRun it:\n\n```bash\npython sing.py --loud\n```\n")
    (root / "sing.py").write_text("import argparse\np = argparse.ArgumentParser()\np.add_argument('--loud')\np.parse_args()\n")
    (root / "table.py").write_text(f"X = {[*range(40_000)]}\n")
    return root


def test_all_is_read(repository: Path, tmp_path: Path) -> None:
    store, stages = open_store(tmp_path / "cache"), list[str]()
    read = read_all(RepoIndex(repository, store=store, embedder=None), stages.append)
    assert (read.files, read.programs, read.documents, read.commands) == (3, 1, 1, 1)
    assert read.symbols >= 1
    assert read.pieces >= 3
    assert stages[1] == "reading the symbols of 3 files"
    assert [p.partition(":")[0] for p in read.problems] == ["table.py"]
    assert kept(store, None).facts.get("symbols") == 2
    assert kept(store, None).repositories == 1


def test_what_is_of_no_use_goes(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, vectors = open_store(tmp_path / "cache"), VectorStore(tmp_path / "vectors", CountingEmbedder())
    monkeypatch.setattr("ml_agent.repo.vectors.default_vectors", lambda name: vectors)
    index = RepoIndex(repository, store=store)
    new = index.retriever.embed_all()
    assert new == len(vectors.ids()) > 0
    assert prune(store, vectors).vectors == 0
    assert len(vectors.ids()) == new
    (repository / "README.md").write_text("# Dances\n")
    changed = RepoIndex(repository, store=store)
    changed.retriever.embed_all()
    before = set(vectors.ids())
    pruned = prune(store, vectors)
    assert pruned.vectors >= 1
    assert set(vectors.ids()) == {chunk.id for chunk in changed.chunks} < before
    for path in [*repository.rglob("*")]:
        path.unlink()
    repository.rmdir()
    assert prune(store, vectors).vectors == len(changed.chunks)
    assert kept(store, vectors).repositories == 0
