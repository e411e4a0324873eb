"""`gguf:PATH`: a model file served on this machine's loopback for as long as it is needed."""

import contextlib
import importlib.util
import json
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.models.retry import RetryRule

if TYPE_CHECKING:
    from ml_agent.models.langchain_model import LangchainModel, ToolMode

CONTEXT = 8192
"""Tokens, where nothing else is asked for."""
START_SECONDS = 120.0
"""That a model file may take to load."""
_STOP_SECONDS = 3.0
_MAGIC = b"GGUF"
_LAST_WORDS = 300


class LocalServer:
    """A child process that serves one GGUF file; it ends with `stop()`, with this process however that ends, or by itself on failure.

    `url` is that of an OpenAI-compatible service which wants `key`. Raises UsageError if the file is no model or the package is
    missing, and InfrastructureError if it is not ready within `seconds`.
    """

    def __init__(self, path: Path, *, context: int = CONTEXT, threads: int | None = None, seconds: float = START_SECONDS) -> None:
        _check(path)
        self.key = secrets.token_hex(16)
        settings = {"path": os.fspath(path.resolve()), "context": context, "threads": threads or _cpus(), "key": self.key}
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
        # The child reads this pipe: its end tells it that we are gone, whatever the reason.
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(Path(__file__).with_name("local_server.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C is for us to handle
        )
        self._finalizer = weakref.finalize(self, _end, self._process)
        try:
            self.url = self._started(json.dumps(settings).encode() + b"\n", path, seconds)
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """End the server; safe to call twice."""
        self._finalizer()
        self._log.close()

    def _started(self, settings: bytes, path: Path, seconds: float) -> str:
        assert self._process.stdin
        assert self._process.stdout
        start = time.monotonic()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(settings)
            self._process.stdin.flush()
        said = b""
        while not said.endswith(b"\n"):
            left = start + seconds - time.monotonic()
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, left))
            if not ready:
                raise InfrastructureError(f"the model {path} was not ready within {seconds:g} s; a smaller file loads faster")
            piece = os.read(self._process.stdout.fileno(), 4096)
            if not piece:
                raise InfrastructureError(f"the model {path} does not start: {self._last_words()}")
            said += piece
        return str(json.loads(said)["url"]) + "/v1"

    def _last_words(self) -> str:
        self._process.wait(_STOP_SECONDS)
        self._log.seek(0)
        lines = [line.strip() for line in self._log.read().decode("utf-8", "replace").splitlines() if line.strip()]
        telling = [line for line in lines if "rror" in line or "failed" in line] or lines
        return (telling[-1] if telling else f"it ended with {self._process.returncode}")[-_LAST_WORDS:]


def local_model(name: str, mode: "ToolMode", *, rule: RetryRule, trace: bool, context: int | None) -> "LangchainModel":
    """The model `gguf:PATH`. In the mode `auto` its calls are actions in JSON: few files have a template that native calls work with."""
    path = Path(name.removeprefix("gguf:")).expanduser()
    server = LocalServer(path, context=context or CONTEXT)
    try:
        import openai

        from ml_agent.models.langchain_model import LangchainModel
        from ml_agent.models.prices import price_of
        from ml_agent.models.providers import make_chat

        direct = openai.DefaultAsyncHttpxClient(trust_env=False)  # no proxy between us and ourselves
        chat = make_chat("openai", path.name, base_url=server.url, api_key=server.key, stream_usage=True, http_async_client=direct)

        class Local(LangchainModel):
            def close(self) -> None:
                server.stop()

        mode = "json" if mode == "auto" else mode
        return Local(chat, name=name, mode=mode, price=price_of(name), rule=rule, trace=trace, context=context or CONTEXT)
    except BaseException:
        server.stop()
        raise


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise UsageError(f"cannot read the model {path}: {error.strerror or error}") from error
    if magic != _MAGIC:
        raise UsageError(f"{path} is not a GGUF file")
    if importlib.util.find_spec("xllamacpp") is None:
        raise UsageError("a model on this machine needs a package that is not installed: pip install 'ml-agent[local]'")


def _cpus() -> int:
    return max(1, len(os.sched_getaffinity(0)))


def _end(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
