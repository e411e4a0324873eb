"""Nothing enters a leaderboard but what comes of the stored answers and records, and each entry can be computed again."""

import json
import multiprocessing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ml_agent.benchmarks import leaderboard
from ml_agent.benchmarks.base import Attempt, Repository, Sample, Suite, Verdict
from ml_agent.benchmarks.leaderboard import Entry, check_board, read_board, standings, submit, submit_answers
from ml_agent.benchmarks.runner.folder import RunFolder
from ml_agent.benchmarks.runs import Run
from ml_agent.benchmarks.scoring import Scored, score_answers, score_run, scores_object
from ml_agent.errors import UsageError
from ml_agent.task import Answer

SAMPLES = tuple(Sample(f"{n % 2}/{n}", f"repository {n % 2}", f"Do {n}.", "bash", f"python do.py {n}") for n in range(4))
SUITE = Suite("small", "1", SAMPLES, {f"repository {n}": Repository(f"repository {n}") for n in range(2)})


@dataclass(frozen=True)
class Equal:
    name: str = "equal"
    version: str = "1"

    def score(self, sample: Sample, attempt: Attempt) -> Verdict:
        if attempt.answer is None:
            return Verdict(False, "no_answer")
        if attempt.answer.code == "raise":
            raise RuntimeError("a fault of the scorer")
        return Verdict(attempt.answer.code == sample.output, "passed" if attempt.answer.code == sample.output else "different")


def make_run(folder: Path, codes: Sequence[str | None], *, suite: Suite = SUITE, policy: str = "some", only: str = "") -> Run:
    """A run whose n-th sample was answered with codes[n]; `right` stands for the ground truth, `down` for a failure of the surroundings."""
    settings: dict[str, Any] = {"suite_hash": suite.hash, "policy_digest": policy * 4, "attempts": 1, "ranked": True, "only": only}
    with RunFolder(folder, suite, {**settings, "policy": policy, "setting": "agent", "model": ""}) as written:
        for sample, code in zip(suite.samples, codes, strict=False):
            answer = None if code in (None, "down") else Answer("bash", sample.output if code == "right" else str(code))
            ending: Any = "infrastructure" if code == "down" else "answered" if answer else "no_answer"
            written.write(Attempt(sample.key, 0, ending, answer), None)
    return Run(folder)


def board_of(path: Path) -> list[tuple[str, str, float | None]]:
    (standing,) = standings(read_board(path))
    return [(place.text, entry["policy"]["name"], entry["score"]["value"]) for place, entry in standing.entries]


def rescore(entry: Entry, path: Path) -> Scored:
    return score_run(Run(path), Equal()) if entry["source"]["kind"] == "run" else score_answers(path, SUITE, Equal())


