import io
from pathlib import Path

import pytest

from ml_agent.api import Result
from ml_agent.console import Screen
from ml_agent.report import progress, show_check, show_notes, show_result, show_trajectory
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer, Evidence, Task
from ml_agent.trajectory import Decision, End, Observation, Step, ToolCall, Trajectory
from ml_agent.verify import Check, Finding

ANSWER = Answer(
    "bash",
    "python train.py --lr 0.01",
    "examples/x",
    (
        Evidence("--lr 0.01", "learning rate of 0.01", "examples/x/train.py:14"),
        Evidence("python train.py", None, "README.md:3"),
        Evidence("--seed", "seed"),
    ),
)
RECORD = Path("/records/t.jsonl")


def shown(result: Result, output: str | None = None) -> str:
    stream = io.StringIO()
    show_result(Screen(stream), result, output=output)
    return stream.getvalue()


def test_everything_about_an_answer() -> None:
    run = ExecutionRecord("completed", 0, 1.26, None, "epoch 1\naccuracy 0.9\n")
    result = Result(ANSWER, Check(), run, RECORD, "answered", made=("runs/m.json",))
    assert (
        shown(result)
        == """\
cd examples/x && python train.py --lr 0.01

folder   examples/x
check    passed
run      completed in 1.3 s (exit code 0)
    epoch 1
    accuracy 0.9
sources  --lr 0.01        ← "learning rate of 0.01" · examples/x/train.py:14
         python train.py  ← README.md:3
         --seed           ← "seed"
made     runs/m.json (dropped; --output DIR keeps them)
record   /records/t.jsonl
"""
    )
    assert "(kept in out)" in shown(result, "out")


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (None, "not run"),
        (ExecutionRecord("not_run", reason="no sandbox"), "not run: no sandbox"),
        (ExecutionRecord("running_at_limit", None, 60.04), "still going after 60.0 s, when it was stopped"),
        (ExecutionRecord("failed", 1, 0.5, None, "boom"), "failed after 0.5 s (exit code 1)"),
        (ExecutionRecord("environment", 1, 0.5, "module torch"), "cannot run here: module torch is missing (exit code 1)"),
    ],
)
def test_how_a_run_ended(run: ExecutionRecord | None, line: str) -> None:
    assert f"run      {line}\n" in shown(Result(ANSWER, Check(), run, RECORD, "answered"))


def test_only_the_end_of_the_output_is_shown() -> None:
    run = ExecutionRecord("completed", 0, 1.0, None, "\n".join(f"line {n}" for n in range(100)))
    text = shown(Result(ANSWER, Check(), run, RECORD, "answered"))
    assert "line 99" in text
    assert "line 80" not in text


def test_many_files_are_counted() -> None:
    text = shown(Result(ANSWER, Check(), None, RECORD, "answered", made=tuple(f"f{n}" for n in range(40))))
    assert "f11 and 28 more" in text


def test_findings() -> None:
    wrong = Finding("option", "train.py takes no --lrr", "--lrr", "train.py:3", "--lr")
    perhaps = Finding("file", "data.csv is not there", "data.csv", severity="warning")
    stream = io.StringIO()
    show_check(Screen(stream), Check((wrong, perhaps, perhaps)))
    show_check(Screen(stream), Check((perhaps,)))
    assert (
        stream.getvalue()
        == """\
check    not passed (1 error, 2 warnings)
  error: option: train.py takes no --lrr [train.py:3]
    nearest: --lr
  warning: file: data.csv is not there
  warning: file: data.csv is not there
check    passed (1 warning)
  warning: file: data.csv is not there
"""
    )


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Result(None, None, None, RECORD, "no_answer", "nothing fits"), "ml-agent: no answer: nothing fits\n"),
        (
            Result(None, None, None, RECORD, "limit", "the limit of 50 steps is spent"),
            "ml-agent: no answer within the limits: the limit of 50 steps is spent\n",
        ),
        (Result(None, None, None, RECORD, "infrastructure", "disk full"), "ml-agent: the surroundings failed: disk full\n"),
        (Result(None, None, None, RECORD, "cancelled"), "ml-agent: interrupted\n"),
        (Result(ANSWER, None, None, RECORD, "answered", "accepted", notes=("no [/bold] sandbox",)), "note: no [/bold] sandbox\n"),
    ],
)
def test_notes(result: Result, text: str) -> None:
    stream = io.StringIO()
    show_notes(Screen(stream), result)
    assert stream.getvalue() == text


def test_a_trajectory() -> None:
    trajectory = Trajectory(Task("train\x1b[2J it", Path("/repo")), policy="p")
    call = ToolCall("1", "read_file", {"path": "[/bold].py", "big": "x" * 500})
    trajectory.steps.append(Step(Decision("look", (call,)), (Observation("\n".join(f"line {n}" for n in range(30))),)))
    stream = io.StringIO()
    show_trajectory(Screen(stream), trajectory)
    text = stream.getvalue()
    assert "task     train\\x1b[2J it\n" in text
    assert 'step 1  look\n  read_file(path="[/bold].py", big="xxx' in text
    assert "    ... 18 more lines; --full shows them" in text
    assert max(map(len, text.splitlines())) <= 165
    assert text.endswith("end      none: the run was killed\n")

    trajectory.end = End("answered", ANSWER, verified=False, message="accepted, unverified")
    stream = io.StringIO()
    show_trajectory(Screen(stream), trajectory, full=True)
    text = stream.getvalue()
    assert "line 29" in text
    assert "x" * 500 in text
    assert "end      answered: accepted, unverified\n" in text
    assert "check    not passed\n" in text
    assert "cd examples/x && python train.py --lr 0.01" in text


def test_progress() -> None:
    call = ToolCall("1", "run", {"code": "python [/bold].py\x07\nmore"})
    assert progress(Decision("", (call,))) == "running: python [/bold].py\\x07"
    assert progress(Decision("", (ToolCall("1", "grep", {"pattern": "x"}),))) == "reading the repository"
    assert progress(End("answered")) == "finishing"
    assert progress(object()) == "deciding"
