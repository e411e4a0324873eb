"""What may happen to a runner from outside: killed anywhere, interrupted, without room, and beside another one."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from ml_agent.benchmarks.runner import RunOptions, run
from ml_agent.benchmarks.runs import Run
from tests.benchmarks.runner.support import InProcess, checkouts, content, endings, policy, processes, suite_of
from tests.commandline import environment
from tests.pace import within

PROGRAM = """\
import sys
from pathlib import Path
from ml_agent import cli
from ml_agent.benchmarks.runner import RunOptions, run
from tests.benchmarks.runner.support import checkouts, suite_of

out, repository, policy, workers, *words = sys.argv[1:]
suite = suite_of(*words, repositories=2)

def main(argv):
    done = run(suite, checkouts(suite, Path(repository)), Path(out), RunOptions(policy=policy, attempts=2), workers=int(workers),
               on_progress=lambda p: print(p.done, flush=True))
    return 0

cli._run = main  # all that the command line does about errors and signals
sys.exit(cli.main())
"""
WORDS = ("train", "nothing", "train", "crash x", "train", "train")


def runner(out: Path, repository: Path, policy: str, *words: str, workers: int = 2) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, str(out), str(repository), policy, str(workers), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def wait_for(out: Path, count: int) -> None:
    wait_until(lambda: len(list(out.glob("attempts/*/*.json"))) >= count)


def test_killed_at_fifty_points(smoke: Path, tmp_path: Path) -> None:
    """Each time what is there is whole; gone on with, it is what the undisturbed run has."""
    suite, options = suite_of(*WORDS * 10, repositories=3), RunOptions(policy=policy(tmp_path), attempts=5)
    given = (suite, checkouts(suite, smoke))
    run(*given, tmp_path / "whole", options, make_executor=InProcess)
    chosen = random.Random(5)  # noqa: S311
    for _ in range(50):
        heard, told = os.pipe()
        child = os.fork()
        if child == 0:
            tell = partial(os.write, told, b".")
            try:
                run(*given, tmp_path / "killed", options, make_executor=InProcess, on_progress=lambda _, tell=tell: tell())  # type: ignore[misc]
            finally:
                os._exit(0)
        os.close(told)
        for _ in range(chosen.randrange(7)):  # so many attempts later, and a moment
            os.read(heard, 1)
        time.sleep(chosen.uniform(0.0, 0.008))
        os.kill(child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        os.close(heard)
    before = len(endings(tmp_path / "killed"))  # raises if any file is torn
    done = run(*given, tmp_path / "killed", options, make_executor=InProcess)
    assert 50 < before < 300
    assert (done.before, done.before + done.done) == (before, 300)
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def test_killed_with_its_workers_at_work(smoke: Path, tmp_path: Path) -> None:
    """The workers end by themselves; the next runner goes on."""
    name, out = policy(tmp_path), tmp_path / "run"
    words = [*WORDS, "wait 1.25", "wait 1.25"]
    for count in (1, 7):
        process = runner(out, smoke, name, *words)
        wait_for(out, count)
        process.kill()
        process.communicate()
    process = runner(out, smoke, name, *words)
    _, said = process.communicate(timeout=40)
    assert process.returncode == 0, said
    assert len(endings(out)) == 16
    assert sorted(endings(out).values()).count("answered") == 12
    wait_until(lambda: not processes(str(tmp_path)), 6)


def test_workers_do_not_outlive_a_killed_runner(smoke: Path, tmp_path: Path) -> None:
    """Not in the middle of something long, and not if they do not heed SIGTERM."""
    mark = f"{time.time():.6f}"
    process = runner(tmp_path / "run", smoke, policy(tmp_path), "wait 60", f"hang {mark}")
    wait_until(lambda: bool(processes(f"sleep {mark}")), 20)
    process.kill()
    process.communicate()
    wait_until(lambda: not processes(str(tmp_path)) and not processes(mark), 10)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(smoke: Path, tmp_path: Path, number: signal.Signals) -> None:
    """It ends within five seconds, leaves no process, and what is recorded stays."""
    mark = f"{time.time():.6f}"
    name, out = policy(tmp_path), tmp_path / "run"
    process = runner(out, smoke, name, "train", f"hang {mark}", "wait 60", "train")
    wait_for(out, 2)
    wait_until(lambda: bool(processes(f"sleep {mark}")))
    with within(5):
        process.send_signal(number)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said == "ml-agent: interrupted\n"
    assert processes(mark) == []
    assert not (out / "work").exists()
    assert set(endings(out).values()) == {"answered"}


def test_two_runners_on_one_folder(smoke: Path, tmp_path: Path) -> None:
    name, out = policy(tmp_path), tmp_path / "run"
    first = runner(out, smoke, name, "train", "wait 2")
    wait_for(out, 1)
    second = runner(out, smoke, name, "train", "wait 2")
    printed, said = second.communicate(timeout=20)
    assert (second.returncode, printed, said.count("\n")) == (2, "", 1)
    assert "another runner is at work in" in said
    assert first.wait(timeout=30) == 0
    assert len(endings(out)) == 4


def test_two_runs_in_the_same_second(smoke: Path, tmp_path: Path) -> None:
    """Beside one another they do not meet; of two on one new folder one goes on."""
    name = policy(tmp_path)
    apart = [runner(tmp_path / f"run{number}", smoke, name, *WORDS, workers=1) for number in range(2)]
    for process in apart:
        assert process.wait(timeout=40) == 0
    assert content(tmp_path / "run0") == content(tmp_path / "run1")
    together = [runner(tmp_path / "same", smoke, name, "wait 1", workers=1) for _ in range(2)]
    assert sorted(process.wait(timeout=40) for process in together) == [0, 2]
    assert len(endings(tmp_path / "same")) == 2


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount")
def test_a_full_disk(smoke: Path, tmp_path: Path) -> None:
    """Exit code 3, one line, nothing torn; with room it goes on."""
    place, name = tmp_path / "small", policy(tmp_path)
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "none", place]).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        words = WORDS * 10
        full = runner(place / "run", smoke, name, *words)
        _, said = full.communicate(timeout=40)
        assert (full.returncode, said.count("\n")) == (3, 1), said
        assert "No space left on device" in said
        recorded = endings(place / "run")
        assert 0 < len(recorded) < 120
        assert "infrastructure" not in recorded.values()
        subprocess.run(["mount", "-o", "remount,size=10m", place], check=True)
        on = runner(place / "run", smoke, name, *words)
        assert on.communicate(timeout=40)[1] == ""
        assert on.returncode == 0
        run(suite_of(*words, repositories=2), checkouts(Run(place / "run").suite, smoke), tmp_path / "whole",
            RunOptions(policy=name, attempts=2), make_executor=InProcess)  # fmt: skip
        assert content(place / "run") == content(tmp_path / "whole")
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_folder_that_cannot_be_written(smoke: Path, tmp_path: Path) -> None:
    process = runner(Path("/proc/run"), smoke, policy(tmp_path), "train")
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said.count("\n")) == (2, 1)
    assert "cannot make the folder" in said
