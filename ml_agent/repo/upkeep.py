"""Looking after what is kept: reading a repository ahead of any question, how much there is, and the removal of what is of no use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ml_agent.repo.store import Store
from ml_agent.repo.vectors import VectorStore

if TYPE_CHECKING:
    from ml_agent.repo.index import RepoIndex


@dataclass(frozen=True, slots=True)
class Pruned:
    facts: int
    vectors: int
    bytes: int
    """By how much less is on the disk now."""


@dataclass(frozen=True, slots=True)
class Kept:
    repositories: int
    """Of which something is known."""
    facts: dict[str, int]
    """What this version of the program finds, by kind."""
    fact_bytes: int
    vectors: dict[str, int]
    """By embedder, under the name of its collection."""
    vector_bytes: int


def prune(store: Store, vectors: VectorStore | None) -> Pruned:
    """Remove facts that are old or of another version of the program, what is known of folders that are gone, and vectors of texts that
    no folder has had when it was last searched. Raises InfrastructureError if the vectors cannot be opened."""
    facts, smaller = store.prune()
    removed = 0
    used = store.pieces() if vectors is not None else None
    if vectors is not None and used is not None:
        before = vectors.size()
        removed = vectors.keep_only(used)
        smaller += before - vectors.size()
    return Pruned(facts, removed, smaller)


def kept(store: Store, vectors: VectorStore | None) -> Kept:
    """What there is. Raises InfrastructureError if the vectors cannot be opened."""
    counts = vectors.counts() if vectors is not None else {}
    return Kept(store.folders(), store.stats(), store.size(), counts, vectors.size() if vectors is not None else 0)


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of one repository."""

    files: int
    skipped: int
    """Files and folders that are there and were not looked into; `FileTable.skipped` says why."""
    symbols: int
    programs: int
    documents: int
    commands: int
    """That documents and scripts show."""
    pieces: int
    """That can be searched; equal ones count once."""
    problems: tuple[str, ...]
    """Files that were not read, or not whole, `path:line: why`."""


def read_all(index: "RepoIndex", stage: Callable[[str], None]) -> Read:
    """Read all of a repository, so that it is kept; `stage` is told what is being done. Raises InfrastructureError."""
    stage("looking for files")
    files = len(index.tree.hashes)
    stage(f"reading the symbols of {files:,} files")
    symbols = sum(1 for _ in index.symbols.symbols())
    problems = tuple(f"{path}:{p.line}: {p.message}" for path, file in index.symbols.files.items() for p in file.problems)
    stage("reading programs and documents")
    programs, documents, commands = len(index.entry_points), len(index.documents), len(index.commands)
    stage("cutting it all into pieces")
    pieces = len({chunk.id for chunk in index.retriever.chunks})
    return Read(files, len(index.files.skipped), symbols, programs, documents, commands, pieces, problems)
