"""Where untrusted code runs. A new sandbox is one new file and one line in `SANDBOXES`, or an entry point of another distribution."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ml_agent.errors import SandboxUnavailable, UsageError
from ml_agent.plugins import Kind, load
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
"""What `auto` tries, in order. Never `local`: that one protects nothing. Nor another distribution's, which is taken by name only."""
KIND = Kind("sandbox", "ml_agent.sandboxes", {"auto": f"{__name__}:AUTO", **SANDBOXES})
"""With `auto`, which is no class, so that nobody announces one of that name."""

__all__ = ["AUTO", "SANDBOXES", "ExecResult", "Mount", "Sandbox", "check_name", "open_sandbox"]


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
    Raises UsageError as `check_name` does, or if another sandbox is asked for one of those two.
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
    return _load(name)(workspace, environment, mounts, inside=inside, network=network)


def check_docker_only(name: str) -> None:
    """Raises UsageError unless the sandbox of that name can have an image and GPUs."""
    if name not in ("auto", "docker"):
        raise UsageError(f"the sandbox {name!r} has no image and no GPUs of its own choice: for --image and --gpus give --sandbox docker")


def check_name(name: str) -> None:
    """Raises UsageError, in one line, unless it is `auto`, one of SANDBOXES, another distribution's, `module:Class` or `file.py:Class`."""
    if name not in KIND.known:
        _load(name)


def _load(name: str) -> _Maker:
    maker: _Maker = load(KIND, name)
    if name not in SANDBOXES:
        if not isinstance(maker, type) or not issubclass(maker, Sandbox):
            raise UsageError(f"{name} is no sandbox: it has to be a subclass of ml_agent.sandbox.base.Sandbox")
        own = getattr(maker, "name", None)
        if not isinstance(own, str) or own in KIND.known:  # what is known of those is believed by name
            raise UsageError(f"the sandbox {name} needs a `name` of its own, not {own!r}")
    return maker
