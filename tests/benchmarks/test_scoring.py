import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ml_agent.benchmarks.scoring import Scored, compare_scored, score_answers, score_run, scores_object
from ml_agent.errors import UsageError
from tests.benchmarks.recorded import Equal, Raising, record, suite_of

SUITE = suite_of(["a", "a", "b", "c"])
MARKS = {"1/0": "+-+", "1/1": "---", "1/2": ".k-", "1/3": "++i"}


def rates(scored: Scored, form: str) -> dict[str, float | None]:
    return {name: rate["value"] for name, rate in scores_object(scored)["rates"][form].items()}


def test_independent_attempts(tmp_path: Path) -> None:
    scored = score_run(record(tmp_path / "run", SUITE, MARKS), Equal())
    third = 1 / 3
    failed = rates(scored, "counted_as_failed")
    assert failed["pass@1"] == pytest.approx((2 * third + 0 + 0 + 2 * third) / 4)
    assert failed["pass@2"] == pytest.approx((1 + 0 + 0 + 1) / 4)
    assert (failed["pass@5"], failed["first-1"], failed["first-5"]) == (None, 0.5, 0.5)
    assert set(failed) == {"pass@1", "pass@2", "pass@5", "first-1", "first-2", "first-5"}
    left_out = rates(scored, "left_out")
    assert left_out["pass@1"] == pytest.approx((2 * third + 0 + 0 + 1) / 4)
    figures = scored.run.figures
    assert (figures.score_name, figures.score.n, figures.attempts, figures.infrastructure) == ("pass@1", 4, 12, 1)
    assert figures.without_infrastructure.value == left_out["pass@1"]
    assert figures.by_reason == {"infrastructure": 1, "no_answer": 2, "passed": 4, "wrong_value": 5}
    assert figures.by_error == {"knowledge manipulation": 5, "operational": 2}
    assert sum(figures.by_reason.values()) == figures.attempts
    assert (figures.seconds, figures.tokens, figures.money) == (18.0, 120, 3.0)
    assert {name: rate.n for name, rate in figures.by_repository.items()} == {"a": 2, "b": 1, "c": 1}
    assert {name: rate.n for name, rate in figures.by_type.items()} == {"bash": 3, "python": 1}


def test_ranked_alternatives(tmp_path: Path) -> None:
    scored = score_run(record(tmp_path / "run", SUITE, {"1/0": "-+", "1/1": "i+", "1/2": "--", "1/3": "++"}, ranked=True), Equal())
    assert rates(scored, "counted_as_failed") == {
        "hit@1": 0.25,
        "hit@2": 0.75,
        "hit@5": None,
        "first-1": 0.25,
        "first-2": 0.75,
        "first-5": 0.75,
    }
    assert rates(scored, "left_out")["hit@1"] == 0.5
    object_ = scores_object(scored)
    assert object_["rates"]["left_out"]["hit@2"]["n"] == 3  # of 1/1 one alternative was scored
    assert scored.run.figures.score_name == "hit@1"


def test_an_unfinished_run(tmp_path: Path) -> None:
    """What is not made counts in both forms, and the number of samples is the same."""
    scored = score_run(record(tmp_path / "run", SUITE, {"1/0": "+", "1/3": "+ "}, each=2), Equal())
    assert (scored.missing, scored.run.figures.attempts, scored.run.figures.score.n) == (6, 2, 4)
    assert scored.run.figures.score.value == 0.25
    assert scored.run.figures.without_infrastructure.value == 1.0
    assert rates(scored, "left_out")["pass@2"] is None
    assert scored.run.figures.by_reason["not_made"] == 6


def test_only_some_samples(tmp_path: Path) -> None:
    scored = score_run(record(tmp_path / "run", SUITE, {"1/0": "+", "1/1": "-"}, only="repository=a"), Equal())
    assert (len(scored.samples), scored.run.figures.score.value, scored.missing) == (2, 0.5, 0)


def test_a_scorer_that_raises_costs_one_verdict(tmp_path: Path) -> None:
    scored = score_run(record(tmp_path / "run", SUITE, MARKS), Raising())
    assert scored.raised == 1
    (verdict,) = [one for one in scores_object(scored)["verdicts"] if one["reason"] == "scorer_raised"]
    assert (verdict["sample"], verdict["attempt"], verdict["detail"]) == ("1/1", 0, "ZeroDivisionError: at fault")
    assert scored.run.figures.attempts == 12
    assert scored.run.figures.score.n == 4


def test_what_the_surroundings_lack_is_no_wrong_answer(tmp_path: Path) -> None:
    from ml_agent.benchmarks.base import Attempt, Sample, Verdict

    class Missing(Equal):
        def score(self, sample: Sample, attempt: Attempt) -> Verdict:
            return Verdict(False, "environment", "module torch") if sample.repository == "b" else super().score(sample, attempt)

    scored = score_run(record(tmp_path / "run", SUITE, dict.fromkeys(MARKS, "+")), Missing())
    assert (scored.run.figures.score.value, scored.run.figures.without_infrastructure.value) == (0.75, 1.0)
    assert scored.run.figures.infrastructure == 1


