"""Fit the weights by which `grounded` gives values to options, and say what they are worth on repositories that were left out.

python -m ml_agent.benchmarks.pairs ml-bench:DIR wide:DIR documented:DIR further:DIR --data ROWS.jsonl --out WEIGHTS.json

Each argument is a suite with the folder of its checkouts. Shell tasks are used, and none of the repositories that nobody looks at: of
those only the figures are shown, by the weights of all others. `rules` is the score of the hand-written rules alone.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ml_agent.agent import PlannerLoop
from ml_agent.benchmarks.files import write_whole
from ml_agent.benchmarks.hits import HALVED, Part, exit_code, read_part
from ml_agent.benchmarks.pairs.fit import figures, fit, judged, left_out
from ml_agent.benchmarks.pairs.labelled import Labelled, labelled
from ml_agent.benchmarks.scorers.programs import ProgramsOf
from ml_agent.benchmarks.suites.wide import is_unseen
from ml_agent.errors import NoAnswer, UsageError
from ml_agent.limits import Limits
from ml_agent.policies.grounded import Grounded
from ml_agent.policies.grounded.pairing import FEATURES, Weights, by_rules
from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.stepwise import Plan
from ml_agent.repo.index import RepoIndex
from ml_agent.sandbox.options import Options
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.workspace import Workspace

_SECONDS = 100.0
_DIGITS, _LEAST = 3, 5e-4


class _Looking(Grounded):
    """Proposes, and hands nothing in."""

    proposals: Sequence[Proposal] = ()

    def plan(self) -> Plan:
        self.proposals, _ = yield from self.look()
        raise NoAnswer("it was only to look")


def read_tasks(part: Part) -> Iterator[tuple[bool, Labelled]]:
    """Whether it is of a repository that nobody looks at, and the values of each shell task whose program is found."""
    programs = ProgramsOf(part.checkouts)
    for repository in sorted({s.repository for s in part.samples}):
        index = RepoIndex(part.checkouts[repository])
        hidden = part.suite in HALVED and is_unseen(repository)
        for sample in part.samples:
            if sample.repository == repository and sample.language == "bash":
                found = labelled(sample, _proposals(sample.instruction, index), programs)
                if found is not None:
                    yield hidden, found


def _proposals(instruction: str, index: RepoIndex) -> Sequence[Proposal]:
    tools, looking = default_tools(), _Looking()
    del tools["run"]
    with Workspace(index.root, Options(sandbox="none"), index=index) as workspace:
        PlannerLoop(looking).run(Task(instruction, index.root), workspace, tools, Limits(seconds=_SECONDS))
    return looking.proposals


def as_json(weights: Weights) -> str:
    """Rounded; what is next to nothing is left out."""
    table = [zip(FEATURES, row, strict=True) for row in weights.features.tolist()]
    rows = [{name: _rounded(value) for name, value in row if abs(value) >= _LEAST} for row in table]
    return json.dumps({"features": rows, "bias": {kind: _rounded(value) for kind, value in weights.bias.items()}}, indent=1) + "\n"


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", metavar="SUITE:DIR", help="a suite and the folder of its checkouts")
    parser.add_argument("--data", metavar="FILE", help="the rows of ml-bench")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the weights here")
    args = parser.parse_args(argv)
    return exit_code(lambda: _run([read_part(text, args.data) for text in args.parts], args.out))


def _run(parts: Sequence[Part], out: Path | None) -> int:
    tasks = [one for part in parts for one in read_tasks(part)]
    shown, hidden = [t for unseen, t in tasks if not unseen], [t for unseen, t in tasks if unseen]
    if len({c.repository for t in shown for c in t.choices}) < 2:
        raise UsageError("give shell tasks of at least two repositories: what one teaches is tried on the other")
    print(f"rules: {figures(judged(shown, by_rules()))}")
    print(f"fitted, each repository left out: {figures(left_out(shown))}")
    weights = fit([c for t in shown for c in t.choices])
    if hidden:
        print(f"rules, on repositories that nobody looks at: {figures(judged(hidden, by_rules()))}")
        print(f"fitted on all others: {figures(judged(hidden, weights))}")
    if out is not None:
        write_whole(out, [as_json(weights)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
