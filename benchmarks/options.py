"""How many of the options that ML-Bench's ground truth gives are known to the entry point of the program that it runs.

python -m ml_agent.benchmarks.options ROWS.jsonl --repos DIR [-v]

Counted are the options of the bash rows, and apart from them those whose value the task asks for: it is one of the row's `arguments` and
stands in the instruction. An option is known if the entry point, read without running anything, lists it, or could not be read whole
and says so (that is counted apart). Each other one is shown with why.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.checkouts import find_checkouts
from ml_agent.benchmarks.scorers.command_words import canonical, read_words
from ml_agent.benchmarks.scorers.commands import path_of, truth_of
from ml_agent.benchmarks.scorers.wanted import is_asked, same
from ml_agent.benchmarks.suites import ml_bench
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.index import RepoIndex

KNOWN, OPEN, UNKNOWN = "known", "not read, and said", "not known"


@dataclass(frozen=True, slots=True)
class Given:
    """One option (or NAME=VALUE word) of a ground truth."""

    key: str
    program: str
    name: str
    values: tuple[str, ...]
    asked: bool
    """Its value is asked for by the task."""
    state: str
    why: str = ""


def given_in(sample: Sample, index: RepoIndex) -> Iterator[Given]:
    """What the ground truth gives to the program that it runs."""
    truth = truth_of(sample)
    if truth is None:
        return
    entry, why = _program(sample, index)
    words = read_words(truth.words, entry)
    known = {canonical(option.name, option) for option in entry.options} if entry else set()
    assigned = {option.name for option in entry.options if option.assigned} if entry else set()
    for name, values in words.options.items():
        state, reason = _state(entry, name in known, why)
        yield Given(sample.key, truth.program, words.spelled[name], values, asked(sample, values), state, reason)
    for word in words.positionals:
        name, equals, value = word.partition("=")
        if equals and name.replace(".", "").isidentifier():
            state, reason = _state(entry, name in assigned or name.upper() == name, why)
            yield Given(sample.key, truth.program, name, (value,), asked(sample, (value,)), state, reason)


def asked(sample: Sample, values: Sequence[str]) -> bool:
    """Whether one of the values is one of the row's arguments that stand in the instruction."""
    wanted = [str(value).strip() for value in sample.arguments.values() if _stands_in(str(value).strip(), sample.instruction)]
    return any(same(value, one) for value in values for one in wanted if value) and is_asked(sample, values)


def _stands_in(value: str, text: str) -> bool:
    return bool(value) and re.search(rf"(?<![\w.]){re.escape(value.lower())}(?!\w)", text.lower()) is not None


def _state(entry: EntryPoint | None, listed: bool, why: str) -> tuple[str, str]:
    if listed:
        return KNOWN, ""
    if entry is None:
        return UNKNOWN, why
    if entry.unread:
        return OPEN, "; ".join(entry.unread[:2])
    if entry.open_ended:
        return OPEN, f"{entry.path} takes words that could not be read"
    return UNKNOWN, f"{entry.path} defines no such option"


def _program(sample: Sample, index: RepoIndex) -> tuple[EntryPoint | None, str]:
    """The entry point that the ground truth runs, or why there is none."""
    truth = truth_of(sample)
    path = path_of(sample.workdir, truth) if truth else None
    if truth is None or path is None:
        return None, "the program is outside of the repository"
    if not index.files.is_file(path):
        return None, f"there is no {path} in the repository"
    entry = index.entry_point(path)
    return entry, "" if entry else f"{path} cannot be read"


def shown(found: Sequence[Given], title: str) -> str:
    count = Counter(one.state for one in found)
    share = 100 * count[KNOWN] / max(1, len(found))
    either = 100 * (count[KNOWN] + count[OPEN]) / max(1, len(found))
    return f"{title:46}{count[KNOWN]:4} of {len(found):4} known ({share:.1f} %), with those said not to be read {either:.1f} %"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, metavar="ROWS.jsonl")
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of checkouts, by the last part of their URLs")
    parser.add_argument("-v", "--verbose", action="store_true", help="also those that the task does not ask for")
    args = parser.parse_args(argv)
    try:
        suite = ml_bench.load(args.rows)
        folders = find_checkouts(suite, args.repos)
        for note in folders.notes:
            print(f"note: {note}", file=sys.stderr)
    except (UsageError, InfrastructureError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3
    indexes = {name: RepoIndex(folder.resolve(), embedder=None) for name, folder in folders.items()}
    samples = [sample for sample in suite.samples if sample.language == "bash"]
    found = [one for sample in samples for one in given_in(sample, indexes[sample.repository])]
    print(f"{len(samples)} bash rows, {sum(truth_of(sample) is None for sample in samples)} of which run no program that can be told")
    print(shown([one for one in found if one.asked], "options whose value the task asks for"))
    print(shown(found, "all options of the ground truth"))
    for one in found:
        if one.state != KNOWN and (one.asked or args.verbose):
            note = "" if one.asked else " (not asked for)"
            print(f"  {one.key:8} {one.program}: {one.name} {' '.join(one.values)}  [{one.state}: {one.why}]{note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
