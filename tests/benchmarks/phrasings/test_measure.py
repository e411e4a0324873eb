"""Figures, and what of an answer is counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ml_agent.benchmarks.phrasings import measure as measuring
from ml_agent.benchmarks.phrasings.catalogues import Repository
from ml_agent.benchmarks.phrasings.measure import Figures, measure
from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer


@dataclass(frozen=True)
class Word:
    """Has to be in the answer."""

    said: str

    def problems(self, answer: Answer | None) -> list[str]:
        return [] if answer and self.said in answer.code else ["missing"]


def test_figures() -> None:
    figures = Figures("tasks")
    figures.count("a", [], "first")
    figures.count("a", ["wrong x", "extra y"], "second")
    figures.count("a", ["extra y"], "third")
    figures.count("b", [""], "fourth")
    assert str(figures) == "1 of 4 tasks, 25.0 %"
    assert figures.details() == ["2 of 3  a: extra y  (second)", "1 of 3  a: wrong x  (second)", "1 of 1  b  (fourth)"]
    assert str(Figures()) == "0 of 0 values, 0.0 %"


def test_the_first_answer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def answered(text: str, index: RepoIndex) -> Sequence[Proposal]:
        assert (Path(index.root) / "a" / "b.py").read_text() == "pass\n"
        answers = {"one": ["x\n  y", "z"], "two": []}[text]
        return [Proposal(1.0, Answer("bash", code), None, (), {}) for code in answers]

    monkeypatch.setattr(measuring, "proposals", answered)
    requests = (("one", (Word("y"), Word("z"))), ("two", (Word("y"),)))
    figures = measure([Repository({"a/b.py": "pass\n"}, requests)])
    assert str(figures) == "1 of 3 values, 33.3 %"
    assert figures.details() == ["1 of 1  z: missing  (one -> x; y)", "1 of 2  y: missing  (two -> nothing)"]