def test_entries_are_ranked_and_ties_are_said(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    for policy, codes in (
        ("bad", ["x", "x", None, "x"]),
        ("one", ["right", "right", "x", "x"]),
        ("best", ["right"] * 4),
        ("two", ["x", "x", "right", "right"]),
    ):
        submit(board, make_run(tmp_path / policy, codes, policy=policy), Equal())
    assert board_of(board) == [("1", "best", 1.0), ("2=", "one", 0.5), ("2=", "two", 0.5), ("4", "bad", 0.0)]
    assert check_board(board, rescore) == []
    told = json.loads(board.read_text(encoding="utf-8"))
    told["entries"][0]["score"]["value"] = None  # a score that is not known is no zero, and no first place
    board.write_text(json.dumps(told), encoding="utf-8")
    assert [place for place, _, value in board_of(board) if value is None] == ["n/a"]
    assert board_of(board)[-1][2] is None


def test_failed_infrastructure_is_counted_and_told(tmp_path: Path) -> None:
    entry = submit(tmp_path / "board.json", make_run(tmp_path / "run", ["right", "down", "right", "x"]), Equal())
    assert entry["score"]["value"] == 0.5
    assert entry["infrastructure"] == 1
    assert entry["rates"]["left_out"]["hit@1"]["value"] == pytest.approx(2 / 3)


def test_only_what_has_the_same_suite_hash_and_scorer_is_ranked_together(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    other = replace(SUITE, samples=(*SAMPLES[:3], replace(SAMPLES[3], instruction="Do three.")))
    run = make_run(tmp_path / "a", ["right"] * 4)
    submit(board, run, Equal())
    submit(board, make_run(tmp_path / "b", ["right"] * 4, suite=other), Equal())
    submit(board, run, Equal(version="2"))
    found = standings(read_board(board))
    assert sorted((one.suite["hash"], one.scorer["version"]) for one in found) == sorted(
        [(SUITE.hash, "1"), (SUITE.hash, "2"), (other.hash, "1")]
    )
    assert [[place.text for place, _ in one.entries] for one in found] == [["1"]] * 3


def test_a_claimed_score_that_differs_is_refused_with_the_place(tmp_path: Path) -> None:
    run, board = make_run(tmp_path / "run", ["right", "x", "x", "x"]), tmp_path / "board.json"
    claimed = scores_object(score_run(run, Equal()))
    (run.folder / "scores.json").write_text(json.dumps(claimed), encoding="utf-8")
    submit(board, run, Equal())
    for change, says in (
        ({"score": {**claimed["score"], "value": 0.75}}, r"score\.value is stated as 0\.75 and computed as 0\.25"),
        ({"infrastructure": False}, "infrastructure is stated as false and computed as 0"),
        (
            {"verdicts": [{**claimed["verdicts"][0], "passed": False}, *claimed["verdicts"][1:]]},
            r"verdicts\[0\]\.passed is stated as false",
        ),
        ({"verdicts": claimed["verdicts"][1:]}, "verdicts is stated"),
        ({"bonus": 1}, "bonus is stated as 1 and computed as null"),
    ):
        (run.folder / "scores.json").write_text(json.dumps({**claimed, **change}), encoding="utf-8")
        with pytest.raises(UsageError, match=f"claims another score .*{says}"):
            submit(board, run, Equal())
    (run.folder / "scores.json").write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="is not JSON"):
        submit(board, run, Equal())
    assert board_of(board) == [("1", "some", 0.25)]


@pytest.mark.parametrize(
    ("codes", "only", "says"),
    [
        (["right"] * 3, "", "not finished, 1 attempts are missing"),
        (["right"] * 4, "0/*", "ran over 2 of 4 samples"),
        (["right", "right", "raise", "x"], "", "the scorer failed on 1 attempts"),
    ],
)
def test_what_is_no_whole_run_is_refused(tmp_path: Path, codes: list[str | None], only: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        submit(tmp_path / "board.json", make_run(tmp_path / "run", codes, only=only), Equal())
    assert not (tmp_path / "board.json").exists()


def test_a_run_is_entered_once_wherever_it_is_moved(tmp_path: Path) -> None:
    board = tmp_path / "boards" / "board.json"
    make_run(tmp_path / "run", ["right"] * 4)
    submit(board, Run(tmp_path / "run"), Equal())
    submit(board, Run(tmp_path / "run"), Equal())
    (tmp_path / "run").rename(tmp_path / "moved")
    submit(board, Run(tmp_path / "moved"), Equal())
    (entry,) = read_board(board)
    assert entry["source"]["path"] == "../moved"
    tmp_path.joinpath("boards").rename(tmp_path / "other")  # the link is relative to the board
    assert check_board(tmp_path / "other" / "board.json", rescore) == []


def test_an_entry_is_not_what_its_answers_give(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    for policy in ("honest", "raised", "edited", "gone"):
        submit(board, make_run(tmp_path / policy, ["x", "x", "right", "y"], policy=policy), Equal())
    told = json.loads(board.read_text(encoding="utf-8"))
    (raised,) = [entry for entry in told["entries"] if entry["policy"]["name"] == "raised"]
    raised["score"]["value"] = 0.9
    board.write_text(json.dumps(told), encoding="utf-8")
    (attempt,) = (tmp_path / "edited" / "attempts").rglob(f"{SAMPLES[0].key.replace('/', '_')}-*")
    attempt.write_text(attempt.read_text(encoding="utf-8").replace('"code": "x"', '"code": "z"'), encoding="utf-8")
    (tmp_path / "gone").rename(tmp_path / "away")
    wrong = check_board(board, rescore)
    assert len(wrong) == 3
    assert wrong[0].startswith("edited (edited): the answers are others")
    assert wrong[1].startswith("gone (gone): ")
    assert wrong[2] == "raised (raised): score.value is stated as 0.9 and computed as 0.25"
    with pytest.raises(UsageError, match="has another score for the same answers"):
        submit(board, Run(tmp_path / "raised"), Equal())


def test_published_answers_enter_too(tmp_path: Path) -> None:
    answers, board = tmp_path / "published.jsonl", tmp_path / "board.json"
    rows = [{"github_id": n % 2, "id": n, "output": [f"python do.py {n}" if n else "no", "no"]} for n in range(4)]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    submit(board, make_run(tmp_path / "run", ["right"] * 4), Equal())
    entry = submit_answers(board, answers, SUITE, Equal())
    assert (entry["source"]["kind"], entry["score"]["name"], entry["score"]["value"]) == ("answers", "pass@1", 0.375)
    assert board_of(board) == [("1", "some", 1.0), ("2", "published", 0.375)]
    assert check_board(board, rescore) == []


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"schema": 2, "entries": []}', '{"schema": 1, "entries": [{}]}', '{"schema": 1, "entries": {}}', "[" * 100_000],
)
def test_what_is_no_leaderboard_is_left_alone(tmp_path: Path, content: str) -> None:
    board = tmp_path / "board.json"
    board.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"board\.json"):
        submit(board, make_run(tmp_path / "run", ["right"] * 4), Equal())
    assert board.read_text(encoding="utf-8") == content


def _submit_one(board: Path, folder: Path) -> None:
    submit(board, Run(folder), Equal())


def test_submissions_at_one_time_lose_nothing(tmp_path: Path) -> None:
    board, names = tmp_path / "board.json", [f"policy {n}" for n in range(6)]
    for name in names:
        make_run(tmp_path / name, ["right"] * 4, policy=name)
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_submit_one, args=(board, tmp_path / name)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join(50)
    assert [name for _, name, _ in board_of(board)] == names
    assert {place for place, _, _ in board_of(board)} == {"1="}


def test_a_digest_is_that_of_the_content(tmp_path: Path) -> None:
    first, second, other = (make_run(tmp_path / name, codes) for name, codes in _runs().items())
    assert leaderboard.run_digest(first) == leaderboard.run_digest(second) != leaderboard.run_digest(other)


def _runs() -> Mapping[str, list[str | None]]:
    return {"a": ["right", "x", "x", "x"], "b": ["right", "x", "x", "x"], "c": ["right", "x", "x", "y"]}
