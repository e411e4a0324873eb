"""How often `grounded` puts a value where people say that it belongs: programs that are made up, asked in many ways.

python -m ml_agent.benchmarks.phrasings --tasks 600 --seed 1 --only options voices -v

Kinds: `options` in many words, `lists` in one word, `switches`, `voices` that string several settings together, `commands` of repositories
with several programs, which count only as a whole, and `code` for libraries.

What it answers wrong here, it will answer wrong on a repository that nobody has seen: no task and no repository has a part in it.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from ml_agent.benchmarks.hits import exit_code
from ml_agent.benchmarks.phrasings.commands import commands
from ml_agent.benchmarks.phrasings.made import lists, options, switches
from ml_agent.benchmarks.phrasings.measure import Made, measure
from ml_agent.benchmarks.phrasings.python_code import code
from ml_agent.benchmarks.phrasings.voices import voices
from ml_agent.errors import UsageError

KINDS: Mapping[str, Callable[[int, int], Iterable[Made]]] = {
    "options": options,
    "lists": lambda tasks, seed: lists(),
    "switches": lambda tasks, seed: switches(),
    "voices": voices,
    "commands": commands,
    "code": code,
}
"""From the number of tasks, where they are a choice at random, and a seed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=KINDS, metavar="KIND", default=list(KINDS), help="these kinds (default: all)")
    parser.add_argument("--tasks", type=int, default=300, help="requests of a kind, but for lists and switches (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of what is asked for and of words (default: %(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what fails, by phrases or problems, each with a request")
    args = parser.parse_args(argv)
    return exit_code(lambda: _run(args))


def _run(args: argparse.Namespace) -> int:
    if args.tasks < 1:
        raise UsageError("--tasks must be at least 1")
    for name in (kind for kind in KINDS if kind in args.only):
        figures = measure(KINDS[name](args.tasks, args.seed), "tasks" if name == "commands" else "values")
        print(f"{name}: {figures}", flush=True)
        for line in figures.details() if args.verbose else ():
            print(f"    {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
