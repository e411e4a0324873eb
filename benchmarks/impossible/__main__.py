"""What verification refuses, and whether it is right. Nothing is executed.

python -m ml_agent.benchmarks.impossible ROWS.jsonl OUTPUTS.jsonl... --repos DIR [--also MORE_ROWS.jsonl]

Shown are the ground truths that are refused from their own folder; of the answers labelled by hand, how many impossible ones are refused,
by kind; and of all answers, how many the strict scorer accepts or rejects that verification refuses or review finds something in.
An answer may start in the root or in its row's folder: it is refused if it is in both.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ml_agent.benchmarks.base import Attempt, Sample
from ml_agent.benchmarks.checkouts import find_checkouts
from ml_agent.benchmarks.impossible.figures import Judged, by_kind, by_verdict, errors
from ml_agent.benchmarks.impossible.labels import LABELS, read_labels
from ml_agent.benchmarks.published import read_answers
from ml_agent.benchmarks.scorers.programs import ProgramsOf
from ml_agent.benchmarks.scorers.static import StaticScorer
from ml_agent.benchmarks.suites import load_suite
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.inputs import guess_language
from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer, Task
from ml_agent.verify import Check, review, verify


class Indexes:
    """One index a repository."""

    def __init__(self, checkouts: Mapping[str, Path]) -> None:
        self.checkouts = checkouts
        self._known: dict[str, RepoIndex] = {}

    def of(self, sample: Sample) -> RepoIndex:
        if sample.repository not in self._known:
            self._known[sample.repository] = RepoIndex(self.checkouts[sample.repository])
        return self._known[sample.repository]


def judge_answers(outputs: Sequence[Path], rows: Sequence[str], folder: Path) -> Iterator[Judged]:
    """Each answer of each file, against the first rows that it is about. Raises UsageError."""
    labels = read_labels(LABELS.read_text(encoding="utf-8").splitlines())
    for path in outputs:
        for row_file in rows:
            suite = load_suite("ml-bench", row_file, "full")
            answers = read_answers(path, suite)
            if not any("other suites" in note for note in answers.notes):
                break
        indexes = Indexes(dict(find_checkouts(suite, folder)))
        scorer = StaticScorer(ProgramsOf(indexes.checkouts), from_root=False)
        for sample in suite.samples:
            for number, text in enumerate(answers.outputs.get(sample.key, ())):
                if text.strip():
                    accepted = scorer.score(sample, Attempt(sample.key, number, "answered", Answer(guess_language(text), text))).passed
                    label = labels.get((path.stem, sample.key, number))
                    yield Judged(path.stem, sample.key, number, accepted, label, best_check(sample, text, indexes.of(sample)))


def best_check(sample: Sample, text: str, index: RepoIndex) -> Check:
    """What review says, from the row's folder or the root: whichever it fares better in."""
    task = Task(sample.instruction, index.root)
    folders = dict.fromkeys((sample.workdir, "."))
    checks = [review(task, Answer(guess_language(text), text, folder), index) for folder in folders]
    return min(checks, key=lambda check: (not check.ok, len(check.findings)))


def refused_truths(rows: str, folder: Path) -> Iterator[str]:
    """A line for each ground truth that is refused from its own folder, and a last one that counts."""
    suite = load_suite("ml-bench", rows, "full")
    indexes, refused = Indexes(dict(find_checkouts(suite, folder))), 0
    for sample in suite.samples:
        check = verify(Answer(sample.language, sample.output, sample.workdir), indexes.of(sample))
        if not check.ok:
            refused += 1
            yield f"- {sample.key}: {errors(check)}"
    yield f"{refused} of {len(suite.samples)} ground truths are refused"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", metavar="ROWS", help="ml-bench's rows")
    parser.add_argument("outputs", nargs="+", type=Path, metavar="OUTPUTS", help="files of answers, in the original's format")
    parser.add_argument("--repos", required=True, type=Path, metavar="DIR", help="folder of the checkouts")
    parser.add_argument("--also", action="append", default=[], metavar="ROWS", help="rows for answers that are not all about the first")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0, 2 for bad input, 3 if the surroundings fail."""
    args = _parser().parse_args(argv)
    try:
        judged = list(judge_answers(args.outputs, [args.rows, *args.also], args.repos))
        parts = (refused_truths(args.rows, args.repos), by_kind(judged), by_verdict(judged))
        for line in (line for part in parts for line in (*part, "")):
            print(_printable(line))
    except (UsageError, InfrastructureError) as error:
        print(_printable(str(error)), file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3
    return 0


def _printable(text: str) -> str:
    """Words of answers and repositories are among it: what a terminal would obey is written as an escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


if __name__ == "__main__":
    sys.exit(main())
