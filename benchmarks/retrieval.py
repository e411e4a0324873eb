"""How often a search for a task's words finds the program or module that its ground truth uses.

python -m ml_agent.benchmarks.retrieval ROWS.jsonl --repos DIR [--store DIR] [--embed-all] [-v]

The search is given the instruction and the repository, nothing else of a row. Its first hits (of all kinds, one a file) are
compared with the files that the ground truth runs (bash) or imports (Python). In one more column the file that defines a name which
is taken from an imported module counts as well: a package often only passes names on.
Three rankings are shown: BM25 alone, embeddings alone, both. Without --embed-all only those pieces have a vector that a search
computes on the way, so embeddings alone say nothing and are left out.
"""

import argparse
import ast
import posixpath
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.checkouts import find_checkouts
from ml_agent.benchmarks.suites import ml_bench
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.repo.chunks import KINDS, is_code, read_chunks
from ml_agent.repo.embedding import DEFAULT, load_embedder
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.lexical import LexicalIndex
from ml_agent.repo.locate import locate
from ml_agent.repo.modules import Module
from ml_agent.repo.pysource import dotted_name, parse_python
from ml_agent.repo.references import read_references
from ml_agent.repo.retrieval import EMBED_AT_MOST, Hit, Retriever, lexical_indexes
from ml_agent.repo.shell import parse, run_target
from ml_agent.repo.symbols import Symbol, parse_symbols
from ml_agent.repo.vectors import VectorStore

AT = (1, 5, 10)
BASH, PYTHON, DEFINED = "bash", "python", "python, or where defined"


def read_retrievers(index: RepoIndex, store: VectorStore) -> dict[str, Retriever]:
    """The three rankings over the same pieces, by name."""
    definitions = (
        Symbol(file.path, definition)
        for file in index.files.files
        if is_code(file.path)
        for definition in parse_symbols(file.path, index.files.read(file.path).text).definitions
    )
    references = read_references(index.documents, index.commands, index.modules)
    chunks = read_chunks(index.files, index.documents, index.entry_points, index.commands_of, definitions, references)
    lexical = lexical_indexes(chunks)
    nothing = {kind: LexicalIndex(()) for kind in KINDS}
    made = {"BM25": (lexical, None), "embeddings": (nothing, store), "hybrid": (lexical, store)}
    return {name: Retriever(chunks, *parts) for name, parts in made.items()}


def programs(index: RepoIndex, folder: str, code: str) -> set[str]:
    """The repository's programs that a command line runs from `folder`."""
    found = set()
    for command in parse(code).commands:
        target = run_target([word.text for word in command.words])
        start = posixpath.normpath(posixpath.join(folder, command.cwd or "."))
        place = locate(index.files, target, (start,), folder) if target else None
        if place:
            found.add(place[0])
    return found


def modules(index: RepoIndex, code: str) -> tuple[set[str], set[str]]:
    """The repository's modules that Python code imports, and the files that define the names it takes from them."""
    try:
        tree = parse_python(code)
    except SyntaxError:
        return set(), set()
    bound: dict[str, Module] = {}
    imported, taken = set(), set()
    for node in ast.walk(tree):
        for alias in node.names if isinstance(node, ast.Import) else ():
            if module := index.modules.find(alias.name):
                bound[alias.asname or alias.name] = module
                imported.add(module.path)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level and (module := index.modules.find(node.module)):
            imported.add(module.path)
            taken |= {definition.path for alias in node.names if (definition := module.get(alias.name))}
    for node in ast.walk(tree):
        owner, _, name = ((isinstance(node, ast.Attribute) and dotted_name(node)) or "").rpartition(".")
        if owner in bound and (definition := bound[owner].get(name)):
            taken.add(definition.path)
    return imported, taken


def rank(hits: Sequence[Hit], wanted: set[str]) -> int | None:
    """The place, from 1, of the first hit of a wanted file; None if there is none."""
    return next((n for n, hit in enumerate(hits, 1) if hit.chunk.path in wanted), None)


def _measure(
    samples: Sequence[Sample], checkouts: Mapping[str, Path], store: VectorStore, embed_all: bool, say: Callable[[str], None]
) -> dict[tuple[str, str], list[int | None]]:
    """(ranking, kind of row) -> the rank for each row. `checkouts`: repository's name -> its folder."""
    ranks: dict[tuple[str, str], list[int | None]] = defaultdict(list)
    by_repository: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_repository[sample.repository].append(sample)
    for repository, its_samples in by_repository.items():
        index = RepoIndex(checkouts[repository].resolve())
        say(f"{repository} ...")
        retrievers = read_retrievers(index, store)
        if embed_all:
            retrievers["hybrid"].embed_all(lambda done, of: say(f"{done} of {of} embedded"))
        else:
            del retrievers["embeddings"]
        for sample in its_samples:
            wanted: dict[str, set[str]] = {}
            if sample.language == "python":
                imported, taken = modules(index, sample.output)
                wanted = {PYTHON: imported, DEFINED: imported | taken}
            else:
                wanted = {BASH: programs(index, sample.workdir, sample.output)}
            for name, retriever in retrievers.items():
                hits = retriever.search(sample.instruction, k=max(AT), embed_at_most=0 if embed_all else EMBED_AT_MOST)
                for kind, files in wanted.items():
                    ranks[name, kind].append(found := rank(hits, files))
                    if name == "hybrid" and found is None:
                        say(f"{sample.key} ({kind}) is missed: {', '.join(sorted(files)) or 'no file of the repository'}")
        for note in retrievers["hybrid"].notes:
            print(f"note: {note}", file=sys.stderr)
    return ranks


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, metavar="ROWS.jsonl")
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of checkouts, by the last part of their URLs")
    parser.add_argument("--store", type=Path, metavar="DIR", help="keeps the vectors (default: a temporary folder)")
    parser.add_argument("--embedder", default=DEFAULT)
    parser.add_argument("--embed-all", action="store_true", help="every piece of every repository, before the searches")
    parser.add_argument("-v", "--verbose", action="store_true", help="the rows that are missed, and how far embedding is")
    args = parser.parse_args(argv)
    say: Callable[[str], None] = (lambda text: print(text, file=sys.stderr)) if args.verbose else (lambda text: None)
    try:
        suite, embedder = ml_bench.load(args.rows), load_embedder(args.embedder)
        checkouts = find_checkouts(suite, args.repos)
        for note in checkouts.notes:
            print(f"note: {note}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            store = VectorStore((args.store or Path(folder)) / "vectors", embedder)
            ranks = _measure(suite.samples, checkouts, store, args.embed_all, say)
            store.close()
    except (UsageError, InfrastructureError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3
    print(f"per cent of {len(suite.samples)} rows whose file is among the first {', '.join(map(str, AT))} hits")
    print("".join(f"{head:>25}" for head in ("", BASH, PYTHON, "all", DEFINED)))
    for name in dict.fromkeys(name for name, _ in list(ranks)):
        groups = (ranks[name, BASH], ranks[name, PYTHON], ranks[name, BASH] + ranks[name, PYTHON], ranks[name, DEFINED])
        print(f"{name:25}" + "".join(f"{_shares(group):>25}" for group in groups))
    return 0


def _shares(ranks: Sequence[int | None]) -> str:
    return " / ".join(f"{100 * sum(r is not None and r <= at for r in ranks) / max(1, len(ranks)):.1f}" for at in AT)


if __name__ == "__main__":
    sys.exit(main())
