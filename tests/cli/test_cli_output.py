"""Where the output cannot go, or a file cannot be read: one line and the right exit code, never a traceback."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.commandline import COMMAND, environment, ml_agent, one_line, scripted, submit

TRAIN = "python train.py --dataset blobs --model softmax --epochs 2"


@pytest.fixture
def commands(smoke: Path, tmp_path: Path) -> dict[str, list[str | Path]]:
    """One of each kind of command, all of which succeed."""
    policy = scripted(tmp_path, submit(TRAIN))
    solve: list[str | Path] = ["solve", "--repo", smoke, "--task", "train", "--policy", policy, "--no-run"]
    record = json.loads(ml_agent(*solve, "--json").stdout)["trajectory"]
    check: list[str | Path] = ["check", "--repo", smoke, TRAIN]
    return {
        "solve": solve, "solve --json": [*solve, "--json"], "check": check, "check --json": [*check, "--json"],
        "show": ["show", record], "--help": ["--help"], "solve --help": ["solve", "--help"], "--version": ["--version"],
    }  # fmt: skip


def in_shell(arguments: list[str | Path], redirection: str, **env: str) -> "subprocess.CompletedProcess[str]":
    script = f'exec "$@" {redirection}'
    return subprocess.run(
        ["bash", "-c", script, "bash", *COMMAND, *arguments], capture_output=True, text=True, timeout=50, env=environment(**env)
    )


def test_a_full_disk(commands: dict[str, list[str | Path]]) -> None:
    for name, arguments in commands.items():
        done = in_shell(arguments, ">/dev/full")
        assert (done.returncode, one_line(done)) == (3, "ml-agent: cannot write the output: No space left on device"), name
    for name in ("--help", "check"):
        assert in_shell(commands[name], ">/dev/full", PYTHONUNBUFFERED="1").returncode == 3, name


def test_a_closed_stream_is_as_dev_null(commands: dict[str, list[str | Path]]) -> None:
    for name, arguments in commands.items():
        for redirection in (">&-", "2>&-", "<&- >&- 2>&-"):
            done = in_shell(arguments, redirection)
            assert (done.returncode, done.stderr) == (0, ""), (name, redirection)
            assert bool(done.stdout) == (redirection == "2>&-"), (name, redirection)


def test_a_message_that_cannot_be_written_changes_nothing(smoke: Path) -> None:
    for redirection in ("2>&-", "2>/dev/full"):
        assert in_shell(["solve", "--repo", smoke / "nowhere", "--task", "x"], redirection).returncode == 2
        assert in_shell(["--nosuch"], redirection).returncode == 2
    done = in_shell(["check", "--repo", smoke, "python evaluate.py"], "2>/dev/full")
    assert (done.returncode, done.stdout[:8]) == (1, "check   ")


def test_an_interruption_before_all_is_imported(tmp_path: Path) -> None:
    """A module of the standard library that is imported early sends the signal."""
    program = "import os, signal, time\nos.kill(os.getpid(), signal.SIG{})\ntime.sleep(5)\n"
    for module in ("argparse", "unicodedata", "json"):
        for name in ("INT", "TERM"):
            folder = tmp_path / f"{module}{name}"
            folder.mkdir()
            (folder / f"{module}.py").write_text(program.format(name))
            env = environment()
            env["PYTHONPATH"] = f"{folder}{os.pathsep}{env['PYTHONPATH']}"
            command = [*COMMAND, "check", "--json", "--repo", str(tmp_path), "ls"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=20, env=env)
            assert (done.returncode, one_line(done)) == (130, "ml-agent: interrupted"), (module, name)


def test_an_output_folder_that_cannot_be_made(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    policy = scripted(tmp_path, submit(TRAIN))
    for folder, reason in (("/proc/x", "No such file"), (tmp_path / "dangling", "link to nothing"), ("", "is empty")):
        state = tmp_path / "state"
        done = ml_agent(
            "solve", "--repo", smoke, "--task", "x", "--policy", policy, "--no-run", "--output", folder, XDG_STATE_HOME=str(state)
        )
        assert done.returncode == 2
        assert reason in one_line(done)
        assert not state.exists(), "it was found out after the solve"
    done = ml_agent("solve", "--repo", "", "--task", "x")
    assert (done.returncode, one_line(done)) == (2, "ml-agent: the repository is empty: give a path")


def test_the_answer_is_shown_though_it_cannot_be_kept(smoke: Path, tmp_path: Path) -> None:
    """The folder is there when the solve begins and gone when it ends."""
    out = tmp_path / "out"
    (tmp_path / "breaking.py").write_text(
        "from pathlib import Path\nfrom ml_agent.policies.scripted import Scripted, decision\n\n"
        "class Breaking(Scripted):\n"
        f"    def __init__(self):\n        super().__init__([decision(call) for call in {[submit(TRAIN)]!r}])\n"
        f"    def decide(self, *a):\n        Path({str(out)!r}).write_text('')\n        return super().decide(*a)\n"
    )
    done = ml_agent("solve", "--repo", smoke, "--task", "x", "--policy", f"{tmp_path}/breaking.py:Breaking", "--no-run", "--output", out)
    assert done.returncode == 3
    assert done.stdout.startswith(TRAIN + "\n")
    assert done.stderr == f"ml-agent: the surroundings failed: cannot write the answer to {out}: File exists\n"


def test_the_working_folder_is_gone(commands: dict[str, list[str | Path]], smoke: Path, tmp_path: Path) -> None:
    def elsewhere(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        gone = tmp_path / "gone"
        gone.mkdir(exist_ok=True)
        script = f'cd "{gone}" && rmdir "{gone}" && exec "$@"'
        command = ["bash", "-c", script, "bash", *COMMAND, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment())

    for name, arguments in commands.items():
        assert elsewhere(*arguments).returncode == 0, name
    relative: list[list[str | Path]] = [
        ["check", "--repo", ".", TRAIN],
        ["solve", "--repo", "x", "--task", "train"],
        [*commands["solve"], "--output", "out"],
        ["show", "t.jsonl"],
    ]
    for arguments in relative:
        done = elsewhere(*arguments)
        assert done.returncode == 2, arguments
        one_line(done)


def test_a_program_to_check_is_a_regular_file(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "huge.py").write_bytes(b"#" * 1_000_001)
    for name, reason in (("zero", "not a regular file"), ("pipe", "not a regular file"), ("huge", "more than 1,000,000 bytes")):
        done = ml_agent("check", "--repo", smoke, tmp_path / f"{name}.py")
        assert done.returncode == 2
        assert reason in one_line(done)


def test_a_word_that_is_a_program_of_the_repository_is_a_command(smoke: Path, tmp_path: Path) -> None:
    """Only what stands in the folder that one works in is a file with code to check."""
    for command in ("train.py", "./train.py"):
        done = ml_agent("check", "--json", "--repo", smoke, command, cwd=tmp_path)
        assert done.returncode in (0, 1)
        assert json.loads(done.stdout).keys() == {"ok", "findings"}
    (tmp_path / "train.py").write_text("from tinynets.models import NoSuchNet\n")
    done = ml_agent("check", "--repo", smoke, "train.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "NoSuchNet" in done.stdout
    (tmp_path / "marked.py").write_text("import tinynets\n", encoding="utf-8-sig")
    assert ml_agent("check", "--repo", smoke, "marked.py", cwd=tmp_path).returncode == 0


def test_the_warning_of_the_sandbox_local_is_said_once(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, ("run", {"language": "bash", "code": "true", "timeout": 10}), submit(TRAIN))
    done = ml_agent("solve", "--repo", smoke, "--task", "x", "--policy", policy, "--sandbox", "local")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("protects nothing") == 1


def test_interrupted_is_quiet_where_nothing_can_be_said(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "waiting.py").write_text(
        "import os, signal\n\nclass Waiting:\n    name = 'waiting'\n    def start(self, *a, **k): pass\n"
        f"    def decide(self, *a): os.kill(os.getpid(), {int(signal.SIGINT)})\n"
    )
    arguments: list[str | Path] = ["solve", "--repo", smoke, "--task", "x", "--policy", f"{tmp_path}/waiting.py:Waiting", "--no-run"]
    assert in_shell(arguments, "2>/dev/full").returncode == 130
