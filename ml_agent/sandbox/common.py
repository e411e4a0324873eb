"""What the sandboxes of this machine share: checking a request, and turning a process's end into an ExecResult."""

import os
import signal
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from ml_agent.errors import ToolError
from ml_agent.sandbox import tree
from ml_agent.sandbox.base import ExecResult, Sandbox
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.environment import LINKS, Environment
from ml_agent.sandbox.process import TOO_LONG, Finished

# Started through a shell, so that a program that is not there ends alike everywhere: exit code 127 and a line on stderr.
STARTER = ("/bin/sh", "-c", 'exec "$@"', "sh")

_SIGNALS = {int(number) for number in signal.valid_signals()}


def find_workdir(workspace: Path, workdir: str) -> PurePosixPath:
    """`workdir` relative to the workspace, links resolved. Raises ToolError if it is no folder there."""
    try:
        top = Path(os.path.realpath(workspace))
        folder = Path(os.path.realpath(top / workdir))
        is_folder = folder.is_dir()
    except (ValueError, OSError) as error:
        raise ToolError(f"no such folder in the repository: {workdir!r} ({error})") from error
    if PurePosixPath(workdir).is_absolute() or not folder.is_relative_to(top):
        raise ToolError(f"the folder {workdir!r} is outside the repository: give one relative to its root")
    if not is_folder:
        raise ToolError(f"no such folder in the repository: {workdir!r}")
    return PurePosixPath(folder.relative_to(top).as_posix())


_WORD_BYTES = 131_071
_COMMAND_BYTES = 1_500_000


def encode(words: Sequence[str]) -> list[bytes]:
    """Words of a command as the system takes them. Raises ToolError if they are too long for it."""
    encoded = [os.fsencode(word) for word in words]
    if max(map(len, encoded)) > _WORD_BYTES or sum(map(len, encoded)) > _COMMAND_BYTES:
        raise ToolError(TOO_LONG)
    return encoded


def quote(word: bytes) -> bytes:
    """As a word of a shell's script."""
    return b"'" + word.replace(b"'", b"'\\''") + b"'"


def check_command(command: Sequence[str]) -> None:
    """Raises ToolError for an argument vector that no system could start."""
    if isinstance(command, str) or not command or not command[0]:
        raise ToolError("the command is empty")
    for word in command:
        if "\0" in word:
            raise ToolError("a command cannot hold a NUL character")
        try:
            os.fsencode(word)
        except UnicodeEncodeError as error:
            raise ToolError(f"a command cannot hold this character: {error}") from error


# How this machine reaches the network and whom it trusts there; pip's own names among them.
_NETWORK = (
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_CERT"),
)


def variables(
    environment: Environment, home: str, temporary: str, extra: Mapping[str, str] | None, *, network: bool = False
) -> dict[str, str]:
    """The whole environment of a run: nothing of the caller's, so no secrets.

    With the network, how it is reached (proxies, an index of packages) is taken over, but for what holds a user and a password.
    """
    for name, value in (extra or {}).items():
        if not name or "=" in name or "\0" in name + value:
            raise ToolError(f"not the name and value of an environment variable: {name!r}")
    links = [LINKS] if any(link.startswith(LINKS) for link in environment.links) else []
    return {
        "PATH": ":".join(dict.fromkeys((*links, environment.bin, "/usr/local/bin", "/usr/bin", "/bin"))),
        "HOME": home,
        "TMPDIR": temporary,
        "USER": "nobody",
        "LOGNAME": "nobody",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MPLBACKEND": "Agg",
        **({name: os.environ[name] for name in _NETWORK if "@" not in os.environ.get(name, "@")} if network else {}),
        **environment.variables,
        **(extra or {}),
    }


def result(finished: Finished, *, oom_killed: bool) -> ExecResult:
    """Shells and bubblewrap give 128 + N for a program that signal N ended: told as the signal that it was."""
    ended = finished.returncode
    number = -ended if ended < 0 else ended - 128 if ended - 128 in _SIGNALS else None
    code = ended if number is None else None
    return ExecResult(
        code,
        number,
        finished.stdout,
        finished.stderr,
        finished.dropped,
        finished.timed_out,
        oom_killed,
        finished.duration,
        disk_full=finished.stopped,
    )


class HostSandbox(Sandbox):
    """A sandbox whose processes are processes of this machine."""

    def __init__(self, workspace: Path, environment: Environment, resources: Resources | None = None) -> None:
        self.workspace = Path(os.path.realpath(workspace))
        self.environment = environment
        self.resources = resources or Resources()
        self._mark = uuid.uuid4().hex

    def close(self) -> None:
        tree.kill(None, self._mark)
