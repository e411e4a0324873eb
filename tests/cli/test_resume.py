"""Stopped and gone on with, each in a process of its own, with a model behind real HTTP and runs in a real sandbox."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ml_agent.trajectory import read_trajectory
from tests.asking import asking, unanswered, wanting
from tests.cli.test_cli_signals import processes_with
from tests.commandline import COMMAND, environment, ml_agent, one_line, run, submit
from tests.models.server import Handler, ScriptedServer, dripping, hanging_up, refused, serving

ANSWER = "python train.py --dataset blobs --model softmax --epochs 2"
WRITE = ("write_file", {"path": "note.txt", "content": "written before\n"})
LOOK = run("cat note.txt; ls; test -e ran && echo it ran; true")


def started(smoke: Path, folder: Path, server: ScriptedServer, *more: str, code: str = "") -> "subprocess.Popen[str]":
    """A solve of the policy `asks`, in the middle of which one may be."""
    command = [*COMMAND, "solve", "--repo", str(smoke), "--task", "train it", "--policy", asking(folder, code=code), "--json"]
    command += ["--model", "scripted", "--base-url", server.url, "--sandbox", "bubblewrap", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(XDG_STATE_HOME=str(folder)))


def resume(path: Path, folder: Path, *more: str) -> "subprocess.CompletedProcess[str]":
    return ml_agent("resume", path, *more, XDG_STATE_HOME=str(folder))


def record(folder: Path) -> Path:
    (path,) = (folder / "ml-agent" / "trajectories").iterdir()
    return path


def until(ready: Callable[[], Any], process: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + 30
    while not ready():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.bubblewrap
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_between_a_call_and_its_reply(smoke: Path, tmp_path: Path, number: signal.Signals) -> None:
    mark = f"601.{os.getpid()}{int(number)}"
    long = run(f"touch ran; sleep {mark}", timeout=601)
    with serving(wanting(WRITE), wanting(("file_tree", {}), long, ("read_file", {"path": "train.py"}))) as server:
        process = started(smoke, tmp_path, server)
        until(lambda: processes_with(f"sleep\0{mark}"), process)
        process.send_signal(number)
        assert process.wait(timeout=20) == (130 if number == signal.SIGINT else -number)
        process.communicate()
        old = record(tmp_path)
        if number == signal.SIGKILL:  # in the middle of a line
            with old.open("ab") as file:
                file.write(b'{"event": "observation", "call": "call_1", "te')
        before = old.read_bytes()
        assert len(server.requests) == 2

        server.turns += [wanting(LOOK), wanting(submit(ANSWER))]
        done = resume(old, tmp_path, "--json")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 4, "what was asked before was asked again"

    assert [unanswered(request) for request in server.requests] == [[], [], [], []]
    replies = [message["content"] for message in server.requests[2]["messages"] if message["role"] == "tool"]
    assert "train.py" in replies[1]
    assert replies[2:] == ["the run ended before this call had a result"] * 2

    data = json.loads(done.stdout)
    assert data["answer"]["code"] == ANSWER
    assert data["usage"] == {"tokens": 4 * 18, "money": None}
    assert old.read_bytes() == before, "the old file was written to"
    whole = read_trajectory(Path(data["trajectory"]))
    assert whole.end is not None
    assert whole.end.outcome == "answered"
    assert [step.observations[0].error for step in whole.steps] == [None] * 4
    assert [exchange.step for exchange in whole.exchanges] == [0, 1, 2, 3]
    (_, stopped), (_, looked) = whole.observations("run")
    assert stopped.error == "Interrupted"
    assert "written before" in looked.data["output_tail"]
    assert "it ran" not in looked.data["output_tail"], "the interrupted run was made again"

    for path, steps in ((Path(data["trajectory"]), 4), (old, 2)):
        again = ml_agent("replay", path, "--json", XDG_STATE_HOME=str(tmp_path))
        assert (again.returncode, json.loads(again.stdout)) == (0, {"steps": steps, "exchanges": steps}), again.stderr


KILLED = """
class Decision:
    def __init__(self, *rest):
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_between_the_models_reply_and_the_decision(smoke: Path, tmp_path: Path) -> None:
    """The reply is on disk, so it is not paid for again."""
    with serving(wanting(submit(ANSWER))) as server:
        process = started(smoke, tmp_path, server, "--no-run", code=KILLED)
        process.communicate(timeout=50)
        assert process.returncode == -signal.SIGKILL
        asking(tmp_path)
        old = record(tmp_path)
        assert (len(read_trajectory(old).exchanges), read_trajectory(old).steps) == (1, [])
        done = resume(old, tmp_path, "--json")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 1
    data = json.loads(done.stdout)
    assert data["usage"]["tokens"] == 18
    assert len(read_trajectory(Path(data["trajectory"])).exchanges) == 1


