"""None: nothing is run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from ml_agent.errors import ToolError
from ml_agent.sandbox.base import ExecResult, Mount, Sandbox
from ml_agent.sandbox.environment import Environment


class NoSandbox(Sandbox):
    """Refuses every command. `why`: the reason, if it was not asked for by name."""

    name: ClassVar[str] = "none"

    def __init__(
        self,
        workspace: Path,
        environment: Environment,
        mounts: Sequence[Mount] = (),
        *,
        inside: str | None = None,
        network: bool = False,
        why: str | None = None,
    ) -> None:
        self.root = inside or str(workspace)
        self.notes = (f"nothing is run: {why}",) if why else ()

    def start(self) -> None:
        """Nothing to get ready."""

    def exec(self, command: Sequence[str], *, workdir: str = ".", timeout: float, env: Mapping[str, str] | None = None) -> ExecResult:
        raise ToolError(self.notes[0] if self.notes else "nothing is run: the sandbox is `none`")

    def close(self) -> None:
        """Nothing to end."""