def test_the_order_does_not_count(tmp_path: Path) -> None:
    """Of samples, and of writing."""
    turned = replace(SUITE, samples=SUITE.samples[::-1])
    runs = [record(tmp_path / "x", SUITE, MARKS), record(tmp_path / "y", turned, dict(reversed(MARKS.items())))]
    first, second = (scores_object(score_run(run, Equal())) for run in runs)
    first["policy"]["name"] = second["policy"]["name"]
    assert json.dumps(first) == json.dumps(second)


def test_scores_are_json_and_say_what_was_scored(tmp_path: Path) -> None:
    value = json.loads(json.dumps(scores_object(score_run(record(tmp_path / "run", SUITE, MARKS), Equal()))))
    assert value["suite"] == {"name": "recorded", "version": "1", "hash": SUITE.hash, "samples": 4}
    assert value["scorer"] == {"name": "equal", "version": "1"}
    assert value["policy"]["ranked"] is False
    assert len(value["verdicts"]) == 12
    assert value["score"]["error"] is None  # three repositories


def answers_file(path: Path, rows: dict[int, list[str]], *more: str) -> Path:
    lines = [json.dumps({"github_id": 1, "id": identity, "output": output}) for identity, output in rows.items()]
    path.write_text("\n".join([*lines, *more]) + "\n")
    return path


def test_a_file_of_answers(tmp_path: Path) -> None:
    path = answers_file(tmp_path / "model.jsonl", {0: ["right 0", "x"], 1: ["x", "right 1"], 2: ["right 2", ""], 9: ["x"]})
    scored = score_answers(path, SUITE, Equal())
    assert rates(scored, "counted_as_failed")["pass@1"] == pytest.approx((0.5 + 0.5 + 0.5 + 0) / 4)
    assert rates(scored, "counted_as_failed")["first-1"] == 0.5
    assert scored.run.policy == "model"
    assert scored.run.figures.money is None
    assert scored.notes == ("1 line of samples of other suites, passed over", "1 sample has no line: counted as failed")
    assert score_answers(path, SUITE, Equal(), ranked=True).run.figures.score_name == "hit@1"


def test_fewer_answers_than_k_are_not_1(tmp_path: Path) -> None:
    path = answers_file(tmp_path / "model.jsonl", {0: ["right 0"], 1: ["right 1", "x"], 2: ["x", "x"], 3: ["x", "x"]})
    independent = scores_object(score_answers(path, SUITE, Equal()))["rates"]["counted_as_failed"]
    assert (independent["pass@2"]["n"], independent["pass@2"]["value"]) == (3, pytest.approx(1 / 3))
    ranked = scores_object(score_answers(path, SUITE, Equal(), ranked=True))["rates"]["counted_as_failed"]
    assert (ranked["hit@2"]["n"], ranked["hit@2"]["value"]) == (4, 0.5)  # a ranking that is short has nothing more to offer


@pytest.mark.parametrize("line", ["{", "[]", '{"github_id": 1, "id": 0}', '{"github_id": 1, "id": 0, "output": [1]}', ""])
def test_files_that_hold_no_answers(tmp_path: Path, line: str) -> None:
    (tmp_path / "x.jsonl").write_text(line)
    with pytest.raises(UsageError) as refused:
        score_answers(tmp_path / "x.jsonl", SUITE, Equal())
    assert "\n" not in str(refused.value)


def test_two_runs_are_compared_on_the_same_samples(tmp_path: Path) -> None:
    first = score_run(record(tmp_path / "x", SUITE, {"1/0": "+", "1/1": "+", "1/2": "-", "1/3": "+"}), Equal())
    second = score_run(record(tmp_path / "y", SUITE, {"1/0": "+", "1/1": "-", "1/2": "-", "1/3": "i"}), Equal())
    found = compare_scored(first, second)
    assert (found.n, found.wins, found.losses, found.ties, found.difference) == (4, 2, 0, 2, 0.5)
    other = suite_of(["a", "b"])
    with pytest.raises(UsageError, match="different suites"):
        compare_scored(first, score_run(record(tmp_path / "z", other, {"1/0": "+", "1/1": "+"}), Equal()))
    with pytest.raises(UsageError, match="different scorers"):
        compare_scored(first, score_run(record(tmp_path / "y2", SUITE, {"1/0": "+"}), Equal(version="2")))


def test_the_published_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The original's rule without execution, on the answers that are published, to the digit."""
    import os

    from ml_agent.benchmarks.scorers import load_scorer
    from ml_agent.benchmarks.suites import load_suite

    if not os.environ.get("ML_AGENT_DATA"):
        pytest.skip("ML_AGENT_DATA names no folder of published answers")
    folder = Path(os.environ["ML_AGENT_DATA"]) / "ml_bench"
    expected: dict[tuple[str, str], dict[str, Any]] = {
        ("rows.jsonl", "gpt41_outputs.jsonl"): {"first-1": 76.5},
        ("rows_v1.jsonl", "ml_agent_gpt4_outputs.jsonl"): {"first-1": 44.0, "first-5": 70.0},
    }
    for (rows, answers), figures in expected.items():
        scored = score_answers(folder / answers, load_suite("ml-bench", folder / rows), load_scorer("original", execution=False))
        found = rates(scored, "counted_as_failed")
        assert {name: round(100 * (found[name] or 0.0), 1) for name in figures} == figures