def test_after_the_models_server_died(smoke: Path, tmp_path: Path) -> None:
    with serving(wanting(WRITE), *[refused(400, "out of order")]) as server:
        process = started(smoke, tmp_path, server, "--no-run")
        out, err = process.communicate(timeout=50)
        assert process.returncode == 3
        assert err == "ml-agent: the surroundings failed: openai:scripted: the request was refused (400): out of order\n"
        assert json.loads(out)["answer"] is None
    old = record(tmp_path)
    with serving(wanting(submit(ANSWER))) as server:
        done = resume(old, tmp_path, "--json", "--base-url", server.url)
        assert done.returncode == 0, done.stderr
        assert [unanswered(request) for request in server.requests] == [[]]
    assert json.loads(done.stdout)["usage"]["tokens"] == 36


def test_a_server_that_dies_in_the_middle_ends_the_run_as_infrastructure(smoke: Path, tmp_path: Path) -> None:
    """Within the time that is left, and with a line that says what to do."""
    with serving(wanting(WRITE)) as server:
        server.turns.append(lambda handler: _die(server, handler))
        start = time.monotonic()
        process = started(smoke, tmp_path, server, "--no-run")
        _, err = process.communicate(timeout=50)
    assert process.returncode == 3
    assert time.monotonic() - start < 30
    (line,) = err.splitlines()
    assert "openai:scripted: cannot be reached" in line
    assert "is the service running, and --base-url right?" in line


def _die(server: ScriptedServer, handler: Handler) -> None:
    hanging_up(handler)
    server.socket.close()


def test_after_the_time_was_spent(smoke: Path, tmp_path: Path) -> None:
    with serving(wanting(WRITE), dripping(60)) as server:
        process = started(smoke, tmp_path, server, "--no-run", "--time-limit", "3")
        _, err = process.communicate(timeout=50)
        assert process.returncode == 1, err
        old = record(tmp_path)
        assert "give --time-limit S, the seconds for the rest" in one_line(resume(old, tmp_path))
        server.turns[:] = [wanting(submit(ANSWER))]
        done = resume(old, tmp_path, "--time-limit", "30")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(ANSWER)


def test_what_cannot_be_gone_on_with_is_one_line(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    state = tmp_path / "state"
    solved = ml_agent("solve", "--repo", smoke, "--task", "evaluate the model", "--no-run", XDG_STATE_HOME=str(state))
    assert solved.returncode == 0, solved.stderr
    old = record(state)
    (tmp_path / "text").write_text("no trajectory\n")
    cases: list[tuple[Path, list[str], str]] = [
        (old, [], "there is nothing to go on with: it has its answer"),
        (smoke / "README.md", [], "README.md"),
        (tmp_path / "text", [], "is not JSON"),
        (tmp_path / "nowhere", [], "No such file"),
    ]
    for path, more, words in cases:
        done = resume(path, state, *more)
        assert done.returncode == 2
        assert words in one_line(done)
