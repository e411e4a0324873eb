"""What a trajectory does to the disk: no key reaches it, no file is lost, and a full one is said."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.task import Answer, Task
from ml_agent.trajectory import Decision, End, Exchange, Observation, Step, ToolCall, Trajectory, TrajectoryFile, read_trajectory
from tests.test_trajectory import example, written


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("mine")
    with pytest.raises(InfrastructureError, match="File exists"):
        TrajectoryFile(tmp_path / "t")
    assert (tmp_path / "t").read_text() == "mine"


def test_keys_are_redacted_wherever_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVICE_TOKEN", "a value of my own")
    keys = ("sk-abcdefghijklmnopqrstuv", "a value of my own")
    for number, key in enumerate(keys):
        call = ToolCall("1", "run", {"code": f"curl -H {key}", key: [key]})
        seen = Observation(f"\n{key}\n", {"lines": [key, {"deep": Path(f"/home/{key}")}]}, accepted=Answer("bash", key))
        stored = Trajectory(
            Task(key, Path("/r")),
            key,
            [Step(Decision(key, (call,)), (seen,))],
            End("no_answer", message=key),
            {"options": {"key": key}},
            [Exchange(0, {"reply": {"text": key}})],
        )
        path = written(tmp_path / str(number), stored)
        assert key not in path.read_text()
        read = read_trajectory(path)
        assert read.steps[0].observations[0].text == "\n[redacted]\n"
        assert read.steps[0].observations[0].data["lines"][1]["deep"] == "/home/[redacted]"


def test_a_file_can_be_taken_back(tmp_path: Path) -> None:
    file = TrajectoryFile(tmp_path / "t")
    file.header(example())
    file.discard()
    file.discard()
    assert not (tmp_path / "t").exists()


def test_a_full_disk_is_an_infrastructure_error(tmp_path: Path) -> None:
    program = f"""
        import resource
        from pathlib import Path
        from ml_agent.errors import InfrastructureError
        from ml_agent.task import Task
        from ml_agent.trajectory import Decision, Trajectory, TrajectoryFile
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        file = TrajectoryFile(Path({str(tmp_path / "t")!r}))
        file.header(Trajectory(Task("x", Path("/"))))
        for action in (lambda: file.decision(Decision("y" * 5000, ()), None), file.close):
            try:
                action()
            except InfrastructureError as error:
                print(error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=30)
    assert done.stdout.count("cannot write the trajectory") == 2, done.stderr
    assert done.returncode == 0
    assert read_trajectory(tmp_path / "t").steps == []  # the torn line is dropped
