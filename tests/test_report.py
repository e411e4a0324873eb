import io
from pathlib import Path

import pytest
from rich.console import Console

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


def test_words_of_the_task_that_the_answer_leaves_out() -> None:
    answer = Answer("bash", "python train.py", unused=("gamma 10", "mirror\x1b on"))
    expected = 'python train.py\n\nnot used  "gamma 10" · "mirror\\x1b on"\nfolder   '
    assert shown(Result(answer, Check(), None, RECORD, "answered")).startswith(expected)
    stream = io.StringIO()
    show_trajectory(Screen(stream), Trajectory(Task("x", Path("/r")), end=End("answered", answer)))
    assert expected in stream.getvalue()
    stream = io.StringIO()
    rich = Console(file=stream, force_terminal=True, width=80, highlight=False, markup=False, emoji=False)
    show_result(Screen(stream, rich=rich), Result(answer, Check(), None, RECORD, "answered"))
    assert '\x1b[33mnot used  "gamma 10"' in stream.getvalue()


def test_a_long_line_of_output_is_cut() -> None:
    run = ExecutionRecord("completed", 0, 1.0, None, "x" * 4000 + "\nshort")
    text = shown(Result(ANSWER, Check(), run, RECORD, "answered"))
    assert f"    {'x' * 500} ... 3,500 more characters\n    short\n" in text

    call = ToolCall("1", "run", {})
    trajectory = Trajectory(Task("x", Path("/r")), steps=[Step(Decision("", (call,)), (Observation("y" * 4000),))])
    for full in (False, True):
        stream = io.StringIO()
        show_trajectory(Screen(stream), trajectory, full=full)
        assert ("y" * 4000 in stream.getvalue()) is full


def test_notes_of_one_kind_are_counted() -> None:
    large = [f"p{n} is large: it is shown to runs read-only, not copied" for n in range(280)]
    notes = (*large, "no sandbox to be had", "said before")
    stream = io.StringIO()
    show_notes(Screen(stream), Result(ANSWER, None, None, RECORD, "answered", notes=notes), said=("said before",))
    lines = stream.getvalue().splitlines()
    assert lines == [*(f"note: {note}" for note in large[:5]), "note: and 275 more like the last", "note: no sandbox to be had"]


@pytest.mark.parametrize(
    ("home", "record"), [("", "/root/t.jsonl"), ("/", "/root/t.jsonl"), ("/root", "~/t.jsonl"), ("/ro", "/root/t.jsonl")]
)
def test_the_home_folder_is_the_shells(monkeypatch: pytest.MonkeyPatch, home: str, record: str) -> None:
    monkeypatch.setenv("HOME", home)
    assert shown(Result(ANSWER, None, None, Path("/root/t.jsonl"), "answered")).endswith(f"record   {record}\n")


def test_what_could_not_be_kept_is_not_said_to_be() -> None:
    assert "m.json (not kept)" in shown(Result(ANSWER, None, None, RECORD, "infrastructure", "full", ("m.json",)), "out")


@pytest.mark.parametrize(("module", "name"), [("torch", "torch"), ("cv2.dnn", "opencv-python"), ("owls", "owls")])
def test_what_is_missing_is_installed_by_the_name_that_pip_knows(module: str, name: str) -> None:
    run = ExecutionRecord("environment", 1, 0.5, f"module {module}")
    assert f"--setup 'pip install {name}' --network setup" in shown(Result(ANSWER, Check(), run, RECORD, "answered"))
