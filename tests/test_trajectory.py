import json
import math
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.errors import UsageError
from ml_agent.limits import Remaining
from ml_agent.task import Answer, Evidence, Task
from ml_agent.trajectory import (
    INTERRUPTED,
    Decision,
    End,
    Exchange,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    TrajectoryFile,
    read_trajectory,
)

ANSWER = Answer(
    "bash",
    "python train.py --lr 0.01",
    "examples",
    (Evidence("--lr 0.01", "a rate of 0.01", "train.py:3"), Evidence("python")),
    ("für 3 Epochen",),
)


def written(path: Path, trajectory: Trajectory) -> Path:
    file = TrajectoryFile(path)
    file.header(trajectory)
    file.before(trajectory)
    for exchange in trajectory.exchanges:
        if exchange.step >= len(trajectory.steps):
            file.exchange(exchange.content)
    if trajectory.end:
        file.end(trajectory.end)
    file.close()
    return path


def example() -> Trajectory:
    first = Decision("erst lesen: größer 🙂", (ToolCall("1", "read_file", {"path": "bad\udcff.py", "lines": 3}), ToolCall("2", "grep", {})))
    last = Decision("", (ToolCall("1", "submit", {"code": "x"}),))
    return Trajectory(
        Task("train\u2028it\r\n“now”", Path("/r/\udcfe"), 3.5),
        "scripted",
        [
            Step(first, (Observation("a\nb\x00\u2028", {"text": "\udcff", "n": [1, None]}), Observation("no", error="ToolError"))),
            Step(last, (Observation("accepted", {"verified": True}, accepted=ANSWER),), Remaining(48.0, 1.5, math.inf, math.inf, 0.25)),
        ],
        End("answered", ANSWER, True, "accepted"),
        {"attempt": 0, "solve": {"policy": "ü\udcff", "options": {}}},
        [Exchange(0, {"asked": {"n": 1}}), Exchange(0, {"reply": "größer \udcff"}), Exchange(1, {"reply": None}), Exchange(2, {})],
    )


def test_it_reads_back_what_was_written(tmp_path: Path) -> None:
    assert read_trajectory(written(tmp_path / "deep" / "t.jsonl", example())) == example()


text = st.text(st.characters(codec=None), max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | text, lambda v: st.lists(v, max_size=3) | st.dictionaries(text, v, max_size=3)
)


@settings(max_examples=60, deadline=None)
@given(
    thought=text,
    tool=text,
    arguments=st.dictionaries(text, json_values, max_size=3),
    result=text,
    data=st.dictionaries(text, json_values, max_size=3),
)
def test_any_text_survives(thought: str, tool: str, arguments: dict[str, Any], result: str, data: dict[str, Any]) -> None:
    decision = Decision(thought, (ToolCall(thought, tool, arguments),))
    trajectory = Trajectory(
        Task(result, Path("/r")), tool, [Step(decision, (Observation(result, data),))], End("no_answer", message=thought)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / "t", trajectory)
        assert read_trajectory(path) == trajectory
        assert path.read_bytes().count(b"\n") == 4  # one line an event, whatever the texts hold


