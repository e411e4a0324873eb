"""The process that serves a GGUF file (a program of its own); `LocalServer` starts it and talks to it.

It reads one line of settings from its standard input, writes one line with its address, and ends when that input ends or
its parent is another. It imports nothing of ml_agent.
"""

import importlib
import json
import os
import select
import signal
import sys
import time
import urllib.error
import urllib.request
from typing import Any

_POLL = 0.05


def main() -> None:
    """Serve until the parent is gone."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # the server's threads do not end in a moment by themselves
    parent = os.getppid()
    settings = json.loads(sys.stdin.buffer.readline())
    replies = os.dup(1)
    os.dup2(2, 1)  # what llama.cpp prints is no reply
    server = _serve(settings)
    _wait_until_healthy(server.listening_address, parent)
    os.write(replies, json.dumps({"url": server.listening_address}).encode() + b"\n")
    while not _alone(parent, 1.0):
        pass
    os._exit(0)


def _serve(settings: dict[str, Any]) -> Any:
    xllamacpp: Any = importlib.import_module("xllamacpp")  # without types
    parameters = xllamacpp.CommonParams()
    parameters.model.path = settings["path"]
    parameters.n_ctx = settings["context"]
    parameters.n_parallel = 1  # else the context is shared out
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.cpuparams.n_threads = settings["threads"]
    parameters.use_jinja = True
    parameters.api_keys = [settings["key"]]
    return xllamacpp.Server(parameters)


def _wait_until_healthy(address: str, parent: int) -> None:
    """The service answers 503 while it loads."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        try:
            with direct.open(f"{address}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            if _alone(parent, 0):
                os._exit(0)
            time.sleep(_POLL)


def _alone(parent: int, seconds: float) -> bool:
    """Whether the parent has gone. Its end of the pipe may live on in a child of its own, so its number is looked at as well."""
    ended, _, _ = select.select([0], [], [], seconds)
    return bool(ended) or os.getppid() != parent


if __name__ == "__main__":
    main()
