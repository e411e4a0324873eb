"""The contract of a sandbox: where untrusted code runs.

Which error when:

- the command ran, whatever came of it, also killed or timed out: an `ExecResult`;
- the sandbox cannot be had on this machine (no program, no permission): `SandboxUnavailable`, on `start()`;
- the sandbox itself failed or went away: `InfrastructureError`;
- `workdir` does not exist in the workspace or leaves it, or a command that no system could start: `ToolError`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

OUTPUT_BYTES = 1_000_000
"""Of standard output and standard error each; what is over is dropped from the middle, never held in memory."""


@dataclass(frozen=True, slots=True)
class ExecResult:
    """What became of one command."""

    exit_code: int | None
    """None if a signal ended it."""
    signal: int | None
    stdout: str
    stderr: str
    output_dropped: int
    """Bytes of both streams that the cap dropped."""
    timed_out: bool
    oom_killed: bool
    duration: float
    """Seconds."""
    disk_full: bool = False
    """It was stopped because it wrote more than the sandbox allows, or left the disk nearly full."""

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and not self.timed_out and not self.disk_full


@dataclass(frozen=True, slots=True)
class Mount:
    """A host folder or file that the sandbox shows, read-only unless `writable`."""

    source: Path
    target: str
    """Absolute path inside."""
    writable: bool = False


class Sandbox(ABC):
    """Runs commands over one workspace folder. A context manager: leaving it leaves no process behind."""

    name: ClassVar[str]
    network: bool = False
    """Whether runs reach the network."""
    root: str = "/"
    """Where the workspace stands inside, absolute."""
    notes: tuple[str, ...] = ()
    """What does not hold here (a limit that cannot be set, ...), one line each; complete after `start()`."""

    @abstractmethod
    def start(self) -> None:
        """Get ready to run. Raises SandboxUnavailable."""

    @abstractmethod
    def exec(
        self,
        command: Sequence[str],
        *,
        workdir: str = ".",
        timeout: float,
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        """Run `command` (an argument vector, no shell) in `workdir`, relative to the workspace, for `timeout` seconds at most.

        On time-out the whole process tree is killed and what it printed is returned.
        """

    @abstractmethod
    def close(self) -> None:
        """End every process; safe to call twice."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
