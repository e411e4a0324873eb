"""Which code is handed in when the model comes to no end."""

from typing import Any

import pytest

from ml_agent.policies.react.candidates import Candidates, candidate_of, failed
from ml_agent.trajectory import INTERRUPTED, Observation, ToolCall

PASSED, FAILED = Observation("passed", {"ok": True}), Observation("failed", {"ok": False})
REJECTED = Observation("rejected", {"accepted": False, "verified": False})


def call(tool: str, code: Any, language: Any = "bash", workdir: Any = ".") -> ToolCall:
    return ToolCall("1", tool, {"language": language, "code": code, "workdir": workdir})


def ran(outcome: str) -> Observation:
    return Observation(f"outcome: {outcome}", {"outcome": outcome})


def best(*noted: tuple[str, str, Observation]) -> str | None:
    candidates = Candidates()
    for tool, code, observation in noted:
        candidates.note(call(tool, code), observation)
    found = candidates.best()
    return None if found is None else str(found.arguments["code"])


@pytest.mark.parametrize(
    ("noted", "code"),
    [
        ([], None),
        ([("grep", "python a.py", PASSED)], None),
        ([("check_answer", "python a.py", FAILED)], "python a.py"),
        ([("check_answer", "a", PASSED), ("check_answer", "b", PASSED)], "b"),
        ([("check_answer", "a", PASSED), ("check_answer", "b", FAILED)], "a"),
        ([("check_answer", "a", PASSED), ("check_answer", "b", PASSED), ("run", "b", ran("failed"))], "a"),
        ([("check_answer", "a", PASSED), ("run", "a", ran("running_at_limit")), ("check_answer", "b", PASSED)], "a"),
        ([("run", "a", ran("completed")), ("submit", "b", REJECTED)], "a"),
        ([("run", "a", ran("failed"))], None),
        ([("run", "a", ran("environment"))], None),
        ([("submit", "a", REJECTED)], "a"),
        ([("submit", "a", Observation("the answer is empty", error="ToolError"))], None),
        ([("check_answer", "a", PASSED), ("submit", "a", Observation("no", error="ToolError"))], None),
        ([("check_answer", "a", PASSED), ("submit", "a", INTERRUPTED)], "a"),
        ([("check_answer", "a", Observation("no such folder", error="ToolError"))], None),
    ],
)
def test_the_best(noted: list[tuple[str, str, Observation]], code: str | None) -> None:
    assert best(*noted) == code


@pytest.mark.parametrize(
    "code", ["ls", "cd examples && ls -la", "cat a.py | head -5; pwd", "python train.py --help", "python train.py -h\n", "  ", 3]
)
def test_looking_around_is_no_answer(code: Any) -> None:
    assert candidate_of(call("run", code)) is None


@pytest.mark.parametrize("code", ["python train.py -hidden 3", "ls && python a.py", "cat x | python a.py", "bash run.sh"])
def test_what_does_something_may_be(code: str) -> None:
    assert candidate_of(call("run", code)) is not None


def test_odd_arguments() -> None:
    assert candidate_of(call("check_answer", "a", language="ruby")) is None
    assert candidate_of(ToolCall("1", "run", {})) is None
    found = candidate_of(ToolCall("1", "run", {"code": "a", "language": "python", "timeout": 3, "workdir": 5}))
    assert found is not None
    assert found.arguments == {"language": "python", "code": "a", "workdir": "."}


def test_how_often_it_has_to_be_submitted() -> None:
    candidates = Candidates()
    for rejections in range(4):
        candidates.note(call("check_answer", "good"), PASSED)
        candidates.note(call("check_answer", "bad"), FAILED)
        good, bad = (next(c for c in candidates._found.values() if c.arguments["code"] == code) for code in ("good", "bad"))
        assert candidates.submissions(good) == 1
        assert candidates.submissions(bad) == max(1, 3 - rejections)
        candidates.note(call("submit", "other"), REJECTED)


def test_what_newly_passed_is_said_once() -> None:
    candidates = Candidates()
    seen = []
    for code, observation in (("a", FAILED), ("b", PASSED), ("b", PASSED), ("b", FAILED), ("c", PASSED)):
        candidates.note(call("check_answer", code), observation)
        seen.append(candidates.newly_good())
    assert seen == [False, True, False, False, True]


def test_what_says_that_an_answer_is_wrong() -> None:
    assert failed(call("check_answer", "a"), FAILED)
    assert failed(call("submit", "a"), REJECTED)
    assert failed(call("run", "a"), ran("failed"))
    assert not failed(call("run", "a"), ran("environment"))
    assert not failed(call("check_answer", "a"), PASSED)
    assert not failed(call("check_answer", "a"), INTERRUPTED)
    assert not failed(call("grep", "a"), Observation("x", {"ok": False}))
