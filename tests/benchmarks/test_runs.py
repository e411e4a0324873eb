import json
import os
import re
from pathlib import Path

import pytest

from ml_agent.benchmarks.runs import Run, stem
from ml_agent.errors import UsageError
from tests.benchmarks.recorded import record, suite_of

SUITE = suite_of(["a", "b"])
SETTINGS = '{"schema": 1, "settings": {"suite_hash": "x", "policy_digest": "x", "attempts": 2, "ranked": false, "only": ""}}'
MARKS = {"1/0": "+-", "1/1": "+ "}


def test_attempts_are_read_in_the_order_of_the_suite(tmp_path: Path) -> None:
    run = Run(record(tmp_path / "run", SUITE, MARKS).folder)
    assert run.suite == SUITE
    assert (run.attempts_each, run.ranked) == (2, False)
    assert [(one.sample, one.attempt) for one in run.attempts()] == [("1/0", 0), ("1/0", 1), ("1/1", 0)]
    assert run.attempt("1/1", 1) is None


def test_names_of_files() -> None:
    """No two of other suites, samples, policies or attempts have one name, and none leads elsewhere."""
    names = {stem(suite, key, policy, number) for suite in "xy" for key in ("1/1", "1_1", "11") for policy in "pq" for number in range(2)}
    assert len(names) == 24
    hostile = stem("x", "../../etc/passwd\0\n" * 50, "p", 0)
    assert re.fullmatch(r"[0-9a-f]{2}/[\w-]+\.0", hostile)
    assert len(hostile) < 120


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("settings.json", "{", "holds no settings"),
        ("settings.json", "[]", "holds no settings"),
        ("settings.json", '{"schema": 2, "settings": {}}', "this version reads 1"),
        ("settings.json", '{"schema": 1, "settings": {}}', "holds no settings of a run: 'suite_hash'"),
        ("settings.json", SETTINGS.replace("2", "2000000"), "2000000 attempts"),
        ("settings.json", SETTINGS.replace("2", '"2"'), "attempts is '2'"),
        ("suite.jsonl", "", "suite.jsonl"),
        ("suite.jsonl", "[" * 10_000, "suite.jsonl"),
    ],
)
def test_a_damaged_run_is_said_in_one_line(tmp_path: Path, name: str, text: str, words: str) -> None:
    folder = record(tmp_path / "run", SUITE, MARKS).folder
    (folder / name).write_text(text)
    with pytest.raises(UsageError, match=words) as refused:
        Run(folder).suite  # noqa: B018 - it is read here
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", '{"schema": 1}', "[" * 100_000, '{"schema": 1, "suite": "x", "policy": "y", "attempt": {}}'])
def test_a_damaged_attempt_is_said_in_one_line(tmp_path: Path, text: str) -> None:
    run = record(tmp_path / "run", SUITE, MARKS)
    next((run.folder / "attempts").rglob("*.json")).write_text(text)
    with pytest.raises(UsageError, match="is no attempt") as refused:
        list(Run(run.folder).attempts())
    assert "\n" not in str(refused.value)


def test_another_attempt_under_its_name_is_refused(tmp_path: Path) -> None:
    run = record(tmp_path / "run", SUITE, MARKS)
    first, second = (run.folder / "attempts" / f"{run.stem(key, 0)}.json" for key in ("1/0", "1/1"))
    first.write_text(second.read_text())
    with pytest.raises(UsageError, match="does not belong here"):
        list(Run(run.folder).attempts())


def test_a_changed_suite_is_refused(tmp_path: Path) -> None:
    folder = record(tmp_path / "run", SUITE, MARKS).folder
    path = folder / "suite.jsonl"
    path.write_text(path.read_text().replace("right 1", "wrong"))
    with pytest.raises(UsageError, match="are not those that its hash names"):
        Run(folder).suite  # noqa: B018 - it is read here
    head, *rest = path.read_text().splitlines()
    other = suite_of(["a", "c"])
    path.write_text("\n".join([json.dumps({**json.loads(head), "hash": other.hash}), *rest]))
    with pytest.raises(UsageError):
        Run(folder).suite  # noqa: B018 - it is read here


@pytest.mark.parametrize("name", ["suite.jsonl", "attempt"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    run = record(tmp_path / "run", SUITE, MARKS)
    path = run.folder / (name if name != "attempt" else f"attempts/{run.stem('1/0', 0)}.json")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UsageError, match="regular file"):
        list(Run(run.folder).attempts())


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no run"):
        Run(tmp_path)
