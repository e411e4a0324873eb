"""What the index of a large tree costs, beside a raw tree-sitter pass over its Python files in the same run.

python -m ml_agent.benchmarks.speed.index FOLDER [--runs 3] [--no-search]

The folder's Python files are copied to a temporary folder. Each step is a process of its own, timed from its start to its end, its
imports included: symbols and entry points from nothing (an empty cache), warm, and after one file has changed (another one each time).
The raw pass parses each file on one core with tree-sitter and runs the grammar's own query. Steps take turns, so all see the same load
of the machine; the median of the runs is shown, and how it stands to its goal. Memory is that of all processes together, sampled.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ml_agent.benchmarks.speed.retrieval import QUERIES, copied, fill
from ml_agent.repo.embedding import load_embedder
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.retrieval import Retriever
from ml_agent.repo.store import open_store
from ml_agent.repo.vectors import VectorStore

RAW, COLD, WARM, CHANGED = "raw parse and query, one core", "from nothing", "warm", "one file changed"
GOALS = {COLD: 1.2, WARM: 0.5, CHANGED: 0.3}
"""The first in times of the raw pass, the others in seconds."""
MEMORY_MB = 500
QUERY_MS = {"symbol": 5.0, "BM25": 20.0, "hybrid": 60.0}
_VECTORS = 20_000
_EMBEDDED = 300
_SAMPLED_EACH = 0.02

_RAW = """
import sys
from pathlib import Path
import tree_sitter_python
from tree_sitter import Language, Parser, Query, QueryCursor
language = Language(tree_sitter_python.language())
parser, query = Parser(language), Query(language, tree_sitter_python.TAGS_QUERY)
for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    QueryCursor(query).captures(parser.parse(path.read_bytes()).root_node)
"""
_OURS = """
import sys
from pathlib import Path
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.store import Store
index = RepoIndex(Path(sys.argv[1]), store=Store(Path(sys.argv[2])))
index.symbols.exact("main")
index.entry_points
sys.exit("; ".join(index.notes) or 0)
"""


def run(code: str, *arguments: Path) -> tuple[float, float]:
    """Seconds that a program takes, and the megabytes that it and its children hold at most."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)])
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, sum(map(resident, [process.pid, *children(process.pid)])))
        time.sleep(_SAMPLED_EACH)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return time.perf_counter() - start, peak


def resident(process: int) -> float:
    """Megabytes; 0 for one that is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return 0.0


def children(process: int) -> list[int]:
    try:
        own = list(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))
    except OSError:
        return []
    return own + [below for child in own for below in children(child)]


def build(root: Path, place: Path, runs: int) -> None:
    """Measure and show raw, from nothing, warm, and one file changed."""
    files = sorted(root.rglob("*.py"))
    seconds: dict[str, list[float]] = {name: [] for name in (RAW, COLD, WARM, CHANGED)}
    peak = 0.0
    for number in range(runs):
        store = place / f"store{number}"
        changed = files[len(files) * (number + 1) // (runs + 1)]
        for name in seconds:
            if name == CHANGED:
                with changed.open("a", encoding="utf-8") as file:
                    file.write(f"\n\ndef added_{number}():\n    return {number}\n")
                time.sleep(0.1)
            spent, memory = run(_RAW, root) if name == RAW else run(_OURS, root, store)
            seconds[name].append(spent)
            peak = max(peak, memory) if name != RAW else peak
    raw = statistics.median(seconds[RAW])
    for name, taken in seconds.items():
        middle = statistics.median(taken)
        goal = f", goal {GOALS[name]:g} {'x' if name == COLD else 's'}" if name in GOALS else ""
        print(f"{name:34}{middle:8.2f} s   {middle / raw:6.2f} x raw{goal}   ({', '.join(f'{one:.2f}' for one in taken)})")
    print(f"{'memory of all processes':34}{peak:8.0f} MB at most, goal {MEMORY_MB} MB")


def questions(name: str, ask: Callable[[str], object], asked: Sequence[str]) -> None:
    """Ask each once to warm up, then time each."""
    for one in asked:
        ask(one)
    taken = []
    for one in asked:
        start = time.perf_counter()
        ask(one)
        taken.append(1000 * (time.perf_counter() - start))
    print(f"{name + ' query, warm':34}{statistics.median(taken):8.2f} ms median, {max(taken):.2f} at most, goal {QUERY_MS[name]:g} ms")


def search(root: Path, place: Path) -> None:
    """Measure and show what questions cost, and how many pieces are embedded a second."""
    index = RepoIndex(root, store=open_store(place / "store0"), embedder=None)
    names = sorted({symbol.name for symbol in index.symbols.symbols()})[::997]
    table = index.symbols
    for ask in (table.exact, table.prefix, table.fuzzy, table.qualified, table.references):
        ask(names[0])  # what the first question of each kind prepares
    questions("symbol", lambda name: (table.exact(name), table.prefix(name[:4]), table.references(name)), names)
    start = time.perf_counter()
    lexical = index.retriever
    print(f"{'pieces and BM25':34}{time.perf_counter() - start:8.2f} s for {len(index.chunks):,} pieces")
    questions("BM25", lexical.search, QUERIES)
    embedder = load_embedder()
    embedder.embed(["warm"])
    code = [chunk.content for chunk in index.chunks if chunk.kind == "code"]
    some = code[:: max(1, len(code) // _EMBEDDED)][:_EMBEDDED]
    start = time.perf_counter()
    embedder.embed(some)
    print(f"{'embedding':34}{len(some) / (time.perf_counter() - start):8.1f} pieces of code a second")
    vectors = VectorStore(place / "vectors", embedder)
    fill(vectors, index.chunks[:: max(1, len(index.chunks) // _VECTORS)][:_VECTORS])
    hybrid = Retriever(index.chunks, index._lexical, vectors)
    for _ in range(3):  # until what these queries embed on the way is there
        for query in QUERIES:
            hybrid.search(query)
    questions("hybrid", hybrid.search, QUERIES)
    print(*hybrid.notes, sep="\n", end="")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--no-search", action="store_true", help="the index alone, no questions to it")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        root = place / "tree"
        print(f"{copied([args.folder], root):,} Python files of {sum(f.stat().st_size for f in root.rglob('*.py')) / 1e6:.0f} MB")
        build(root, place, args.runs)
        if not args.no_search:
            search(root, place)


if __name__ == "__main__":
    main()
