"""The runs of a report in the order of their ranking, each with its place and its name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ml_agent.benchmarks.places import places
from ml_agent.benchmarks.report.model import Figures, ScoredRun
from ml_agent.benchmarks.report.texts import labels, line


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the ranking."""

    place: str
    """`1`, `2=`, `n/a`."""
    label: str
    """No two runs of a report have the same."""
    run: ScoredRun
    index: int
    """Of the run in the report."""

    @property
    def figures(self) -> Figures:
        return self.run.figures

    @property
    def notes(self) -> list[str]:
        """What else tells the run from others: setting, model, digest."""
        run = self.run
        told = (f"setting {run.setting}" if run.setting else "", run.model, run.digest[:12])
        return [line(note, 80) for note in told if note]


def ranking(runs: Sequence[ScoredRun]) -> list[Row]:
    """Best first; what has no score comes last."""
    named = labels(runs)
    return [Row(one.text, named[one.index], runs[one.index], one.index) for one in places([run.figures.score.value for run in runs])]


def names(counts: Sequence[Mapping[str, object]]) -> list[str]:
    """All keys of some mappings, sorted."""
    return sorted({name for one in counts for name in one})


def most_frequent(counts: Sequence[Mapping[str, int]]) -> list[str]:
    """All keys, the one with most in all mappings together first."""
    return sorted(names(counts), key=lambda name: (-sum(one.get(name, 0) for one in counts), name))
