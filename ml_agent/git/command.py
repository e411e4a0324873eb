"""git over what strangers serve: no configuration counts but ours, and what it may write and how long it may take is bounded."""

import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from ml_agent.errors import InfrastructureError
from ml_agent.executables import FOLDERS, find_program

FILE_BYTES = 8_000_000_000
"""Of any one file that git writes, a pack included."""
OUTPUT_BYTES = 32_000_000
"""Of what git prints."""
# Neither this user's nor the system's configuration counts: no hooks, no filters, no templates, no helpers that are programs.
_SETTINGS = (
    *("core.hooksPath=/dev/null", "core.fsmonitor=false", "core.askPass=true", "credential.helper=", "submodule.recurse=false"),
    *("protocol.allow=never", "protocol.https.allow=always", "protocol.ssh.allow=always", "protocol.file.allow=always"),
    *("advice.detachedHead=false", "gc.auto=0", "maintenance.auto=false"),
)
_KEPT = ("https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSH_AUTH_SOCK")
_ENVIRONMENT = {
    "PATH": FOLDERS,
    "HOME": "/dev/null",  # for a git too old for GIT_CONFIG_GLOBAL; ssh finds its own files without it
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
    "GIT_LFS_SKIP_SMUDGE": "1",
}
_SHELL = 'ulimit -f "$0" 2>/dev/null; exec "$@"'
_BLOCK = 512
"""Bytes in which a shell counts sizes of files."""
_SAID_BYTES = 4_096
_TOO_LARGE = "File too large"


class GitFailed(InfrastructureError):
    """git cannot do it with this repository; with another one it may. `too_large`: what it wrote was more than it may."""

    def __init__(self, message: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.too_large = too_large


def git(*words: str, seconds: float, output_bytes: int = OUTPUT_BYTES, file_bytes: int = FILE_BYTES) -> bytes:
    """What git prints. It and all that it started are ended after `seconds`, or when this is interrupted.

    Raises GitFailed if it fails, takes longer, prints or writes more; InfrastructureError if there is no git.
    """
    program = find_program("git")
    if program is None:
        raise InfrastructureError("git is not installed: install it, or give a folder with a checkout")
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = ["/bin/sh", "-c", _SHELL, str(file_bytes // _BLOCK), program, *settings, *words]
    with tempfile.TemporaryFile() as said, _running(command, _ENVIRONMENT | kept, said) as process:
        try:
            output = _output(process, time.monotonic() + seconds, output_bytes)
        except TimeoutError as error:
            raise GitFailed(f"git did not end within {seconds:.3g} seconds: allow more time, or give a folder with a checkout") from error
        if process.returncode != 0:
            said.seek(0, os.SEEK_END)
            said.seek(max(0, said.tell() - _SAID_BYTES))
            text = said.read().decode("utf-8", "replace")
            raise GitFailed(f"git cannot fetch the repository: {_reason(text, process.returncode)}", too_large=_TOO_LARGE in text)
        return output


@contextmanager
def _running(command: Sequence[str], environment: Mapping[str, str], said: IO[bytes]) -> "Iterator[subprocess.Popen[bytes]]":
    """The process, which has ended at the end, with all that it started.

    A thread starts it: the exception of a signal cannot come there, between the start and our knowing of it.
    """
    started: list[subprocess.Popen[bytes]] = []
    failed: list[OSError] = []

    def start() -> None:
        try:
            process = subprocess.Popen(
                command,
                env=environment,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=said,
                start_new_session=True,
                restore_signals=False,  # Python ignores SIGXFSZ: too large a file is then an error that git tells
            )
            started.append(process)
        except OSError as error:
            failed.append(error)

    starter = threading.Thread(target=start)
    try:
        starter.start()
        starter.join()
        if failed:
            raise InfrastructureError(f"cannot start git: {failed[0].strerror}") from failed[0]
        yield started[0]
    finally:
        if starter.ident is not None:
            starter.join()
        for process in started:
            _end(process)


def _output(process: "subprocess.Popen[bytes]", end: float, most: int) -> bytes:
    """All that it prints; the process has then ended. Raises TimeoutError at the time `end`."""
    output = bytearray()
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, end - time.monotonic())):
            data = os.read(process.stdout.fileno(), 1 << 16)
            output += data
            if len(output) > most:
                raise GitFailed(f"git cannot fetch the repository: more than {most:,} bytes of output", too_large=True)
            if not data:
                break
        else:
            raise TimeoutError
    try:
        process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired as error:
        raise TimeoutError from error
    return bytes(output)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _reason(text: str, code: int) -> str:
    """The first line that says why; what follows it are consequences."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("fatal: ", "error: ", "ssh: "))]
    return (told[:1] or lines[-1:] or [f"exit code {code}"])[0][:300]
