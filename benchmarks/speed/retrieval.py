"""How long retrieval takes on a large tree: cutting, BM25, a hybrid query, and the pieces that are embedded a second.

python -m ml_agent.benchmarks.speed.retrieval [FOLDER ...] [--vectors N] [--embed N]

Without folders: the installed packages chromadb, kubernetes, langchain_core, langgraph and openai, as far as they are there. Their
Python files are copied to a temporary folder. `--vectors N` puts vectors at random for N pieces into the store, as if they had been
embedded; `--embed N` is how many are really embedded to see the speed.
"""

import argparse
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from ml_agent.repo.chunks import Chunk, is_code, read_chunks
from ml_agent.repo.embedding import load_embedder
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.references import read_references
from ml_agent.repo.retrieval import Retriever, lexical_indexes
from ml_agent.repo.symbols import Symbol, parse_symbols
from ml_agent.repo.vectors import VectorStore

PACKAGES = ("chromadb", "kubernetes", "langchain_core", "langgraph", "openai")
QUERIES = (
    "create a pod with two containers in a namespace",
    "stream the tokens of a chat completion",
    "add documents to a collection with metadata",
    "how does a graph resume after an interruption",
    "retry a request when the rate limit is reached",
    "RunnableParallel invoke",
    "V1PodSpec service_account_name",
    "parse the output of a model into a pydantic object",
    "delete a persistent volume claim and wait until it is gone",
    "where is the telemetry switched off",
)


def installed(names: Sequence[str]) -> list[Path]:
    """The folders of those of these packages that are installed."""
    specs = (find_spec(name) for name in names)
    return [Path(folder) for spec in specs if spec for folder in (spec.submodule_search_locations or ())]


def copied(folders: Sequence[Path], to: Path) -> int:
    """Copy the Python files below these folders; returns how many."""
    count = 0
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            target = to / folder.name / file.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            count += 1
    return count


def timed(name: str, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    print(f"{name:44}{time.perf_counter() - start:8.2f} s")


def per_query(name: str, search: Callable[[str], object]) -> None:
    for query in QUERIES:
        search(query)
    taken = []
    for query in QUERIES:
        start = time.perf_counter()
        search(query)
        taken.append(1000 * (time.perf_counter() - start))
    print(f"{name:44}{statistics.median(taken):8.2f} ms median, {max(taken):.2f} ms at most")


def fill(store: VectorStore, chunks: Sequence[Chunk]) -> None:
    """Vectors at random for these pieces, in the place of real ones."""
    import numpy as np

    ids = list(dict.fromkeys(chunk.id for chunk in chunks))
    rng = np.random.default_rng(0)
    for start in range(0, len(ids), 2_000):
        part = ids[start : start + 2_000]
        vectors = rng.standard_normal((len(part), store.embedder.dimension)).astype(np.float32)
        store.keep(part, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def measure(root: Path, folder: Path, vectors: int, embed: int) -> None:
    index = RepoIndex(root)
    files = [file.path for file in index.files.files if is_code(file.path)]
    symbols: list[Symbol] = []
    timed("symbols", lambda: symbols.extend(Symbol(p, d) for p in files for d in parse_symbols(p, index.files.read(p).text).definitions))
    timed("documents, entry points, commands", lambda: (index.documents, index.entry_points, index.commands_of))
    references = read_references(index.documents, index.commands, index.modules)
    chunks: list[Chunk] = []
    read = (index.files, index.documents, index.entry_points, index.commands_of, symbols, references)
    timed("pieces", lambda: chunks.extend(read_chunks(*read)))
    start = time.perf_counter()
    lexical = lexical_indexes(chunks)
    print(
        f"{'BM25':44}{time.perf_counter() - start:8.2f} s for {len(chunks):,} pieces of {sum(len(c.content) for c in chunks) / 1e6:.0f} MB"
    )
    per_query("query by BM25, warm", Retriever(chunks, lexical).search)
    embedder = load_embedder()
    embedder.embed(["warm"])
    code = [chunk for chunk in chunks if chunk.kind == "code"]
    some = [chunk.content for chunk in code[:: max(1, len(code) // max(1, embed))][:embed]]
    start = time.perf_counter()
    embedder.embed(some)
    print(f"{'embedding':44}{len(some) / (time.perf_counter() - start):8.1f} pieces of code a second")
    store = VectorStore(folder / "vectors", embedder)
    timed(f"{vectors:,} vectors at random into the store", lambda: fill(store, chunks[:: max(1, len(chunks) // max(1, vectors))][:vectors]))
    retriever = Retriever(chunks, lexical, store)
    timed("first hybrid query, with its embedding", lambda: retriever.search(QUERIES[0]))
    for _ in range(3):  # until what these queries embed on the way is there
        for query in QUERIES:
            retriever.search(query)
    per_query("hybrid query, warm", retriever.search)
    print(f"{'memory':44}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB at most", *retriever.notes, sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--vectors", type=int, default=20_000)
    parser.add_argument("--embed", type=int, default=300)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve() / "tree"
        print(f"{copied(args.folders or installed(PACKAGES), tree):,} Python files")
        measure(tree, Path(folder), args.vectors, args.embed)


if __name__ == "__main__":
    main()
