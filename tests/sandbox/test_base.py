"""What every sandbox that runs things promises, the same over all of them."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import Cancelled, ToolError
from ml_agent.sandbox import open_sandbox
from ml_agent.sandbox.base import OUTPUT_BYTES, Sandbox
from tests.sandbox.support import SYSTEM, bash, can_bound, token, wait_until_gone, wait_until_there

SANDBOXES = [pytest.param("docker", marks=pytest.mark.docker), pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "local"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    (place / "sub" / "deep").mkdir(parents=True)
    (place / "file.txt").write_text("hello\n")
    return place


@pytest.fixture(params=SANDBOXES)
def sandbox(request: pytest.FixtureRequest, folder: Path) -> Iterator[Sandbox]:
    with open_sandbox(request.param, folder, SYSTEM) as opened:
        yield opened


def test_runs_in_the_workspace(sandbox: Sandbox, folder: Path) -> None:
    result = bash(sandbox, "cat file.txt; pwd; echo made > new.txt; echo no >&2")
    assert (result.exit_code, result.signal, result.timed_out, result.oom_killed) == (0, None, False, False)
    assert result.stdout == f"hello\n{sandbox.root}\n"
    assert result.stderr == "no\n"
    assert (folder / "new.txt").read_text() == "made\n"
    assert 0 < result.duration < 20


def test_workdir_is_relative_to_the_workspace(sandbox: Sandbox) -> None:
    assert bash(sandbox, "pwd", workdir="sub/deep").stdout == f"{sandbox.root}/sub/deep\n"
    assert bash(sandbox, "pwd", workdir="./sub/../sub").stdout == f"{sandbox.root}/sub\n"


@pytest.mark.parametrize("workdir", ["nosuch", "..", "sub/../..", "/", "/tmp", "file.txt", "out", "a\0b", "x" * 5000])
def test_a_workdir_that_is_none_is_a_tool_error(sandbox: Sandbox, folder: Path, workdir: str) -> None:
    (folder / "out").symlink_to("/")
    with pytest.raises(ToolError):
        sandbox.exec(["true"], workdir=workdir, timeout=5)


@pytest.mark.parametrize("command", [[], [""], ["echo", "a\0b"], ["echo", "\ud800"], ["echo", "x" * 200_000]])
def test_a_command_that_no_system_can_start_is_a_tool_error(sandbox: Sandbox, command: list[str]) -> None:
    with pytest.raises(ToolError):
        sandbox.exec(command, timeout=5)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_is_a_tool_error(sandbox: Sandbox, seconds: float) -> None:
    with pytest.raises(ToolError):
        sandbox.exec(["true"], timeout=seconds)


@pytest.mark.parametrize("code", [0, 1, 2, 100, 125, 126, 127, 255])
def test_exit_codes(sandbox: Sandbox, code: int) -> None:
    result = bash(sandbox, f"exit {code}")
    assert (result.exit_code, result.signal) == (code, None)
    assert result.ok == (code == 0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGABRT])
def test_a_signal_is_told_as_one(sandbox: Sandbox, number: signal.Signals) -> None:
    result = bash(sandbox, f"kill -{int(number)} $$; sleep 5")
    assert (result.exit_code, result.signal) == (None, number)
    assert not result.ok


def test_a_program_that_is_not_there(sandbox: Sandbox) -> None:
    result = sandbox.exec(["nosuchprogram"], timeout=5)
    assert result.exit_code == 127
    assert "nosuchprogram" in result.stderr


def test_arguments_arrive_as_they_are(sandbox: Sandbox) -> None:
    words = ["a b", "$HOME", "*", "", "'", '"', "\n", "-n", "--", "\udcff", "ü"]
    result = sandbox.exec(["python3", "-c", "import sys; print(list(map(ascii, sys.argv[1:])))", *words], timeout=10)
    assert result.stdout == f"{list(map(ascii, words))}\n"


def test_nothing_is_on_standard_input(sandbox: Sandbox) -> None:
    assert bash(sandbox, "cat; echo end", timeout=5).stdout == "end\n"


def test_only_what_is_asked_for_is_in_the_environment(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    result = sandbox.exec(["env"], timeout=5, env={"EPOCHS": "3 = 3"})
    values = dict(line.split("=", 1) for line in result.stdout.splitlines())
    assert "sk-secret" not in result.stdout
    assert ("ML_AGENT_SANDBOX" in values) == (sandbox.name == "local"), "bubblewrap's own environment is not handed on"
    assert "PYTHONPATH" not in values
    assert values["EPOCHS"] == "3 = 3"
    assert values["LANG"] == "C.UTF-8"
    assert values["PYTHONUNBUFFERED"] == values["PYTHONDONTWRITEBYTECODE"] == "1"
    assert values["MPLBACKEND"] == "Agg"
    assert values["HOME"] != str(Path.home())


@pytest.mark.parametrize("name", ["", "A=B", "A\0"])
def test_a_variable_that_cannot_be_is_a_tool_error(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(ToolError):
        sandbox.exec(["true"], timeout=5, env={name: "x"})


def test_the_home_folder_is_empty_and_can_be_written_to(sandbox: Sandbox) -> None:
    assert bash(sandbox, 'ls -A "$HOME"; touch "$HOME/x" && ls "$HOME"; touch "$TMPDIR/y"').stdout == "x\n"


def test_python_and_python3_are_the_environments(sandbox: Sandbox) -> None:
    result = bash(sandbox, "python -c 'import sys; print(sys.version_info[0])'; python3 -c 'print(1)'")
    assert result.stdout == "3\n1\n", result.stderr


def test_bytes_that_are_no_utf8(sandbox: Sandbox) -> None:
    assert bash(sandbox, r"printf 'a\x96b\0c'").stdout == "a\ufffdb\0c"


def test_a_character_that_arrives_in_two_parts(sandbox: Sandbox) -> None:
    assert (
        bash(sandbox, r"printf 'x\xe2\x82'; sleep 0.3; printf '\xac'; printf '\xf0\x9f' >&2; sleep 0.1; printf '\x98\x80' >&2").stdout
        == "x€"
    )


def test_long_output_keeps_its_head_and_its_tail(sandbox: Sandbox) -> None:
    result = bash(sandbox, "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo last; echo err >&2")
    assert result.stdout.startswith("first\n")
    assert result.stdout.endswith("last\n")
    assert result.stderr == "err\n"
    assert len(result.stdout) < OUTPUT_BYTES + 100
    assert result.output_dropped == 3_000_011 - OUTPUT_BYTES
    assert f"{result.output_dropped} bytes dropped" in result.stdout


def test_endless_output_takes_no_memory(sandbox: Sandbox) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = bash(sandbox, "yes >&2 & yes", timeout=1.5)
    assert result.timed_out
    assert result.output_dropped > 20_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000, "kB"


def test_the_time_limit_ends_what_ignores_sigterm(sandbox: Sandbox) -> None:
    word, started = token(), time.monotonic()
    result = bash(sandbox, f"trap '' TERM; echo begun; (exec -a {word} sleep 1000) & while :; do sleep 1; done", timeout=0.5)
    assert (result.timed_out, result.ok) == (True, False)
    assert result.stdout == "begun\n"
    assert 0.5 <= time.monotonic() - started < 5
    assert wait_until_gone(word) == []


def test_at_the_time_limit_a_program_may_still_say_something(sandbox: Sandbox) -> None:
    result = bash(sandbox, "trap 'echo saved; exit 3' TERM; echo begun; while :; do sleep 0.05; done", timeout=0.5)
    assert result.timed_out
    assert result.stdout == "begun\nsaved\n"


ESCAPES = {
    "own session": "setsid bash -c 'exec -a X sleep 1000' &",
    "adopted by init": "(setsid bash -c '(exec -a X sleep 1000) & ' &);",
    "no environment": "env -i setsid bash -c 'exec -a X sleep 1000' &",
}


@pytest.mark.parametrize("how", ESCAPES)
@pytest.mark.parametrize("ending", ["sleep 1000", "true"])
def test_nothing_outlives_a_run(sandbox: Sandbox, how: str, ending: str) -> None:
    """A grandchild of its own session holds the pipe open: neither does it keep us waiting, nor does it go on."""
    if sandbox.name == "local" and (how, ending) == ("no environment", "true") and not all(can_bound()):
        pytest.skip("the one gap that tree.py names: it takes a control group to find that process")
    word, started = token(), time.monotonic()
    code = ESCAPES[how].replace("X", word)
    result = bash(sandbox, f"{code} sleep 0.3; echo out; {ending}", timeout=1.0)
    assert result.timed_out == (ending != "true")
    assert result.stdout == "out\n"
    assert time.monotonic() - started < 6
    assert wait_until_gone(word, 1.0) == []


def test_cancelling_ends_everything(sandbox: Sandbox) -> None:
    word = token()

    def interrupt(number: int, frame: object) -> None:
        raise Cancelled("test")

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:

        def ask() -> None:
            wait_until_there(word)
            os.kill(os.getpid(), signal.SIGUSR1)

        threading.Thread(target=ask).start()
        with pytest.raises(Cancelled):
            bash(sandbox, f"setsid bash -c 'trap \"\" TERM; exec -a {word} sleep 1000' & sleep 1000", timeout=30)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert wait_until_gone(word, 1.0) == []


@pytest.mark.parametrize("name", SANDBOXES)
def test_sigterm_of_the_parent_leaves_nothing(name: str, folder: Path) -> None:
    word = token()
    program = f"""
