"""What came of a solve: which run is the answer's, the exit code, and the script that is kept."""

import os
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import get_args

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.result import Result, result_of, write_answer
from ml_agent.sandbox.options import Options
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer, Task
from ml_agent.tools.text import plain
from ml_agent.trajectory import INTERRUPTED, Decision, End, Observation, Outcome, Step, ToolCall, Trajectory
from ml_agent.workspace import Workspace
from tests.tools.support import repository

ANSWER = Answer("bash", "python train.py --lr 0.1", "examples")


def ran(code: str, workdir: str, seconds: float, *, failed: bool = False) -> Step:
    call = ToolCall("1", "run", {"language": "bash", "code": code, "workdir": workdir})
    record = ExecutionRecord("completed", 0, seconds, None, "fine", ("m.txt",))
    seen = INTERRUPTED if failed else Observation("fine", plain(record))
    return Step(Decision("", (call,)), (seen,))


def result(folder: Path, *steps: Step) -> Result:
    done = Trajectory(Task("x", folder), steps=[*steps], end=End("answered", ANSWER, True, "accepted"))
    with Workspace(repository(folder), Options(sandbox="none")) as workspace:
        return result_of(done, folder / "t", workspace)


def test_the_run_is_the_last_one_of_this_very_answer(tmp_path: Path) -> None:
    made = result(
        tmp_path,
        ran(ANSWER.code, "examples", 1.0),
        ran(f"  {ANSWER.code}\n", "./examples/", 2.0),
        ran(ANSWER.code, ".", 3.0),
        ran("python train.py", "examples", 4.0),
        ran(ANSWER.code, "examples", 5.0, failed=True),
    )
    assert made.run is not None
    assert (made.run.seconds, made.run.made) == (2.0, ("m.txt",))


def test_an_answer_that_was_not_run(tmp_path: Path) -> None:
    assert result(tmp_path, ran("python train.py", "examples", 4.0)).run is None


def test_every_outcome_has_an_exit_code(tmp_path: Path) -> None:
    codes = {outcome: Result(None, None, None, tmp_path, outcome).exit_code for outcome in get_args(Outcome)}
    assert codes == {"answered": 0, "no_answer": 1, "limit": 1, "infrastructure": 3, "cancelled": 130}


def test_what_a_model_cost_is_in_the_object(tmp_path: Path) -> None:
    made = Result(ANSWER, None, None, tmp_path, "answered", tokens=120, money=0.25)
    assert made.to_dict()["usage"] == {"tokens": 120, "money": 0.25}
    assert made.to_dict()["answer"] == {**asdict(ANSWER), "evidence": [], "unused": []}


def test_the_script_does_what_the_answer_does(tmp_path: Path) -> None:
    (tmp_path / "a folder's").mkdir()
    write_answer(Answer("bash", "pwd; echo größer \udcff", "a folder's"), tmp_path / "out")
    done = subprocess.run(["bash", tmp_path / "out" / "answer.sh"], cwd=tmp_path, capture_output=True)
    assert done.stdout == os.fsencode(f"{tmp_path}/a folder's\ngrößer \udcff\n")


def test_a_script_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InfrastructureError, match="cannot write the answer"):
        write_answer(replace(ANSWER, workdir="."), tmp_path / "out")
