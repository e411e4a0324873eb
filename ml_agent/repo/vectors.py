"""The vectors of pieces of text, kept in Chroma: one store for all repositories of a user.

A vector is addressed by the hash of its text: what is known is never computed again, whichever repository or run it came from.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ml_agent.errors import InfrastructureError
from ml_agent.repo.chroma import ChromaFolder, StoreUnavailable, chroma_folder
from ml_agent.repo.embedding import Embedder

if TYPE_CHECKING:
    from ml_agent.repo.embedding.base import Vectors

__all__ = ["StoreUnavailable", "VectorStore"]

Result = TypeVar("Result")

BATCH = 2_000
"""Ids or vectors that are handed to Chroma at once; it takes 5,461 at most."""
_OVERFETCH = 4
_WORTH_IT = 4
"""One part in so many has to be given up before the others are copied for its room."""


def default_vectors(embedder: str) -> "VectorStore":
    """The store in the user's cache folder, for the embedder of that name. Raises UsageError if there is none."""
    import platformdirs

    from ml_agent.repo.embedding import load_embedder

    return VectorStore(platformdirs.user_cache_path("ml-agent") / "vectors", load_embedder(embedder))


class VectorStore:
    """The vectors of one embedder in a folder; other embedders have collections of their own beside it.

    Nothing is opened and no library loaded before the first use. Every method raises StoreUnavailable (one line) if vectors
    cannot be kept here, and InfrastructureError if the embedder fails. May be used by several threads and processes at once.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self.embedder = embedder
        self._folder: ChromaFolder = chroma_folder(folder)
        self._last: tuple[str, Vectors] | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What had to be repaired, one line each."""
        return tuple(self._folder.notes)

    def missing(self, ids: Sequence[str]) -> list[str]:
        """Those that have no vector yet, in their order, each once."""
        wanted = list(dict.fromkeys(ids))
        known = self._do(lambda collection: _known(collection, wanted)) if wanted else set[str]()
        return [i for i in wanted if i not in known]

    def add(self, ids: Sequence[str], texts: Sequence[str]) -> int:
        """Compute and keep the vectors of those that have none yet; returns how many that were."""
        text_of = dict(zip(ids, texts, strict=True))
        new = self.missing(ids)
        for start in range(0, len(new), BATCH):
            part = new[start : start + BATCH]
            self.keep(part, self.compute([text_of[i] for i in part]))
        return len(new)

    def compute(self, texts: Sequence[str]) -> "Vectors":
        """The vectors of these texts, shape (n, dimension), which are not kept."""
        vectors = self.embedder.embed(texts)
        if vectors.shape != (len(texts), self.embedder.dimension):
            raise InfrastructureError(
                f"the embedder {self.embedder.name} gives vectors of shape {vectors.shape}, not {(len(texts), self.embedder.dimension)}"
            )
        return vectors

    def keep(self, ids: Sequence[str], vectors: "Vectors") -> None:
        """Keep vectors of length 1, in the place of those that there may be."""
        self._do(lambda collection: collection.upsert(ids=list(ids), embeddings=vectors), writes=True)

    def delete(self, ids: Collection[str]) -> None:
        """Forget these; unknown ones do no harm."""
        wanted = list(ids)

        def forget(collection: Any) -> None:
            for start in range(0, len(wanted), BATCH):
                collection.delete(ids=wanted[start : start + BATCH])

        if wanted:
            self._do(forget, writes=True)

    def keep_only(self, ids: Set[str]) -> int:
        """Forget all others and give back their room on the disk; how many that were. What others add meanwhile is kept."""
        before = self.ids()
        old = [i for i in before if i not in ids]
        if len(old) * _WORTH_IT < len(before):  # what comes next takes their place
            self.delete(old)
            return len(old)
        if not old:
            return 0
        name, spare = self._name, f"{self._name}-new"  # Chroma's files do not shrink: what is kept is copied
        kept, known = [i for i in before if i in ids], set(before)

        def drop(client: Any) -> None:
            with suppress(_not_found()):
                client.delete_collection(spare)

        def copy(client: Any, part: Sequence[str]) -> None:
            _copy(_collection(client, name), _collection(client, spare), part)

        def take_over(client: Any) -> None:
            added = [i for i in _collection(client, name).get(include=[])["ids"] if i not in known]
            copy(client, added)
            client.delete_collection(name)
            _collection(client, spare).modify(name=name)
            _drop_leftovers(self._folder.path)

        self._folder.do(drop, writes=True)
        for start in range(0, len(kept), BATCH):
            self._folder.do(partial(copy, part=kept[start : start + BATCH]), writes=True)
        self._folder.do(take_over, writes=True)
        return len(old)

    def counts(self) -> dict[str, int]:
        """How many there are of each embedder, under the name of its collection."""
        return self._folder.do(lambda client: {c.name: c.count() for c in client.list_collections()})

    def size(self) -> int:
        """Bytes on disk, of all embedders."""
        return sum(file.stat().st_size for file in self._folder.path.rglob("*") if file.is_file())

    def ids(self) -> list[str]:
        """Of everything that is kept for this embedder."""
        return self._do(lambda collection: list(collection.get(include=[])["ids"]))

    def query(self, text: str, k: int, among: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The `k` nearest as (id, cosine similarity), the nearest first; of those `among` alone, best a set, if it is given."""
        if k < 1 or (among is not None and not among):
            return []
        if self._last is None or self._last[0] != text:
            self._last = text, self.compute([text])
        vector = self._last[1]
        return self._do(lambda collection: _nearest(collection, vector, k, among))

    def close(self) -> None:
        """Let go of the files; the next use opens them again."""
        self._folder.close()

    def _do(self, work: Callable[[Any], Result], *, writes: bool = False) -> Result:
        return self._folder.do(lambda client: work(_collection(client, self._name)), writes=writes)

    @property
    def _name(self) -> str:
        return _collection_name(self.embedder)


def _collection(client: Any, name: str) -> Any:
    return client.get_or_create_collection(name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}})


def _copy(source: Any, target: Any, ids: Sequence[str]) -> None:
    for start in range(0, len(ids), BATCH):
        found = source.get(ids=list(ids[start : start + BATCH]), include=["embeddings"])
        if found["ids"]:
            target.upsert(ids=found["ids"], embeddings=found["embeddings"])


def _drop_leftovers(path: Path) -> None:
    """Chroma leaves the files of a collection that is deleted without having been loaded, and the room in its database."""
    import shutil
    import sqlite3

    with closing(sqlite3.connect(path / "chroma.sqlite3")) as database:
        known = {name for (name,) in database.execute("SELECT id FROM segments")}
        database.execute("VACUUM")
    for folder in path.iterdir():
        if folder.is_dir() and folder.name not in known:
            shutil.rmtree(folder, ignore_errors=True)


def _not_found() -> type[Exception]:
    from chromadb.errors import NotFoundError

    return NotFoundError


def _collection_name(embedder: Embedder) -> str:
    """Of the characters and the length that Chroma takes; another model, other weights or another dimension is another one."""
    model = re.sub(r"[^A-Za-z0-9]+", "-", embedder.name).strip("-")[:24]
    return f"{model or 'x'}-{embedder.weights[:24]}-{embedder.dimension}"


def _known(collection: Any, ids: Sequence[str]) -> set[str]:
    known: set[str] = set()
    for start in range(0, len(ids), BATCH):
        known.update(collection.get(ids=list(ids[start : start + BATCH]), include=[])["ids"])
    return known


def _nearest(collection: Any, vector: "Vectors", k: int, among: Collection[str] | None) -> list[tuple[str, float]]:
    count = collection.count()
    if among is None:
        return _found(collection, vector, min(k, count), {})
    if count <= 2 * len(among):  # mostly theirs: naming them all takes longer than leaving some out
        some = min(_OVERFETCH * k, count)
        found = [one for one in _found(collection, vector, some, {}) if one[0] in among]
        if len(found) >= k or some == count:
            return found[:k]
    from chromadb.errors import InternalError

    try:
        return _found(collection, vector, min(k, len(among)), {"ids": list(among)})
    except InternalError:  # one of them is not there: another process may have deleted it
        known = _known(collection, list(among))
        if len(known) == len(among):
            raise
        return _found(collection, vector, min(k, len(known)), {"ids": list(known)})


def _found(collection: Any, vector: "Vectors", k: int, narrowed: Mapping[str, Any]) -> list[tuple[str, float]]:
    if k < 1:
        return []
    result = collection.query(query_embeddings=vector, n_results=k, include=["distances"], **narrowed)
    pairs = zip(result["ids"][0], result["distances"][0], strict=True)
    return sorted(((str(i), 1.0 - float(d)) for i, d in pairs), key=lambda one: (-one[1], one[0]))
