import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ml_agent.benchmarks.answers import Answered, main, read_rows, write_answers
from ml_agent.errors import UsageError
from tests.commandline import environment

POLICY = """\
from ml_agent.policies.scripted import Scripted, decision

class Attempts(Scripted):
    '''Another learning rate each attempt, the last one twice; it sees what it is given.'''

    def __init__(self):
        super().__init__([])

    def start(self, task, tools, *, attempt=0, seed=0):
        assert "run" not in tools
        assert "arguments" not in vars(type(task)) and task.time_limit is None
        if "trouble" in task.instruction:
            raise KeyError(task.instruction)
        rate = min(attempt, 2) + 1
        code = f"python train.py --lr {rate}"
        if "names" in task.instruction:
            code = f"python train.py --order {rate}"
        workdir = "examples/names" if "names" in task.instruction else "."
        Scripted.__init__(self, [decision(("submit", {"language": "bash", "code": code, "workdir": workdir}))])
"""


def rows(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text(
        "".join(json.dumps({"github_id": 1, "github": "https://example.org/some/TinyNets", "oracle": "x", **row}) + "\n" for row in rows)
    )
    return path


def answers(smoke: Path, tmp_path: Path, *more: str) -> "subprocess.CompletedProcess[str]":
    (tmp_path / "attempts.py").write_text(POLICY)
    command = [
        sys.executable, "-m", "ml_agent.benchmarks.answers", str(tmp_path / "rows.jsonl"), "--repos", str(smoke.parent),
        "--out", str(tmp_path / "answers.jsonl"), "--policy", f"{tmp_path}/attempts.py:Attempts", *more,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment())


def test_ranked_answers_in_the_order_of_the_rows(smoke: Path, tmp_path: Path) -> None:
    rows(tmp_path / "rows.jsonl", {"id": 7, "instruction": "train"}, {"id": 3, "instruction": "invent names"})
    done = answers(smoke, tmp_path, "--attempts", "4")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()] == [
        {"github_id": 1, "id": 7, "output": [f"python train.py --lr {n}" for n in (1, 2, 3)]},
        {"github_id": 1, "id": 3, "output": [f"cd examples/names && python train.py --order {n}" for n in (1, 2, 3)]},
    ]
    assert "2 rows in " in done.stderr
    assert "0 without an answer, 0 exceptions" in done.stderr


def test_an_exception_is_counted_and_the_others_go_on(smoke: Path, tmp_path: Path) -> None:
    rows(tmp_path / "rows.jsonl", {"id": 1, "instruction": "trouble"}, {"id": 2, "instruction": "train"}, {"id": 3, "instruction": "  "})
    done = answers(smoke, tmp_path, "--attempts", "1")
    assert done.returncode == 1
    assert "KeyError: 'trouble'" in done.stderr
    assert "2 without an answer, 2 exceptions" in done.stderr
    lines = [json.loads(line)["output"] for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert lines == [[], ["python train.py --lr 1"], []]


def test_rows_are_chosen(tmp_path: Path, smoke: Path) -> None:
    path = rows(
        tmp_path / "rows.jsonl", {"id": 1, "instruction": "a"}, {"id": 1, "github_id": 2, "instruction": "b"}, {"id": 2, "instruction": "c"}
    )
    found = read_rows(path, smoke.parent, frozenset({"2:1", "2"}))
    assert [(row.key, row.instruction, row.repository) for row in found] == [((2, 1), "b", smoke), ((1, 2), "c", smoke)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "rows.jsonl:1 is no row"),
        ("[]", "is no row"),
        ('{"id": 1, "github_id": 1, "github": "x"}', "is no row: KeyError 'instruction'"),
        ('{"id": 1, "github_id": 1, "github": "https://example.org/a/absent.git", "instruction": "x"}', "a checkout of absent"),
        ("", "no row to answer"),
    ],
)
def test_rows_that_are_none(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "rows.jsonl").write_text(line + "\n")
    with pytest.raises(UsageError, match=message):
        read_rows(tmp_path / "rows.jsonl", tmp_path)


def test_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none"), "--repos", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert main([str(tmp_path / "none"), "--repos", str(tmp_path), "--out", str(tmp_path / "out"), "--attempts", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_the_file_is_whole_or_not_there(tmp_path: Path) -> None:
    def breaking() -> Any:
        yield Answered((1, 1), ("a",), 0.1)
        raise KeyboardInterrupt

    (tmp_path / "out").write_text("before")
    with pytest.raises(KeyboardInterrupt):
        write_answers(tmp_path / "out", breaking())
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"out": "before"}
    write_answers(tmp_path / "out", [Answered((1, 1), ("a\nb",), 0.1)])
    assert (tmp_path / "out").read_text() == '{"github_id": 1, "id": 1, "output": ["a\\nb"]}\n'


def test_a_loop_of_links_beside_the_checkouts_is_passed_over(smoke: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (smoke.parent / "loop").symlink_to("loop")
    (found,) = read_rows(rows(tmp_path / "rows.jsonl", {"id": 1, "instruction": "a"}), smoke.parent)
    assert found.repository == smoke
    assert "loop' is passed over: Too many levels of symbolic links" in capsys.readouterr().err
