"""Every way an engine can fail, told in one line; and that nothing hangs and nothing stays."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError, SandboxUnavailable
from ml_agent.sandbox import docker_container, docker_engine, docker_owner, open_sandbox
from ml_agent.sandbox.docker import Docker
from ml_agent.sandbox.docker_engine import connect
from tests.pace import within
from tests.sandbox.engine import containers, end_container, own_engine, start_engine
from tests.sandbox.support import SYSTEM, bash, token, wait_until_gone, wait_until_there

TOP = Path(__file__).parents[2]
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can start an engine")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    return place


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an engine of this test's own, which is the one in use."""
    place = Path(f"/tmp/ml-agent-engine-{os.getpid()}")  # a socket's path is short
    with own_engine(place) as host:
        monkeypatch.setenv("DOCKER_HOST", host)
        yield place


def refusal(folder: Path) -> str:
    with pytest.raises(SandboxUnavailable) as caught:
        Docker(folder, SYSTEM).start()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_no_socket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{folder}/nosuch.sock")
    assert "there is no Docker engine" in refusal(folder)


def test_no_daemon(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(folder / "docker.sock"))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{folder}/docker.sock")
    assert "systemctl start docker" in refusal(folder)


def test_a_socket_where_nobody_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{folder}/docker.sock")
    monkeypatch.setattr(docker_engine, "ANSWER_SECONDS", 1.0)
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(folder / "docker.sock"))
        mute.listen()
        assert "does not answer" in refusal(folder)


def test_an_engine_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2375")
    assert "may not see this machine's files" in refusal(folder)


@needs_root
def test_no_permission(tmp_path: Path) -> None:
    """As another user, who may not even read this checkout: so from a copy."""
    place = Path(shutil.copytree(TOP / "ml_agent" / "sandbox", f"/tmp/ml-agent-test-{os.getpid()}/ml_agent/sandbox"))
    top = place.parents[1]
    try:
        for name in ("__init__.py", "errors.py"):
            shutil.copy(TOP / "ml_agent" / name, place.parent / name)
        subprocess.run(["chmod", "-R", "a+rX", top], check=True)
        with socket.socket(socket.AF_UNIX) as closed:
            closed.bind(str(top / "docker.sock"))
            os.chmod(top / "docker.sock", 0o660)
            closed.listen()
            program = "from ml_agent.sandbox.docker_engine import connect; connect()"
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", program]
            env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(top), "DOCKER_HOST": f"unix://{top}/docker.sock"}
            done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=30)
    finally:
        shutil.rmtree(top)
    assert "usermod -aG docker" in done.stderr.splitlines()[-1], done.stderr