import os, signal, sys
from pathlib import Path
from ml_agent.errors import Cancelled
from ml_agent.sandbox import open_sandbox
from tests.sandbox.support import SYSTEM, bash
def stop(*_): raise Cancelled
signal.signal(signal.SIGTERM, stop)
try:
    with open_sandbox({name!r}, Path({str(folder)!r}), SYSTEM) as sandbox:
        bash(sandbox, f"setsid bash -c 'exec -a {{os.environ['WORD']}} sleep 1000' & sleep 1000", timeout=60)
except Cancelled:
    sys.exit(130)
"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parents[2], env={**os.environ, "WORD": word})
    try:
        assert wait_until_there(word)
        process.terminate()
        assert process.wait(10) == 130
        assert wait_until_gone(word, 1.0) == []
    finally:
        process.kill()
        process.wait()


def test_close_is_safe_twice_and_ends_runs_of_other_threads(sandbox: Sandbox) -> None:
    word = token()
    thread = threading.Thread(target=lambda: bash(sandbox, f"exec -a {word} sleep 1000", timeout=30), daemon=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading, "excepthook", lambda _: None)
        thread.start()
        assert wait_until_there(word)
        sandbox.close()
        sandbox.close()
        assert wait_until_gone(word, 1.0) == []
        thread.join(5)
