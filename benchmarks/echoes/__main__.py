"""How many requests `grounded` answers right that are made from what repositories document, in plain words.

python -m ml_agent.benchmarks.echoes CHECKOUTS --each 20 -v

`CHECKOUTS` is a folder of repositories. What it answers wrong here is a defect more often than a gap: all that is asked for stands in the
documentation, under the very words of the request. Kinds: `values` asks for other values of options, `paths` for other files and
folders, `whole` for a command as it is, by its section and what sets it apart, `code` for documented code. Of repositories that nobody
looks at (`is_unseen`), only the number is shown.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ml_agent import inputs
from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.echoes.code import documented_code
from ml_agent.benchmarks.echoes.paths import other_paths
from ml_agent.benchmarks.echoes.values import other_values
from ml_agent.benchmarks.echoes.whole import whole_commands
from ml_agent.benchmarks.hits import Part, exit_code, miss, score
from ml_agent.benchmarks.ranked_answers import Asked, answer_all
from ml_agent.benchmarks.report.texts import shown
from ml_agent.benchmarks.suites.wide import is_unseen
from ml_agent.errors import UsageError
from ml_agent.repo.index import RepoIndex

_SECONDS = 60.0
_KINDS: dict[str, Callable[[RepoIndex, str, int, int], Iterator[Sample]]] = {
    "values": other_values,
    "paths": other_paths,
    "whole": whole_commands,
    "code": documented_code,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, metavar="CHECKOUTS", help="a folder of repositories")
    parser.add_argument("--kinds", nargs="+", choices=_KINDS, default=list(_KINDS), help="what is asked for (default: all)")
    parser.add_argument("--each", type=int, default=20, help="requests of a kind for one repository, at most (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of what is asked for (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="show each request that is answered wrong")
    args = parser.parse_args(argv)
    return exit_code(lambda: _run(args))


def _run(args: argparse.Namespace) -> int:
    if args.each < 1 or args.workers < 1:
        raise UsageError("--each and --workers must be at least 1")
    if not args.checkouts.is_dir():
        raise UsageError(f"{args.checkouts} is no folder: give one that holds repositories")
    folders = {path.name: inputs.check_repository(path) for path in sorted(args.checkouts.iterdir()) if path.is_dir()}
    indices = {name: RepoIndex(path) for name, path in folders.items()}
    made = 0
    for kind in args.kinds:
        samples = [s for name, index in indices.items() for s in _KINDS[kind](index, name, args.each, args.seed)]
        made += len(samples)
        _report(kind, samples, folders, args)
    if not made:
        raise UsageError(f"no repository in {args.checkouts} documents anything that a request can be made from")
    return 0


def _report(kind: str, samples: Sequence[Sample], folders: dict[str, Path], args: argparse.Namespace) -> None:
    asked = [Asked(f"echoes {s.key}", s.instruction, folders[s.repository]) for s in samples]
    answers = {a.key: a for a in answer_all(asked, policy="grounded", attempts=1, workers=args.workers, time_limit=_SECONDS)}
    scored = list(score(Part("echoes", tuple(samples), folders), answers))
    for name, hidden in (("seen", False), ("unseen", True)):
        ones = [one for one in scored if is_unseen(one.sample.repository) == hidden]
        right = sum(bool(one.hit(1)) for one in ones)
        print(f"{kind}, {name}: {right} of {len(ones)}" + (f", {100 * right / len(ones):.1f} %" if ones else ""))
        for one in ones if args.verbose and not hidden else ():
            if not one.hit(1):
                print(shown(miss(one)))


if __name__ == "__main__":
    sys.exit(main())
