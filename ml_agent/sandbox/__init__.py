"""Where untrusted code runs. A new sandbox is one new file and one line in `SANDBOXES`."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

from ml_agent.errors import SandboxUnavailable, UsageError
from ml_agent.sandbox.base import ExecResult, Mount, Sandbox
from ml_agent.sandbox.environment import Environment

SANDBOXES = {
    "docker": "ml_agent.sandbox.docker:Docker",
    "bubblewrap": "ml_agent.sandbox.bubblewrap:Bubblewrap",
    "local": "ml_agent.sandbox.local:Local",
    "none": "ml_agent.sandbox.none:NoSandbox",
}
"""Name -> `module:Class`; the class takes (workspace, environment, mounts, *, inside, network)."""
AUTO = ("docker", "bubblewrap")
"""What `auto` tries, in order. Never `local`: that one protects nothing."""

__all__ = ["AUTO", "SANDBOXES", "ExecResult", "Mount", "Sandbox", "open_sandbox"]


class _Maker(Protocol):
    def __call__(
        self, workspace: Path, environment: Environment, mounts: Sequence[Mount], *, inside: str | None, network: bool
    ) -> Sandbox: ...


def open_sandbox(
    name: str,
    workspace: Path,
    environment: Environment,
    mounts: Sequence[Mount] = (),
    *,
    inside: str | None = None,
    network: bool = False,
    image: str | None = None,
    gpus: str | None = None,
) -> Sandbox:
    """The sandbox of that name over the folder `workspace`; not started yet, unless it was `auto` that chose it.

    `inside`: the absolute path at which the workspace is best shown, where the sandbox can choose. `network`: runs reach it. `auto`
    takes the first that starts here, else `none` with a note why. `image` and `gpus` are docker's, so that `auto` then means docker.
    Raises UsageError for an unknown name, or if another sandbox is asked for one of those two.
    """
    if image is not None or gpus is not None:
        check_docker_only(name)
        from ml_agent.sandbox.docker import Docker

        return Docker(workspace, environment, mounts, inside=inside, network=network, image=image, gpus=gpus)
    if name == "auto":
        reasons = []
        for candidate in AUTO:
            sandbox = _load(candidate)(workspace, environment, mounts, inside=inside, network=network)
            try:
                sandbox.start()
            except SandboxUnavailable as error:
                sandbox.close()
                reasons.append(str(error))
                continue
            return sandbox
        from ml_agent.sandbox.none import NoSandbox

        return NoSandbox(workspace, environment, mounts, inside=inside, why="; ".join(reasons))
    if name not in SANDBOXES:
        raise UsageError(f"there is no sandbox {name!r}: choose one of auto, {', '.join(SANDBOXES)}")
    return _load(name)(workspace, environment, mounts, inside=inside, network=network)


def check_docker_only(name: str) -> None:
    """Raises UsageError unless the sandbox of that name can have an image and GPUs."""
    if name not in ("auto", "docker"):
        raise UsageError(f"the sandbox {name!r} has no image and no GPUs of its own choice: for --image and --gpus give --sandbox docker")


def _load(name: str) -> _Maker:
    module, _, attribute = SANDBOXES[name].partition(":")
    maker: _Maker = getattr(import_module(module), attribute)
    return maker
