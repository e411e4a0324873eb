"""Vectors that are given up, and their room."""

from pathlib import Path

import numpy as np
import pytest

from ml_agent.repo.vectors import VectorStore
from tests.repo.doubles import CountingEmbedder

IDS = [f"{i:032x}" for i in range(1200)]


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    made = VectorStore(tmp_path / "vectors", CountingEmbedder())
    vectors = np.random.default_rng(0).standard_normal((len(IDS), 64)).astype("float32")
    made.keep(IDS, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    return made


def test_the_others_stay_and_the_disk_has_room_again(store: VectorStore) -> None:
    wanted, before = set(IDS[:300]), store.size()
    nearest = store.query("a violin", 5, wanted)
    assert store.keep_only(wanted) == 900
    assert set(store.ids()) == wanted
    assert store.size() < before / 2
    found = store.query("a violin", 5)
    assert [i for i, _ in found] == [i for i, _ in nearest]
    assert dict(found) == pytest.approx(dict(nearest), abs=1e-5)
    assert store.keep_only(wanted) == 0
    store.add(["f" * 32], ["a violin"])
    assert store.query("a violin", 1)[0][0] == "f" * 32
    assert list(store.counts().values()) == [301]
    assert store.notes == ()


def test_a_few_are_only_forgotten(store: VectorStore) -> None:
    assert store.keep_only(set(IDS[10:])) == 10
    assert len(store.ids()) == len(IDS) - 10


def test_none_is_wanted(store: VectorStore) -> None:
    assert store.keep_only(set()) == len(IDS)
    assert store.ids() == []
    assert store.query("a violin", 3) == []


def test_an_attempt_that_was_killed_does_no_harm(store: VectorStore) -> None:
    """It leaves a half-filled collection beside the other."""
    name = store._name
    store._folder.do(lambda client: client.create_collection(f"{name}-new", embedding_function=None), writes=True)
    assert store.keep_only(set(IDS[:300])) == 900
    assert store.counts() == {name: 300}


def test_another_embedder_keeps_its_own(store: VectorStore, tmp_path: Path) -> None:
    other = VectorStore(tmp_path / "vectors", CountingEmbedder("other", 32))
    other.add(["a" * 32], ["bread"])
    store.keep_only(set(IDS[:300]))
    assert other.query("bread", 1)[0][0] == "a" * 32
    assert sorted(store.counts().values()) == [1, 300]
