"""One search over code, documents, programs and symbols: by words, by meaning, and by what documents use.

Each kind of piece is ranked by itself, once by BM25 and once by embeddings, for scores of texts of different kinds cannot be
compared. The ranks are fused (reciprocal rank fusion) for each file; a file also gets credit from the pieces of documents and
scripts that run or import it. Measured by `python -m ml_agent.benchmarks.retrieval`.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ml_agent.errors import InfrastructureError
from ml_agent.repo.chunks import KINDS, Chunk, Kind
from ml_agent.repo.lexical import LexicalIndex, tokenize
from ml_agent.repo.vectors import VectorStore

if TYPE_CHECKING:
    from ml_agent.repo.embedding.base import Vectors

Lexical = Mapping[Kind, LexicalIndex]
Progress = Callable[[int, int], None]
"""Called with how many vectors are there, and how many there will be."""

QUERY_CHARACTERS = 20_000
DEPTH = 100
"""How far down a ranking a piece still counts."""
NEAREST = 200
"""Of all kinds together, by embeddings."""
DAMPING = 3
"""A rank r, from 1, counts 1 / (DAMPING + r)."""
USED = 2.0
"""How much more it counts that a piece uses a file than that a piece of the file itself has this rank."""
USING = 20
"""How far down a ranking pieces count for the files that they use."""
EMBED_AT_MOST = 96
EMBED_SECONDS = 1.0
"""What one search spends on pieces without a vector: so many of those that BM25 ranks first, and so long."""
EMBED_EACH = 32
"""Of one kind."""
_EMBED_STEP = 16
_EMBED_ALL_STEP = 512


@dataclass(frozen=True, slots=True)
class Hit:
    chunk: Chunk
    score: float
    """Comparable within one search only."""
    ranks: Mapping[str, int]
    """Why it is here: its rank, from 1, among the files that its kind's `bm25` and `embedding` put in order, and of the best piece
    that uses its file (`used`)."""


@dataclass(slots=True)
class _File:
    """What one search found for one file."""

    score: float = 0.0
    used: int = 0
    chunks: dict[int, float] = field(default_factory=dict)


def lexical_indexes(chunks: Sequence[Chunk]) -> Lexical:
    """BM25 for each kind by itself, over its pieces in their order."""
    return {kind: LexicalIndex(tokenize(c.content) for c in chunks if c.kind == kind) for kind in KINDS}


class Retriever:
    """Searches the pieces of one repository; without a store (or with one that fails, see `notes`) by words alone.

    `lexical` is what `lexical_indexes` makes of the same pieces. Not for several threads at once.
    """

    def __init__(self, chunks: Sequence[Chunk], lexical: Lexical, store: VectorStore | None = None) -> None:
        self.chunks = chunks
        self._lexical = lexical
        self._store = store
        self._notes: list[str] = []
        self._of_kind: dict[Kind, list[int]] = {kind: [] for kind in KINDS}
        self._of_path: dict[str, list[int]] = defaultdict(list)
        for i, chunk in enumerate(chunks):
            self._of_kind[chunk.kind].append(i)
            self._of_path[chunk.path].append(i)
        self._embedded: dict[Kind, set[str]] | None = None
        """The ids that have a vector, by kind; None until the store was asked."""
        self._repairs = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know: why embeddings are not used, that they had to be computed anew. One line each."""
        return (*(self._store.notes if self._store else ()), *self._notes)

    def search(
        self,
        text: str,
        kinds: Collection[Kind] | None = None,
        k: int = 10,
        *,
        per_file: int = 1,
        embed_at_most: int = EMBED_AT_MOST,
        embed_seconds: float = EMBED_SECONDS,
    ) -> list[Hit]:
        """The `k` best pieces of these kinds (None: all), at most `per_file` of one file, best first; the same for the same vectors.

        Some pieces without a vector get one on the way: at most `embed_at_most`, for about `embed_seconds`.
        """
        text = text[:QUERY_CHARACTERS]
        wanted = [kind for kind in KINDS if kinds is None or kind in kinds]
        by_words = {kind: self._by_words(text, kind) for kind in KINDS}
        by_meaning = self._by_meaning(text, by_words, wanted, embed_at_most, embed_seconds)
        files: dict[str, _File] = defaultdict(_File)
        ranks: dict[int, dict[str, int]] = defaultdict(dict)
        for name, rankings in (("bm25", by_words), ("embedding", by_meaning)):
            for kind, ranking in rankings.items():
                if kind in wanted:
                    self._count(files, ranks, name, ranking)
                self._count_uses(files, ranking)
        return self._hits(files, ranks, frozenset(wanted), k, per_file)

    def embed_all(self, progress: Progress | None = None) -> int:
        """Compute every vector that is missing, documents first, symbols, which are short, before code; returns how many.

        What was done is kept if it is interrupted. Raises InfrastructureError if vectors cannot be computed or kept.
        """
        if self._store is None:
            return 0
        order: tuple[Kind, ...] = ("document", "entrypoint", "symbol", "code")
        text_of = {self.chunks[i].id: self.chunks[i].content for kind in order for i in self._of_kind[kind]}
        new = self._store.missing(list(text_of))
        for start in range(0, len(new), _EMBED_ALL_STEP):
            if progress:
                progress(len(text_of) - len(new) + start, len(text_of))
            part = new[start : start + _EMBED_ALL_STEP]
            self._store.add(part, [text_of[i] for i in part])
        if progress:
            progress(len(text_of), len(text_of))
        self._embedded = None
        return len(new)

    # ------------------------------------------------------------------ rankings
    def _by_words(self, text: str, kind: Kind) -> list[int]:
        positions = self._of_kind[kind]
        return [positions[i] for _, i in self._lexical[kind].search(text, DEPTH)]

    def _by_meaning(
        self, text: str, by_words: Mapping[Kind, Sequence[int]], wanted: Sequence[Kind], at_most: int, seconds: float
    ) -> dict[Kind, list[int]]:
        """Empty if there are no vectors to be had."""
        if self._store is None or not text.strip():
            return {}
        try:
            known = self._known(self._store)
            self._embed_some(self._store, known, by_words, at_most, seconds)
            rankings = self._nearest(self._store, text, set().union(*known.values()))
            if len(wanted) < len(KINDS):
                rankings |= self._nearest(self._store, text, set().union(*(known[kind] for kind in wanted)))
        except InfrastructureError as error:
            self._notes += (*self._store.notes, str(error))
            self._store = None
            return {}
        return rankings

    @cached_property
    def _of_id(self) -> Mapping[str, Sequence[int]]:
        """Equal pieces share an id."""
        of_id: dict[str, list[int]] = defaultdict(list)
        for i, chunk in enumerate(self.chunks):
            of_id[chunk.id].append(i)
        return of_id

    def _known(self, store: VectorStore) -> dict[Kind, set[str]]:
        if self._embedded is None or self._repairs < len(store.notes):  # what was repaired is empty
            missing = set(store.missing(list(self._of_id)))
            self._embedded = {kind: set() for kind in KINDS}
            for identity, positions in self._of_id.items():
                if identity not in missing:
                    self._embedded[self.chunks[positions[0]].kind].add(identity)
            self._repairs = len(store.notes)
        return self._embedded

    def _embed_some(
        self, store: VectorStore, known: Mapping[Kind, set[str]], by_words: Mapping[Kind, Sequence[int]], at_most: int, seconds: float
    ) -> None:
        todo = [self.chunks[i] for kind in KINDS for i in by_words[kind][:EMBED_EACH] if self.chunks[i].id not in known[kind]][:at_most]
        end = time.monotonic() + seconds
        done: dict[str, Vectors] = {}
        for start in range(0, len(todo), _EMBED_STEP):
            if time.monotonic() > end:
                break
            part = todo[start : start + _EMBED_STEP]
            vectors = store.compute([chunk.content for chunk in part])
            done |= {chunk.id: vectors[i : i + 1] for i, chunk in enumerate(part)}
        if done:
            import numpy as np

            store.keep(list(done), np.concatenate(list(done.values())))
            for chunk in todo:
                if chunk.id in done:
                    known[chunk.kind].add(chunk.id)

    def _nearest(self, store: VectorStore, text: str, among: set[str]) -> dict[Kind, list[int]]:
        rankings: dict[Kind, list[int]] = defaultdict(list)
        for identity, similarity in store.query(text, NEAREST, among):
            if similarity > 0:
                for i in self._of_id[identity]:
                    rankings[self.chunks[i].kind].append(i)
        return {kind: ranking[:DEPTH] for kind, ranking in rankings.items()}

    # ------------------------------------------------------------------ fusion
    def _count(self, files: dict[str, _File], ranks: dict[int, dict[str, int]], name: str, ranking: Iterable[int]) -> None:
        """A file's rank is that of its first piece; its other pieces count for themselves, to choose between them."""
        seen: set[str] = set()
        for i in ranking:
            path = self.chunks[i].path
            rank = len(seen) + (path not in seen)
            if path not in seen:
                seen.add(path)
                files[path].score += 1 / (DAMPING + rank)
            files[path].chunks[i] = files[path].chunks.get(i, 0.0) + 1 / (DAMPING + rank)
            ranks[i][name] = rank

    def _count_uses(self, files: dict[str, _File], ranking: Sequence[int]) -> None:
        for rank, i in enumerate(ranking[:USING], 1):
            for path in self.chunks[i].uses:
                if path in self._of_path:
                    files[path].score += USED / (DAMPING + rank)
                    files[path].used = min(files[path].used or rank, rank)

    def _hits(
        self, files: Mapping[str, _File], ranks: Mapping[int, Mapping[str, int]], wanted: Collection[Kind], k: int, per_file: int
    ) -> list[Hit]:
        hits: list[tuple[float, int]] = []
        for path, file in files.items():
            best = sorted(file.chunks, key=lambda i: (-file.chunks[i], i)) or self._stand_in(path, wanted)
            hits += [(file.score if n == 0 else file.chunks[i], i) for n, i in enumerate(best[: max(1, per_file)])]
        hits.sort(key=lambda hit: (-hit[0], hit[1]))
        return [Hit(self.chunks[i], score, self._reasons(i, ranks, files)) for score, i in hits[: max(0, k)]]

    def _stand_in(self, path: str, wanted: Collection[Kind]) -> list[int]:
        """For a file that is only used by what was found: it as a program, else where it begins."""
        own = [i for i in self._of_path[path] if self.chunks[i].kind in wanted]
        return sorted(own, key=lambda i: (self.chunks[i].kind != "entrypoint", i))[:1]

    def _reasons(self, i: int, ranks: Mapping[int, Mapping[str, int]], files: Mapping[str, _File]) -> dict[str, int]:
        used = files[self.chunks[i].path].used
        return {**ranks.get(i, {}), **({"used": used} if used else {})}
