"""The rows and answers that tests of figures need: in the folder that ML_AGENT_DATA names, nothing of it is committed."""

import json
import os
from pathlib import Path

import pytest

from ml_agent.benchmarks.base import Attempt, Sample, Scorer, Suite
from ml_agent.task import Answer

WHY_NOT = "ML_AGENT_DATA names no folder with ml_bench/rows.jsonl"


def data_folder() -> Path:
    """Skips the test, with a reason, where it is not."""
    named = os.environ.get("ML_AGENT_DATA")
    folder = Path(named).absolute() / "ml_bench" if named else None
    if folder is None or not (folder / "rows.jsonl").is_file():
        pytest.skip(WHY_NOT)
    return folder


def answers_of(path: Path) -> dict[str, list[str]]:
    """Key -> answers, best first."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {f"{row['github_id']}/{row['id']}": row["output"] for row in rows}


def attempt(sample: Sample, code: str, number: int = 0) -> Attempt:
    """As a published answer enters: a text that starts in the repository's root."""
    return Attempt(sample.key, number, "answered", Answer(sample.language, code))


def rate(suite: Suite, scorer: Scorer, answers: dict[str, list[str]], k: int = 1, language: str | None = None) -> float:
    """Per cent of the samples that one of the first k answers passes, to one decimal."""
    samples = [sample for sample in suite.samples if language in (None, sample.language)]
    passed = [any(scorer.score(s, attempt(s, code)).passed for code in answers.get(s.key, [])[:k]) for s in samples]
    return round(100 * sum(passed) / len(samples), 1)
