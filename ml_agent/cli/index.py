"""`ml-agent index`."""

import argparse
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ml_agent.cli import asking
from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.console import Screen, Status
    from ml_agent.repo.index import RepoIndex
    from ml_agent.repo.upkeep import Kept, Pruned, Read

_LABEL = 11
_SAID_EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""
_PROBLEMS = 3
_COLUMNS = 140


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Reads all of a repository, embeds it, and keeps that in the cache folder ($XDG_CACHE_HOME): questions are then answered at once. "
        "It may be interrupted: what was done is kept."
    )
    parser.epilog = "exit codes: 0 done, 2 bad usage or input, 3 the surroundings failed, 130 interrupted"
    parser.add_argument("repo", metavar="REPO", nargs="?", help="folder of a checkout; may be left out with --prune and --stats")
    asking.add_embedding(parser)
    parser.add_argument("--prune", action="store_true", help="remove what is of no use any more, of all repositories")
    parser.add_argument("--stats", action="store_true", help="say what is kept, of all repositories")
    asking.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from ml_agent.console import Screen, status, written
    from ml_agent.errors import InfrastructureError, UsageError
    from ml_agent.repo.store import open_store
    from ml_agent.repo.upkeep import kept, prune, read_all
    from ml_agent.repo.vectors import default_vectors

    if args.repo is None and not args.prune and not args.stats:
        raise UsageError("give the folder of a repository, or --prune, or --stats")
    embedder = asking.embedder_of(args)
    vectors = default_vectors(embedder) if embedder is not None else None
    index = asking.open_index(args.repo, embedder) if args.repo is not None else None
    store = index.store if index is not None else open_store()
    read, made, pruned, there, fault, start = None, None, None, None, "", time.monotonic()
    with status() as line:
        try:
            if index is not None:
                read = read_all(index, line.update)
                made = _embed(index, line) if embedder is not None else None
            line.update("looking after what is kept")
            pruned = prune(store, vectors) if args.prune else None
            there = kept(store, vectors) if args.stats else None
        except InfrastructureError as error:  # what was done is said all the same
            fault = str(error)
    size = {"facts": store.size(), "vectors": vectors.size() if vectors is not None else None}
    told: dict[str, Any] = {
        "repository": str(index.root) if index is not None else None,
        "read": asdict(read) if read else None,
        "embedded": made,
        "seconds": round(time.monotonic() - start, 3),
        "pruned": asdict(pruned) if pruned else None,
        "kept": asdict(there) if there else None,
        "bytes": size,
    }
    with written():
        if args.json:
            print_json(told)
        else:
            _show(Screen(), read, told, pruned, there)
    asking.say_notes((*store.notes, *(vectors.notes if vectors is not None else ())))
    if fault:
        raise InfrastructureError(fault)
    return 0


def _embed(index: "RepoIndex", line: "Status") -> dict[str, Any]:
    """The vectors that are missing; how many there are now, how many of them are new, and how many were made a second."""
    from ml_agent.console import say
    from ml_agent.errors import Cancelled

    progress = _Progress(line)
    try:
        new = index.retriever.embed_all(progress)
    except (Cancelled, KeyboardInterrupt):
        say(f"{progress.done:,} of {progress.total:,} vectors are kept; the same command goes on from there")
        raise
    return {"vectors": progress.total, "new": new, "per_second": round(new / progress.seconds, 1) if new else None}


class _Progress:
    """On a terminal in the status line, else a line now and then."""

    def __init__(self, line: "Status") -> None:
        self._line, self._start = line, time.monotonic()
        self._said = self._start
        self.done = self.total = self.first = 0
        self.seconds = 0.0

    def __call__(self, done: int, total: int) -> None:
        if not self.total:
            self._start, self.first = time.monotonic(), done
        self.done, self.total = done, total
        now = time.monotonic()
        self.seconds = max(now - self._start, 1e-6)
        text = f"embedding: {done:,} of {total:,} pieces"
        if (rate := (done - self.first) / self.seconds) > 0 and done < total:
            text += f", {rate:.0f}/s, {span((total - done) / rate)} left"
        self._line.update(text)
        if not sys.stderr.isatty() and now - self._said >= _SAID_EVERY:
            from ml_agent.console import say

            self._said = now
            say(text)


def span(seconds: float) -> str:
    """`45 s`, `6 min`."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if abs(size) < 1e9 else f"{size / 1e9:.2f} GB"


def _show(screen: "Screen", read: "Read | None", told: dict[str, Any], pruned: "Pruned | None", there: "Kept | None") -> None:
    size = told["bytes"]
    if read is not None:
        _show_read(screen, read, told)
    if pruned is not None:
        _label(screen, "pruned", f"{pruned.facts:,} facts and {pruned.vectors:,} vectors: {megabytes(pruned.bytes)}")
    if there is not None:
        _label(screen, "kept", f"of {there.repositories} {'repositories' if there.repositories != 1 else 'repository'}")
        _label(screen, "facts", ", ".join(f"{count:,} {kind}" for kind, count in there.facts.items()) or "none")
        _label(screen, "vectors", ", ".join(f"{count:,} {name}" for name, count in there.vectors.items()) or "none")
    vectors = f", {megabytes(size['vectors'])} vectors" if size["vectors"] is not None else ""
    _label(screen, "on disk", f"{megabytes(size['facts'])} facts{vectors}, of all repositories")


def _show_read(screen: "Screen", read: "Read", told: dict[str, Any]) -> None:
    _label(screen, "files", f"{read.files:,}" + (f", {read.skipped:,} more were not looked into" if read.skipped else ""))
    _label(screen, "symbols", f"{read.symbols:,}")
    _label(screen, "programs", f"{read.programs:,}, {read.commands:,} commands in {read.documents:,} documents and in scripts")
    _label(screen, "pieces", f"{read.pieces:,}")
    if (made := told["embedded"]) is not None:
        rate = f", {made['new']:,} of them new, {made['per_second']:.0f} a second" if made["new"] else ", none of them new"
        _label(screen, "vectors", f"{made['vectors']:,}{rate}")
    _label(screen, "took", f"{told['seconds']:.1f} s")
    for number, problem in enumerate(read.problems[:_PROBLEMS]):
        _label(screen, "" if number else "not read", asking.cut(problem, _COLUMNS), "yellow")
    if len(read.problems) > _PROBLEMS:
        _label(screen, "", f"and {len(read.problems) - _PROBLEMS} more; --json names them", "yellow")


def _label(screen: "Screen", label: str, text: str, style: str = "") -> None:
    screen.line((f"{label:<{_LABEL}}", "dim"), (text, style))
