"""Answers of a policy in processes of their own, on the example repository."""

from pathlib import Path

import pytest

from ml_agent.benchmarks.ranked_answers import Answered, Asked, answer_all
from ml_agent.errors import InfrastructureError
from ml_agent.task import Answer
from tests.benchmarks.ranking import written

KILLED = """\
import os, signal
from ml_agent.policies.scripted import Scripted

class Killed(Scripted):
    def __init__(self):
        os.kill(os.getpid(), signal.SIGKILL)
"""


def answers(policy: str, asked: list[Asked], *, attempts: int = 4, time_limit: float = 30) -> dict[str, Answered]:
    return {one.key: one for one in answer_all(asked, policy=policy, attempts=attempts, workers=2, time_limit=time_limit)}


def test_answers_are_ranked_and_repeats_are_left_out(smoke: Path, tmp_path: Path) -> None:
    found = answers(written(tmp_path), [Asked("a", "train", smoke), Asked("b", "invent by ngrams", smoke)])
    assert found["a"].answers == tuple(Answer("bash", f"python train.py --lr {n}", ".") for n in (1, 2, 3))
    assert found["b"].answers == tuple(Answer("bash", f"python train.py --order {n}", "examples/names") for n in (1, 2, 3))
    assert all(one.seconds > 0 and one.error == "" for one in found.values())


def test_an_exception_is_kept_and_the_others_go_on(smoke: Path, tmp_path: Path) -> None:
    asked = [Asked("a", "kaputt", smoke), Asked("b", "train", smoke), Asked("c", "  ", smoke)]
    found = answers(written(tmp_path), asked, attempts=1)
    assert "KeyError: 'kaputt'" in found["a"].error
    assert [len(found[key].answers) for key in "abc"] == [0, 1, 0]
    assert "UsageError" in found["c"].error


def test_no_time_gives_no_answer(smoke: Path, tmp_path: Path) -> None:
    found = answers(written(tmp_path), [Asked("a", "train", smoke)], time_limit=0)
    assert (found["a"].answers, found["a"].error) == ((), "")


def test_nothing_is_asked(tmp_path: Path) -> None:
    assert answers(written(tmp_path), []) == {}


def test_a_process_that_dies_is_told(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text(KILLED)
    with pytest.raises(InfrastructureError, match="a worker process died"):
        answers(f"{tmp_path}/killed.py:Killed", [Asked("a", "train", smoke)])
