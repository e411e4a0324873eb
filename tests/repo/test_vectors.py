from pathlib import Path

import numpy as np
import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.repo.vectors import BATCH, VectorStore
from tests.repo.doubles import CountingEmbedder

TEXTS = {"p": "the piano and the violin", "v": "a violin", "b": "bread and butter", "s": "salted butter"}


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    return VectorStore(tmp_path / "cache" / "vectors", CountingEmbedder())


def asked(store: VectorStore) -> list[str]:
    assert isinstance(store.embedder, CountingEmbedder)
    return store.embedder.asked


def fill(store: VectorStore) -> None:
    assert store.add(list(TEXTS), list(TEXTS.values())) == 4


def test_nothing_is_made_before_the_first_use(store: VectorStore, tmp_path: Path) -> None:
    assert list(tmp_path.iterdir()) == []
    assert store.notes == ()


def test_the_nearest_come_first(store: VectorStore) -> None:
    fill(store)
    found = store.query("violin", 4)
    assert [i for i, _ in found][:2] == ["v", "p"]
    likeness = store.embedder.embed(list(TEXTS.values())) @ store.embedder.embed(["violin"])[0]
    expected = dict(zip(TEXTS, likeness, strict=True))
    assert dict(found) == pytest.approx(expected, abs=1e-4)
    assert [i for i, _ in store.query("butter", 2)] == ["s", "b"]


def test_what_is_known_is_never_computed_again(store: VectorStore, tmp_path: Path) -> None:
    fill(store)
    assert store.missing(["new", "p", "new", "b"]) == ["new"]
    assert store.add(["p", "new", "new"], ["the piano and the violin", "milk", "milk"]) == 1
    assert asked(store) == [*TEXTS.values(), "milk"]
    again = VectorStore(tmp_path / "cache" / "vectors", CountingEmbedder())
    assert again.add([*TEXTS, "new"], [*TEXTS.values(), "milk"]) == 0
    assert asked(again) == []
    again.query("x", 1)
    again.query("x", 2)
    assert asked(again) == ["x"]


def test_a_question_may_be_put_to_some_alone(store: VectorStore) -> None:
    fill(store)
    assert [i for i, _ in store.query("violin", 2, {"b", "v"})] == ["v", "b"]
    assert not store.query("violin", 3, set())
    assert not store.query("violin", 0)
    assert [i for i, _ in store.query("violin", 3, {"s", "unknown"})] == ["s"]
    assert store.query("violin", 3, {"unknown"}) == []


def test_some_of_many(store: VectorStore) -> None:
    """Whichever way Chroma is asked: those few that are asked about come, though most others are nearer."""
    ids = [f"n{i}" for i in range(3 * BATCH)]
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((len(ids), store.embedder.dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for start in range(0, len(ids), BATCH):
        store.keep(ids[start : start + BATCH], vectors[start : start + BATCH])
    likeness = vectors @ store.embedder.embed(["butter"])[0]
    worst = [ids[i] for i in np.argsort(likeness)[:50]]
    assert [i for i, _ in store.query("butter", 5, set(worst))] == worst[-1:-6:-1]
    most = set(ids) - {ids[int(np.argmax(likeness))]}
    found = store.query("butter", 200, most)
    assert len(found) == 200
    assert {i for i, _ in found} <= most
    assert len(store.missing([*ids, "x"])) == 1


def test_what_is_deleted_is_gone(store: VectorStore) -> None:
    fill(store)
    store.delete(["v", "unknown"])
    store.delete([])
    assert sorted(store.ids()) == ["b", "p", "s"]
    assert [i for i, _ in store.query("violin", 1)] == ["p"]
    assert store.missing(["v"]) == ["v"]


def test_an_empty_store(store: VectorStore) -> None:
    assert (store.query("violin", 5), store.ids(), store.missing([])) == ([], [], [])
    assert store.add([], []) == 0


def test_another_embedder_on_the_same_folder(store: VectorStore, tmp_path: Path) -> None:
    fill(store)
    others = [CountingEmbedder("words", 32), CountingEmbedder("other:words/é", 64), CountingEmbedder("-", 8)]
    for embedder in others:
        other = VectorStore(tmp_path / "cache" / "vectors", embedder)
        assert other.ids() == []
        assert other.add(["p"], ["piano"]) == 1
        assert [(i, round(near, 3)) for i, near in other.query("piano", 5)] == [("p", 1.0)]
    assert sorted(store.ids()) == sorted(TEXTS)
    assert store.notes == ()


def test_an_embedder_that_breaks_its_word_harms_nothing(store: VectorStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store)
    monkeypatch.setattr(store.embedder, "embed", lambda texts: np.zeros((len(texts), 3), np.float32))
    with pytest.raises(InfrastructureError, match=r"gives vectors of shape \(1, 3\), not \(1, 64\)"):
        store.add(["new"], ["x"])
    assert sorted(store.ids()) == sorted(TEXTS)
    assert store.notes == ()


def test_closing_lets_go_and_the_next_use_opens_again(store: VectorStore) -> None:
    fill(store)
    store.close()
    store.close()
    assert sorted(store.ids()) == sorted(TEXTS)
