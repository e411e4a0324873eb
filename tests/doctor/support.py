"""Helpers of the doctor's tests: faults that are real."""

import json
import os
import socket
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from ml_agent.doctor import Diagnosis
from ml_agent.doctor.check import Check, Found, Given
from ml_agent.doctor.machine import look_at_interpreter
from tests.commandline import environment


def given(scratch: Path, python: str | None = None, **found: Found) -> Given:
    """What a probe of a sandbox is given where all that comes before it is well; `found` is put over that."""
    start = Given(Path("/nonexistent"), python, scratch)
    well = {"interpreter": look_at_interpreter(start), "docker engine": Found("ok", ""), "control groups": Found("ok", "")}
    return Given(start.repository, python, scratch, well | {name.replace("_", " "): one for name, one in found.items()})


def diagnosed(folder: Path, python: str, first: str = "") -> Diagnosis:
    """What `ml-agent doctor` finds in `folder`, in a process that has run the code `first`.

    Of its own, for it forks: what the threads of the process of the tests hold, their forks would wait for.
    """
    code = f"{first}\nimport runpy; runpy.run_module('ml_agent', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-c", code, "doctor", "--json", "--python", python]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=70, cwd=folder, env=environment())
    said = json.loads(done.stdout)
    return Diagnosis(tuple(Check(**check) for check in said["checks"]), said["sandbox"])


def by_name(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.name: check for check in checks}


@contextmanager
def mute_engine(path: Path) -> Iterator[str]:
    """The DOCKER_HOST of a socket that takes connections and never says a word."""
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(path))
        mute.listen(64)
        yield f"unix://{path}"


@contextmanager
def engine_that_says(path: Path, info: dict[str, Any], version: dict[str, Any]) -> Iterator[str]:
    """The DOCKER_HOST of a server that tells of itself as an engine would that cannot be had here."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(info if self.path.endswith("/info") else {"ApiVersion": "1.41", **version}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def address_string(self) -> str:
            return "unix"

        def log_message(self, *_: Any) -> None:
            pass

    with socketserver.ThreadingUnixStreamServer(str(path), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"unix://{path}"
        server.shutdown()


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """A new folder that its owner cannot write to; root is kept out by a mount."""
    folder.mkdir()
    if os.getuid() != 0:
        folder.chmod(0o500)
        yield folder
        folder.chmod(0o700)
        return
    with mounted(folder, "ro"):
        yield folder


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A file system in memory over `folder`; needs root."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