def test_auto_goes_on_to_the_next_sandbox_and_never_to_local(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{folder}/nosuch.sock")
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with open_sandbox("auto", folder, SYSTEM) as opened:
        assert opened.name == "none"
        (note,) = opened.notes
    assert "there is no Docker engine" in note
    assert "apt-get install bubblewrap" in note


@pytest.mark.docker
@pytest.mark.parametrize("removed", [False, True])
def test_a_container_that_goes_while_in_use(folder: Path, removed: bool) -> None:
    with Docker(folder, SYSTEM) as sandbox:
        word = token()

        def end() -> None:
            wait_until_there(word)
            end_container(removed=removed)

        thread = threading.Thread(target=end)
        thread.start()
        with within(10):
            with pytest.raises(InfrastructureError, match="was removed or ended"):
                bash(sandbox, f"exec -a {word} sleep 30", timeout=30)
            thread.join()
        assert wait_until_gone(word) == []
        assert bash(sandbox, "echo again").stdout == "again\n"
    assert containers() == []


@pytest.mark.docker
def test_a_container_that_went_between_two_runs(folder: Path) -> None:
    with Docker(folder, SYSTEM) as sandbox:
        api = connect()
        api.remove_container(containers()[0], force=True)
        api.close()
        with pytest.raises(InfrastructureError, match="No such container"):
            bash(sandbox, "true")
        assert bash(sandbox, "echo again").stdout == "again\n"


@pytest.mark.docker
def test_an_interrupted_start_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("docker.APIClient.start", interrupt)
    with pytest.raises(KeyboardInterrupt):
        Docker(folder, SYSTEM).start()
    assert containers() == []


@pytest.mark.docker
def test_what_a_dead_process_left_is_removed_by_the_next_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container that was made but not started does not end by itself."""
    program = f"""
import os, signal, docker
from pathlib import Path
from ml_agent.sandbox.docker import Docker
from tests.sandbox.support import SYSTEM
docker.APIClient.start = lambda *_: (print("made", flush=True), signal.pause())
Docker(Path({str(folder)!r}), SYSTEM).start()
"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=TOP, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "made\n"
        with Docker(folder, SYSTEM):
            assert len(containers(process.pid)) == 1, "its owner lives"
    finally:
        process.kill()
        process.wait()
        process.communicate()
    assert len(containers(process.pid)) == 1
    with Docker(folder, SYSTEM):
        assert containers(process.pid) == []


@needs_root
@pytest.mark.docker
def test_an_engine_that_is_killed_while_in_use(folder: Path, engine: Path) -> None:
    word = token()
    sandbox = Docker(folder, SYSTEM)
    with sandbox:

        def kill() -> None:
            wait_until_there(word)
            os.kill(int((engine / "docker.pid").read_text()), signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        started = time.monotonic()
        for _ in range(3):
            with pytest.raises(InfrastructureError) as caught:
                bash(sandbox, f"exec -a {word} sleep 30", timeout=30)
            assert "\n" not in str(caught.value)
        thread.join()
    assert time.monotonic() - started < 10
    assert any("which the next start removes" in note for note in sandbox.notes)
    assert wait_until_gone(word, 1.0) == []
    start_engine(engine)
    with Docker(folder, SYSTEM) as again:
        assert bash(again, "echo again").stdout == "again\n"
    assert containers() == []


@needs_root
@pytest.mark.docker
def test_an_engine_that_hangs(folder: Path, engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docker_engine, "ANSWER_SECONDS", 1.0)
    with Docker(folder, SYSTEM) as sandbox:
        pid = int((engine / "docker.pid").read_text())
        os.kill(pid, signal.SIGSTOP)
        try:
            with within(5), pytest.raises(InfrastructureError, match="did not answer within 1 seconds"):
                bash(sandbox, "true")
        finally:
            os.kill(pid, signal.SIGCONT)


@needs_root
@pytest.mark.docker
def test_a_full_disk(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the engine: the part that a container writes to before it runs."""
    place = Path(f"/tmp/ml-agent-engine-full-{os.getpid()}")
    (place / "data").mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "none", place / "data"], check=True)
    with own_engine(place) as host:
        monkeypatch.setenv("DOCKER_HOST", host)
        with contextlib.suppress(OSError), (place / "data" / "filler").open("wb") as file:
            while True:
                file.write(b"x" * 4096)
                file.flush()
        said = refusal(folder)
        (place / "data" / "filler").unlink()
    assert "the disk of the Docker engine is full" in said
    assert "docker system prune" in said


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda patch: patch.setattr(docker_container, "_FIRST", ("-c", "exit 3")), "Conflict|is not running|No such container|removed"),
        (lambda patch: patch.setattr(docker_owner, "_machine", lambda: "other"), None),
    ],
    ids=["a first process that ends at once", "containers of another machine"],
)
@pytest.mark.docker
def test_oddities(folder: Path, monkeypatch: pytest.MonkeyPatch, break_it: Callable[[pytest.MonkeyPatch], None], said: str | None) -> None:
    break_it(monkeypatch)
    with Docker(folder, SYSTEM) as sandbox:
        if said is None:
            assert bash(sandbox, "true").ok
        else:
            with pytest.raises(InfrastructureError, match=said):
                bash(sandbox, "true")
    assert containers() == []
