"""How a run ends in a process of its own: a full disk, a signal, a kill."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.trajectory import INTERRUPTED, End, read_trajectory
from tests.tools.support import COMMAND, repository

ROOT = Path(__file__).parent.parent
LongRun = tuple["subprocess.Popen[bytes]", Path, set[int]]


def test_a_full_disk_keeps_the_answer_and_says_so(tmp_path: Path) -> None:
    program = f"""
        import os, resource
        from pathlib import Path
        from ml_agent.policies.scripted import decision
        from tests.tools.support import SUBMIT, run
        from ml_agent.sandbox.options import Options
        from ml_agent.workspace import Workspace
        folder = Path({str(tmp_path)!r})
        with Workspace(Path({str(repository(tmp_path))!r}), Options(sandbox="none")) as workspace:
            run(workspace, decision(SUBMIT), path=folder / "whole")
            for room in (os.path.getsize(folder / "whole") - 9, 400, 9):
                resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
                end = run(workspace, decision(SUBMIT), path=folder / str(room)).end
                print(end.outcome, end.answer and end.answer.code, end.message, sep=" / ")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    at_end, in_the_middle, at_once = done.stdout.splitlines()
    assert at_end.startswith(f"infrastructure / {COMMAND} / cannot write the trajectory")  # the answer is not lost with the record
    assert in_the_middle.startswith("infrastructure / None / cannot write the trajectory")
    assert at_once.startswith("infrastructure / None / cannot write the trajectory")


LONG_RUN = """
import signal, sys
from pathlib import Path
from ml_agent.agent import PlannerLoop
from ml_agent.interrupts import cancellable
from ml_agent.limits import Limits
from ml_agent.policies.scripted import Scripted, decision
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.trajectory import TrajectoryFile
from ml_agent.sandbox.options import Options
from ml_agent.workspace import Workspace

root, path, sandbox = sys.argv[1:]
script = Scripted([
    decision(("file_tree", {})),
    decision(("run", {"language": "bash", "code": "touch started; exec sleep 54321", "timeout": 100}), ("file_tree", {})),
])
with cancellable(), Workspace(Path(root), Options(sandbox=sandbox)) as workspace:
    loop = PlannerLoop(script, trajectory_file=TrajectoryFile(Path(path)))
    end = loop.run(Task("x", Path(root)), workspace, default_tools(), Limits()).end
sys.exit(130 if end.outcome == "cancelled" else 0)
"""


def sleepers() -> set[int]:
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if b"sleep\x0054321" in (folder / "cmdline").read_bytes():
                    found.add(int(folder.name))
            except OSError:
                pass
    return found


@pytest.fixture(params=["local", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
def long_run(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LongRun]:
    """A solve in a process of its own, in the middle of a run in the sandbox; and the processes that it started."""
    before = sleepers()
    root = repository(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_RUN, str(root), str(tmp_path / "t"), request.param], stdout=subprocess.DEVNULL, cwd=ROOT
    )
    deadline = time.monotonic() + 30
    while not (sleepers() - before) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    started = sleepers() - before
    assert started, "the run did not start"
    yield process, tmp_path / "t", started
    process.kill()
    process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_cleanly(long_run: LongRun, number: signal.Signals) -> None:
    process, path, started = long_run
    process.send_signal(number)
    assert process.wait(timeout=20) == 130
    read = read_trajectory(path)
    assert read.end == End("cancelled", message=number.name)
    assert [len(s.observations) for s in read.steps] == [1, 2]
    assert read.steps[0].observations[0].error is None
    assert read.steps[1].observations == (INTERRUPTED, INTERRUPTED)
    assert not sleepers() & started


def test_a_killed_run_can_be_read(long_run: LongRun) -> None:
    process, path, started = long_run
    process.kill()
    process.wait()
    read = read_trajectory(path)
    assert read.end is None
    assert read.steps[0].observations[0].error is None
    assert read.steps[1].observations == (INTERRUPTED, INTERRUPTED)
    for pid in sleepers() & started:  # `local` promises nothing after SIGKILL
        os.kill(pid, signal.SIGKILL)