def test_torn_anywhere_it_reads_as_what_came_before(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole", example()).read_bytes()
    torn = tmp_path / "torn"
    ends = [n for n, byte in enumerate(whole, 1) if byte == 10 or byte >= 128]  # ends of lines, and the middle of characters
    seen = set()
    for size in sorted({*range(0, len(whole), 7), *(end + d for end in ends for d in (-3, -2, -1, 0, 1) if end + d < len(whole))}):
        torn.write_bytes(whole[:size])
        lines = whole[:size].count(b"\n") + (size < len(whole) and whole[size : size + 1] == b"\n")
        if lines == 0:
            with pytest.raises(UsageError):
                read_trajectory(torn)
            continue
        read = read_trajectory(torn)
        results = [o for step in read.steps for o in step.observations]
        seen.add((len(read.steps), len(results) - results.count(INTERRUPTED), results.count(INTERRUPTED)))
        assert all(len(s.observations) == len(s.decision.calls) for s in read.steps)
        assert (read.end is not None) == (size == len(whole) - 1)
        assert read.exchanges == example().exchanges[: len(read.exchanges)]
    assert seen == {(0, 0, 0), (1, 0, 2), (1, 1, 1), (1, 2, 0), (2, 2, 1), (2, 3, 0)}


def test_each_event_is_on_disk_at_once(tmp_path: Path) -> None:
    file = TrajectoryFile(tmp_path / "t")
    file.header(Trajectory(Task("x", tmp_path)))
    file.exchange({"reply": 1})
    assert read_trajectory(file.path).exchanges == [Exchange(0, {"reply": 1})]
    call, left = ToolCall("1", "grep", {}), Remaining(49.0, 100.0, math.inf, math.inf, math.inf)
    file.decision(Decision("look", (call,)), left)
    assert read_trajectory(file.path).steps == [Step(Decision("look", (call,)), (INTERRUPTED,), left)]
    file.observation(call, Observation("found"))
    assert read_trajectory(file.path).steps[0].observations == (Observation("found"),)
    file.close()
    file.close()


def test_ids_may_repeat_from_step_to_step(tmp_path: Path) -> None:
    call = ToolCall("call-1", "grep", {})
    steps = [Step(Decision(str(n), (call, call)), (Observation(f"{n}a"), Observation(f"{n}b"))) for n in range(3)]
    trajectory = Trajectory(Task("x", tmp_path), steps=steps)
    assert read_trajectory(written(tmp_path / "t", trajectory)).steps == steps


def test_observations_of_one_tool(tmp_path: Path) -> None:
    assert [(c.id, o.text) for c, o in example().observations("submit")] == [("1", "accepted")]
    assert list(example().observations("run")) == []


HEADER = {
    "event": "header",
    "schema": 1,
    "policy": "p",
    "settings": {},
    "task": {"instruction": "x", "repository": "/r", "time_limit": None},
}
DECISION = {"event": "decision", "thought": "", "calls": [{"id": "1", "tool": "grep", "arguments": {}}]}
ACCEPTED = {"language": "bash", "code": "ls", "workdir": ".", "evidence": []}
SEEN: dict[str, Any] = {"event": "observation", "call": "1", "text": "", "data": {}, "error": None, "accepted": None}


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([], "no header"),
        ([DECISION], "no header"),
        ([HEADER | {"schema": 2}], "schema 2"),
        ([HEADER, "not json", DECISION], ":2 is not JSON"),
        ([HEADER, [1], DECISION], ":2 is not a JSON object"),
        ([HEADER, {"event": "decision"}], "not a whole trajectory"),
        ([HEADER, SEEN], "not a whole trajectory"),
        ([HEADER, DECISION, SEEN | {"call": "2"}], "not a whole trajectory"),
        ([HEADER, DECISION, SEEN, SEEN], "not a whole trajectory"),
        ([HEADER | {"task": None}], "not a whole trajectory"),
        ([HEADER, DECISION, SEEN | {"accepted": 3}], "not a whole trajectory"),
        ([HEADER, DECISION, SEEN | {"text": 3}], "3 in place of a text"),
        ([HEADER, DECISION | {"thought": None}], "None in place of a text"),
        ([HEADER, DECISION | {"calls": [{"id": "1", "tool": "grep", "arguments": [3]}]}], "not a whole trajectory"),
        ([HEADER, DECISION | {"calls": [{"id": "1", "tool": "grep", "arguments": "ab"}]}], "not a whole trajectory"),
        ([HEADER, DECISION, SEEN | {"accepted": ACCEPTED | {"unused": [3]}}], "3 in place of a text"),
        ([HEADER, DECISION, SEEN | {"accepted": ACCEPTED | {"language": None}}], "None in place of a text"),
        ([HEADER, DECISION, SEEN | {"data": 3}], "not a whole trajectory"),
        ([HEADER, DECISION, SEEN | {"error": 3}], "3 in place of a text"),
        ([HEADER | {"settings": 3}], "not a whole trajectory"),
        ([HEADER, {"event": "exchange"}], "not a whole trajectory"),
        ([HEADER, {"event": "exchange", "content": "ab"}], "not a whole trajectory"),
        ([HEADER, DECISION | {"remaining": {"steps": 1}}], "not a whole trajectory"),
        ([HEADER, DECISION | {"remaining": "x"}], "not a whole trajectory"),
    ],
)
def test_what_is_no_trajectory_is_a_usage_error(tmp_path: Path, events: list[Any], words: str) -> None:
    path = tmp_path / "t"
    path.write_text("".join((e if isinstance(e, str) else json.dumps(e)) + "\n" for e in events))
    with pytest.raises(UsageError, match=words) as caught:
        read_trajectory(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01\n" * 3, b"[" * 200_000 + b"\n{}\n"])
def test_bytes_that_are_no_trajectory(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t").write_bytes(content)
    with pytest.raises(UsageError):
        read_trajectory(tmp_path / "t")


def test_a_file_of_before_an_answer_had_unused_words(tmp_path: Path) -> None:
    path = written(tmp_path / "t", example())
    lines = [json.loads(line) for line in path.read_text().split("\n")[:-1]]
    assert lines[-1]["answer"].pop("unused") == ["für 3 Epochen"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    end = read_trajectory(path).end
    assert end is not None
    assert end.answer == replace(ANSWER, unused=())


def test_a_device_a_pipe_and_a_huge_file_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(UsageError, match="is not a regular file"):
            read_trajectory(path)
    monkeypatch.setattr("ml_agent.trajectory.TRAJECTORY_BYTES", 1000)
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1001)
    with pytest.raises(UsageError, match="more than 1,000 bytes"):
        read_trajectory(tmp_path / "huge")


def test_a_path_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(UsageError, match="cannot read"):
            read_trajectory(path)


def test_values_that_json_lacks_do_not_lose_the_event(tmp_path: Path) -> None:
    observation = Observation("x", {"path": Path("/a"), "rate": math.inf})
    step = Step(Decision("", (ToolCall("1", "t", {}),)), (observation,))
    read = read_trajectory(written(tmp_path / "t", Trajectory(Task("x", tmp_path), steps=[step])))
    assert read.steps[0].observations[0].data == {"path": "/a", "rate": math.inf}


def test_a_file_of_before_what_remains_was_written(tmp_path: Path) -> None:
    path = written(tmp_path / "t", example())
    lines = [json.loads(line) for line in path.read_text().split("\n")[:-1]]
    path.write_text("".join(json.dumps({k: v for k, v in line.items() if k != "remaining"}) + "\n" for line in lines))
    assert [step.remaining for step in read_trajectory(path).steps] == [None, None]


def test_interrupted_calls_of_a_run_that_is_taken_up_get_the_result_that_says_so(tmp_path: Path) -> None:
    calls = (ToolCall("1", "grep", {}), ToolCall("2", "run", {}))
    stored = Trajectory(Task("x", tmp_path), steps=[Step(Decision("", calls), (Observation("found"), INTERRUPTED))])
    path = written(tmp_path / "t", stored)
    assert [json.loads(line)["event"] for line in path.read_text().splitlines()] == ["header", "decision", "observation", "observation"]
    assert read_trajectory(path) == stored
