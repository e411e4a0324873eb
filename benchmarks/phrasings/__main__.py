"""How often `grounded` puts a value where people say that it belongs: programs that are made up, asked in many ways.

python -m ml_agent.benchmarks.phrasings --tasks 600 --seed 1 -v

What it answers wrong here, it will answer wrong on a repository that nobody has seen: no task and no repository has a part in it.
"""

import argparse
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ml_agent.benchmarks.hits import exit_code
from ml_agent.benchmarks.phrasings.made import Program, Wanted, lists, options, switches
from ml_agent.benchmarks.proposed import proposals
from ml_agent.errors import UsageError
from ml_agent.repo.index import RepoIndex


@dataclass(slots=True)
class Figures:
    """What was asked for, by phrase, and what of it was not given, with the first request."""

    asked: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        asked, wrong = self.asked.total(), self.wrong.total()
        return f"{asked - wrong} of {asked} values, {100 * (asked - wrong) / max(1, asked):.1f} %"


def measure(programs: Iterable[Program]) -> Figures:
    """Of the first answer to each request, before it is checked."""
    figures = Figures()
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            program.write(Path(folder))
            index = RepoIndex(Path(folder))
            for text, wanted in program.requests:
                found = proposals(text, index)
                words = shlex.split(found[0].answer.code.rpartition("\n")[2]) if found and found[0].answer.language == "bash" else []
                for one in wanted:
                    figures.asked[one.said] += 1
                    if not is_given(one, words):
                        figures.wrong[one.said] += 1
                        figures.examples.setdefault(one.said, f"{text} -> {shlex.join(words)}")
    return figures


def is_given(wanted: Wanted, words: Sequence[str]) -> bool:
    """Whether a command line gives the option this value, separate words with a `|` between them."""
    behind = next((k for k, word in enumerate(words) if word.partition("=")[0] == wanted.option), None)
    if behind is None:
        return wanted.value is None
    _, equals, value = words[behind].partition("=")
    given = [value] if equals else []
    for word in words[behind + 1 :] if not equals else ():
        if word.startswith("--"):
            break
        given.append(word)
    if wanted.value is None:
        return given[0].lower() in wanted.usual if given else "true" in wanted.usual
    return "|".join(given).replace(", ", ",") == wanted.value.replace(", ", ",")


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=300, help="requests for options (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of options and words (default: %(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the phrases that fail, each with a request")
    args = parser.parse_args(argv)
    return exit_code(lambda: _run(args))


def _run(args: argparse.Namespace) -> int:
    if args.tasks < 1:
        raise UsageError("--tasks must be at least 1")
    for name, programs in (("options", options(args.tasks, args.seed)), ("lists", lists()), ("switches", switches())):
        figures = measure(programs)
        print(f"{name}: {figures}")
        for said, count in figures.wrong.most_common() if args.verbose else ():
            print(f"    {count} of {figures.asked[said]}  {said}  ({figures.examples[said]})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
