"""The original's files are read and written as its own programs do."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.adapters.original_files import (
    Answers,
    Result,
    read_answers,
    read_results,
    unfenced,
    write_answers,
    write_results,
)
from ml_agent.errors import UsageError


def test_both_forms_are_read_and_the_first_of_a_key_counts(tmp_path: Path) -> None:
    objects = [
        {"id": 5, "github_id": 1, "output": ["a", "b"]},
        {"id": "5", "github_id": 2, "output": "alone", "path": "./x"},
        {"github_id": 1, "id": 5.0, "output": ["late"]},
    ]
    lines, array = tmp_path / "lines.jsonl", tmp_path / "array.json"
    lines.write_text("\ufeff" + "".join(json.dumps(one) + "\r\n\n" for one in objects), encoding="utf-8")
    array.write_text(json.dumps(objects), encoding="utf-8")
    wanted = [Answers(1, 5, ("a", "b")), Answers(2, 5, ("alone",))]
    assert read_answers(lines) == read_answers(array) == wanted
    assert [one.key for one in wanted] == ["1/5", "2/5"]


@pytest.mark.parametrize("lines", [True, False])
def test_answers_come_back_as_they_were_written(tmp_path: Path, lines: bool) -> None:
    answers = [Answers(1, 2, ("python a.py\n", "é\ud800 \u2028 ]")), Answers(3, 4, ())]
    write_answers(tmp_path / "answers", answers, lines=lines)
    assert read_answers(tmp_path / "answers") == answers
    assert len((tmp_path / "answers").read_bytes().splitlines()) == (2 if lines else 1)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "holds no answers"),
        ('{"id": 1, "github_id": 1, "output": ["a"]}\n{"id": 1,', ":2 is not JSON"),
        ('[{"id": 1, "github_id": 1}]', "object 1 is no answer"),
        ('{"id": 1.5, "github_id": 1, "output": ["a"]}', "1.5 in place of a whole number"),
        ('{"id": NaN, "github_id": 1, "output": ["a"]}', "nan in place of a whole number"),
        ('{"id": null, "github_id": 1, "output": ["a"]}', "None in place of a whole number"),
        ('{"id": 1, "github_id": 1, "output": [3]}', "no text"),
        ("[" * 100_000, "is not JSON"),
        ("7", "int in place of an object"),
    ],
)
def test_what_is_no_answers_file_is_refused_with_its_place(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "answers").write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=says):
        read_answers(tmp_path / "answers")


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("a ```bash\nls\n``` b ```python\nimport x\n``` c", "\nimport x\n"),
        ("```shell\nls\n```", "\nls\n"),
        ("```sh\nls\n```", "sh\nls\n"),
        ("```python\nnever closed", "```python\nnever closed"),
        ("ls", "ls"),
    ],
)
def test_the_code_in_a_reply_by_the_rule_of_the_original(reply: str, code: str) -> None:
    assert unfenced(reply) == code


@given(st.text())
def test_unfenced_takes_any_text(reply: str) -> None:
    assert unfenced(reply) in reply


def test_results_are_written_with_their_shares(tmp_path: Path) -> None:
    results = [Result(3, 1, False, True, True), Result(3, 2, False, False, True), Result(1, 9, True, True, True)]
    write_results(tmp_path / "result.jsonl", results, source="answers.jsonl", names={3: "lavis"})
    lines = (tmp_path / "result.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {"id": 1, "github_id": 3, "pass1": 0, "pass2": 1, "pass5": 1}
    assert json.loads(lines[3]) == {"counts": 3, "eval_pass1": 1 / 3, "eval_pass2": 2 / 3, "eval_pass5": 1.0, "input_file": "answers.jsonl"}
    assert [json.loads(line) for line in lines[4:6]] == [
        {"repo": "repos/lavis", "result": [0.0, 0.5, 1.0]},
        {"repo": "repos/1", "result": [1.0, 1.0, 1.0]},
    ]
    assert lines[6:] == ["==========================="]
    assert read_results(tmp_path / "result.jsonl") == results


def test_no_results_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not one row"):
        write_results(tmp_path / "result.jsonl", [], source="x")
    (tmp_path / "other.jsonl").write_text('{"counts": 3}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="holds no results"):
        read_results(tmp_path / "other.jsonl")


def test_published_answers_are_read() -> None:
    data = os.environ.get("ML_AGENT_DATA")
    if not data:
        pytest.skip("ML_AGENT_DATA names no folder of published answers")
    published = read_answers(Path(data) / "ml_bench" / "ml_agent_gpt4_outputs.jsonl")
    assert len(published) == 50
    assert {len(one.output) for one in published} == {5}
    assert {len(one.output) for one in read_answers(Path(data) / "ml_bench" / "gpt41_outputs.jsonl")} == {1}
