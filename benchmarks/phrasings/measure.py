"""What the first answers to requests hold of what was asked for."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from ml_agent.benchmarks.proposed import proposals
from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer


class Wanted(Protocol):
    """Something that a request asks for, counted by what is `said`."""

    @property
    def said(self) -> str: ...

    def problems(self, answer: Answer | None) -> Sequence[str]:
        """What is wrong with the answer, none if it is right; without words where `said` says it all."""


class Made(Protocol):
    """A made-up repository, and requests with what their answers have to hold."""

    @property
    def requests(self) -> Sequence[tuple[str, Sequence[Wanted]]]: ...

    def write(self, folder: Path) -> None: ...


@dataclass(slots=True)
class Figures:
    """What was asked for, by what is said, and what of it was not given; problems, by that and their words, with the first request."""

    unit: str = "values"
    asked: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    problems: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def __str__(self) -> str:
        asked, wrong = self.asked.total(), self.wrong.total()
        return f"{asked - wrong} of {asked} {self.unit}, {100 * (asked - wrong) / max(1, asked):.1f} %"

    def count(self, said: str, problems: Sequence[str], example: str) -> None:
        self.asked[said] += 1
        if problems:
            self.wrong[said] += 1
        for problem in problems:
            self.problems[said, problem] += 1
            self.examples.setdefault((said, problem), example)

    def details(self) -> list[str]:
        """A line for each problem, the most frequent first."""
        return [
            f"{count} of {self.asked[said]}  {said}{problem and ': ' + problem}  ({self.examples[said, problem]})"
            for (said, problem), count in self.problems.most_common()
        ]


def measure(made: Iterable[Made], unit: str = "values") -> Figures:
    """Of the first answer to each request, before it is checked."""
    figures = Figures(unit)
    for repository in made:
        with TemporaryDirectory() as folder:
            repository.write(Path(folder))
            index = RepoIndex(Path(folder))
            for text, wanted in repository.requests:
                found = proposals(text, index)
                answer = found[0].answer if found else None
                example = f"{text} -> {_in_one_line(answer)}"
                for one in wanted:
                    figures.count(one.said, one.problems(answer), example)
    return figures


def _in_one_line(answer: Answer | None) -> str:
    return "; ".join(line.strip() for line in answer.as_text().splitlines() if line.strip()) if answer else "nothing"
