"""What reading symbols costs, against tree-sitter's own parse and query of the same Python files in the same run.

python -m ml_agent.benchmarks.speed.symbols FOLDER... [--files 400]

One process, one core. Prints seconds of both passes and their ratio; then what the table of all files costs to make, and the longest
of a few questions of each kind to it, in milliseconds.
"""

import argparse
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

from ml_agent.repo.files.text import decode
from ml_agent.repo.symbols import FileSymbols, SymbolTable, parse_symbols, repo_map

_TASK = "count the tokens of a chat message before it is sent to the model, and cut it to the limit"


def read(folders: list[str], count: int) -> list[tuple[str, bytes, str]]:
    """Path, bytes and text of the Python files below the folders; a random choice, always the same, if there are more than `count`."""
    paths = sorted((f"{Path(folder).name}/{p.relative_to(folder)}", p) for folder in folders for p in Path(folder).rglob("*.py"))
    if count and count < len(paths):
        paths = sorted(random.Random(0).sample(paths, count))  # noqa: S311
    return [(name, data := path.read_bytes(), decode(data, python=True).text) for name, path in paths]


def compare(files: list[tuple[str, bytes, str]]) -> tuple[float, float, list[tuple[str, FileSymbols]]]:
    """Seconds of the raw pass, of ours, and what ours found. File by file in turn, so both see the same load of the machine."""
    import tree_sitter_python
    from tree_sitter import Language, Parser, Query, QueryCursor

    language = Language(tree_sitter_python.language())
    parser, query = Parser(language), Query(language, tree_sitter_python.TAGS_QUERY)
    parse_symbols("warm.py", "")
    raw = ours = 0.0
    found = []
    for path, data, text in files:
        start = time.perf_counter()
        QueryCursor(query).captures(parser.parse(data).root_node)
        middle = time.perf_counter()
        symbols = parse_symbols(path, text)
        end = time.perf_counter()
        raw, ours = raw + middle - start, ours + end - middle
        found.append((path, symbols))
    return raw, ours, found


def longest(ask: Callable[[str], object], names: list[str]) -> float:
    """The most milliseconds that a question took."""
    worst = 0.0
    for name in names:
        start = time.perf_counter()
        ask(name)
        worst = max(worst, time.perf_counter() - start)
    return 1000 * worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=0, help="a random choice of so many (default: all)")
    arguments = parser.parse_args()
    files = read(arguments.folders, arguments.files)
    raw, ours, found = compare(files)
    print(f"{len(files)} files, {sum(len(data) for _, data, _ in files) / 1e6:.1f} MB")
    print(f"raw parse and query {raw:6.2f} s   symbols {ours:6.2f} s   ratio {ours / raw:.2f}")
    problems = [f"{path}:{p.line}: {p.message}" for path, symbols in found for p in symbols.problems]
    print(f"{sum(len(s.definitions) for _, s in found)} definitions, {len(problems)} problems", *problems[:5], sep="\n  ")
    start = time.perf_counter()
    table = SymbolTable(found)
    print(f"table {time.perf_counter() - start:.2f} s")
    names = random.Random(1).sample(sorted({s.name for s in table.symbols()}), 30)  # noqa: S311
    paths = random.Random(1).sample([path for path, _ in found], min(30, len(found)))  # noqa: S311
    for title, ask, given in (
        ("exact", table.exact, names),
        ("prefix", lambda n: table.prefix(n[:3]), names),
        ("fuzzy", lambda n: table.fuzzy(n[:-1] + "x"), names),
        ("qualified", table.qualified, names),
        ("callers", table.references, names),
        ("exports", table.exports, paths),
    ):
        first = longest(ask, given[:1])
        print(f"{title:10} first {first:6.2f} ms   longest of {len(given)} {longest(ask, given):6.2f} ms")
    for attempt in ("first", "again"):
        start = time.perf_counter()
        chosen = repo_map(table, _TASK, 1_000)
        print(f"map, {attempt}: {time.perf_counter() - start:.2f} s, {len(chosen.symbols)} definitions in about {chosen.tokens} tokens")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (the files' bytes and texts included)")


if __name__ == "__main__":
    main()
