"""Fit the weights by which `grounded` gives values to options, and say what they are worth on repositories that were left out.

python -m ml_agent.benchmarks.pairs ml-bench:DIR wide:DIR documented:DIR further:DIR --data ROWS.jsonl --out WEIGHTS.json

With `--language python`: the weights by which it gives them to the literals of documented snippets. Each argument is a suite with the
folder of its checkouts. No task is used of the repositories that nobody looks at: of those only the figures are shown, by the weights of
all others. `rules` is the score of the hand-written rules alone.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.files import write_whole
from ml_agent.benchmarks.hits import HALVED, Part, exit_code, read_part
from ml_agent.benchmarks.pairs.fit import RIDGE, figures, fit, judged, left_out
from ml_agent.benchmarks.pairs.labelled import Labelled, labelled
from ml_agent.benchmarks.pairs.replaced import labelled_literals
from ml_agent.benchmarks.proposed import proposals
from ml_agent.benchmarks.scorers.programs import ProgramsOf
from ml_agent.benchmarks.suites.wide import is_unseen
from ml_agent.errors import UsageError
from ml_agent.policies.grounded import pairing, replacing
from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.grounded.weights import KINDS, Weights
from ml_agent.repo.index import RepoIndex

_DIGITS, _LEAST = 3, 5e-4


@dataclass(frozen=True, slots=True)
class Learned:
    """What is fitted: the tasks of one language, by one set of features."""

    language: str
    features: Sequence[str]
    ridge: float
    least: Mapping[str, float]
    by_rules: Callable[[], Weights]
    label: Callable[[Sample, Sequence[Proposal], ProgramsOf], Labelled | None]


LEARNED = {
    "bash": Learned("bash", pairing.FEATURES, RIDGE, pairing.LEAST, pairing.by_rules, labelled),
    "python": Learned(
        "python",
        replacing.LITERAL_FEATURES,
        150.0,
        dict.fromkeys(KINDS, replacing.LEAST),
        replacing.by_rules,
        lambda sample, proposals, _: labelled_literals(sample, proposals),
    ),
}
"""The ridges were chosen by the figures on repositories left out."""


def read_tasks(part: Part, learned: Learned) -> Iterator[tuple[bool, Labelled]]:
    """Whether it is of a repository that nobody looks at, and the values of each task whose program or snippet is found."""
    programs = ProgramsOf(part.checkouts)
    for repository in sorted({s.repository for s in part.samples}):
        index = RepoIndex(part.checkouts[repository])
        hidden = part.suite in HALVED and is_unseen(repository)
        for sample in part.samples:
            if sample.repository == repository and sample.language == learned.language:
                found = learned.label(sample, proposals(sample.instruction, index), programs)
                if found is not None:
                    yield hidden, found


def as_json(weights: Weights, features: Sequence[str]) -> str:
    """Rounded; what is next to nothing is left out."""
    table = [zip(features, row, strict=True) for row in weights.features.tolist()]
    rows = [{name: _rounded(value) for name, value in row if abs(value) >= _LEAST} for row in table]
    return json.dumps({"features": rows, "bias": {kind: _rounded(value) for kind, value in weights.bias.items()}}, indent=1) + "\n"


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", metavar="SUITE:DIR", help="a suite and the folder of its checkouts")
    parser.add_argument("--data", metavar="FILE", help="the rows of ml-bench")
    parser.add_argument("--language", choices=sorted(LEARNED), default="bash", help="of the tasks (default: %(default)s)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the weights here")
    args = parser.parse_args(argv)
    return exit_code(lambda: _run([read_part(text, args.data) for text in args.parts], LEARNED[args.language], args.out))


def _run(parts: Sequence[Part], learned: Learned, out: Path | None) -> int:
    tasks = [one for part in parts for one in read_tasks(part, learned)]
    shown, hidden = [t for unseen, t in tasks if not unseen], [t for unseen, t in tasks if unseen]
    if len({c.repository for t in shown for c in t.choices}) < 2:
        raise UsageError(f"give tasks in {learned.language} of at least two repositories: what one teaches is tried on the other")
    print(f"rules: {figures(judged(shown, learned.by_rules()), learned.least)}")
    print(f"fitted, each repository left out: {figures(left_out(shown, learned.ridge), learned.least)}")
    weights = fit([c for t in shown for c in t.choices], learned.ridge)
    if hidden:
        print(f"rules, on repositories that nobody looks at: {figures(judged(hidden, learned.by_rules()), learned.least)}")
        print(f"fitted on all others: {figures(judged(hidden, weights), learned.least)}")
    if out is not None:
        write_whole(out, [as_json(weights, learned.features)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
