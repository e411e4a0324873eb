import json
from pathlib import Path

import pytest

from ml_agent.benchmarks.published import write_answers
from ml_agent.benchmarks.scoring import score_answers, score_run
from ml_agent.errors import UsageError
from tests.benchmarks.recorded import Equal, record, suite_of

SUITE = suite_of(["a", "b"])


def test_a_run_is_exported_with_as_many_answers_as_attempts(tmp_path: Path) -> None:
    run = record(tmp_path / "run", SUITE, {"1/0": "+.+", "1/1": "ik-"})
    assert write_answers(run, tmp_path / "out.jsonl") == 2
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == [
        {"github_id": 1, "id": 0, "output": ["right 0", "", "right 0"]},
        {"github_id": 1, "id": 1, "output": ["", "", "wrong"]},
    ]


def test_what_is_exported_scores_the_same(tmp_path: Path) -> None:
    run = record(tmp_path / "run", SUITE, {"1/0": "-+", "1/1": "+."})
    write_answers(run, tmp_path / "out.jsonl")
    assert score_answers(tmp_path / "out.jsonl", SUITE, Equal()).run.figures.rates == score_run(run, Equal()).run.figures.rates


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="1/1 has 1 of 2 attempts"):
        write_answers(record(tmp_path / "run", SUITE, {"1/0": "++", "1/1": "+"}), tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    from dataclasses import replace

    other = replace(SUITE, samples=tuple(replace(sample, key=f"tiny/{sample.key}") for sample in SUITE.samples))
    with pytest.raises(UsageError, match="'tiny/1/0' is not named by github_id/id"):
        write_answers(record(tmp_path / "other", other, {"tiny/1/0": "+"}), tmp_path / "out.jsonl")
