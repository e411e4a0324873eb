"""Which starts of the watcher's record count."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.execution.received import read_record, received_in

ENV = ["PATH=/venv/bin:/usr/bin:/bin", "PYTHONNOUSERSITE=1", "HOME=/tmp/home"]
STEERING = "LD_PRELOAD=x PYTHONPATH=/tmp PYTHONPATH=.. PYTHONSTARTUP=x PATH=/r HOME=/r BASH_ENV=x ENV=x".split()
START = {"event": "start", "pid": 2, "root": "/r", "env": ENV}


def start(argv: str | list[str], pid: int = 5, **more: Any) -> dict[str, Any]:
    words = argv.split() if isinstance(argv, str) else argv
    return {"event": "exec", "pid": pid, "argv": words, "cwd": "/r", "env": [*ENV, "LR=1", "_=x"], "changed": []} | more


def end(pid: int = 5, status: int = 0, **more: Any) -> dict[str, Any]:
    return {"event": "exit", "pid": pid, "status": status, "changed": []} | more


def found(*events: dict[str, Any], stopped: bool = False) -> tuple[tuple[str, ...], ...] | None:
    return received_in([START, *events], stopped=stopped)


@pytest.mark.parametrize(
    ("event", "vector"),
    [
        (start("python train.py --lr 1"), ("train.py", "--lr", "1")),
        (start("/venv/bin/python3.11 -u -B /r/a/../train.py"), ("train.py",)),
        (start(["python", "x.py", "two words", ""], cwd="/r/a/b"), ("a/b/x.py", "two words", "")),
        (start("python -W ignore -m pkg.train --x"), ("pkg/train.py", "--x")),
        (start("/bin/sh ./run.sh a"), ("run.sh", "a")),
        (start("bash -eu -o pipefail run.sh -m x"), ("run.sh", "-m", "x")),
        (start("python a.py", env=[*ENV, "PYTHONPATH=.:/r/src", "PYTHONHASHSEED=1"]), ("a.py",)),
    ],
)
def test_starts_that_count(event: dict[str, Any], vector: tuple[str, ...]) -> None:
    assert found(event, end()) == (vector,)


@pytest.mark.parametrize(
    "event",
    [
        start("python"),
        start([]),
        start("python -c pass train.py"),
        start("python -i train.py"),
        start("python -X pycache_prefix=/tmp train.py"),
        start("python -m pkg/train"),
        start("python -"),
        start("bash -c train.py"),
        start("bash -n run.sh"),
        start("bash --rcfile x run.sh"),
        start("bash -o noexec run.sh"),
        start("perl train.py"),
        start("./python train.py"),
        start("/r/bin/python train.py"),
        start("python /tmp/train.py"),
        start("python ../train.py"),
        start("python train.py", cwd="/r2"),
        start("python train.py", changed=["train.py"]),
        *(start("python train.py", env=[*ENV, variable]) for variable in STEERING),
        start("python train.py", env=ENV[:1]),
        {"event": "other", "pid": 5},
        {"event": "unread", "pid": 5, "why": "x"},
    ],
)
def test_starts_that_do_not(event: dict[str, Any]) -> None:
    assert found(event, end()) == ()
    assert found(event, stopped=True) == ()


def test_how_it_ended() -> None:
    event = start("python a.py")
    assert found(event) == ()
    assert found(event, stopped=True) == (("a.py",),)
    assert found(event, end(status=256)) == ()
    assert found(event, end(status=9)) == ()
    assert found(event, end(changed=["a.py"])) == ()
    assert found(event, end(status=256), stopped=True) == ()
    assert found(event, end(pid=6)) == ()
    assert found(event, {"event": "other", "pid": 5}, end()) == ()  # it became another program
    assert found(start("/bin/sh a.sh"), start("python b.py"), end()) == (("b.py",),)


def test_they_stand_in_the_order_of_their_starts() -> None:
    assert found(start("python a.py", 5), start("python b.py", 6), end(6), end(5)) == (("a.py",), ("b.py",))


def test_without_a_start_of_the_record_nothing_is_known() -> None:
    assert received_in([], stopped=False) is None
    assert received_in([end()], stopped=False) is None
    assert received_in([START], stopped=False) == ()


def test_a_torn_last_line_is_dropped() -> None:
    text = json.dumps(START) + "\n" + json.dumps(end()) + "\n" + json.dumps(end())[:20]
    assert len(read_record(text)) == 2
    assert read_record("") == []


@given(st.lists(st.text(max_size=6), min_size=1, max_size=4))
def test_any_words(words: list[str]) -> None:
    vectors = found(start(["python", *words]), end())
    assert vectors is not None
    for vector in vectors:
        assert vector[1:] == tuple(words[len(words) - len(vector) + 1 :])
