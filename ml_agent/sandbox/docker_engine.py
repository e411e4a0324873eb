"""The connection to a Docker engine on this machine, and what it says when it fails, each in one line that says what to do."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ml_agent.errors import InfrastructureError, SandboxUnavailable

if TYPE_CHECKING:
    from docker import APIClient

ANSWER_SECONDS = 20.0
"""How long any one request may take; an engine that hangs costs no more than that."""
_SOCKET = "/var/run/docker.sock"
_API = (1, 41)  # engine 20.10


def connect(seconds: float | None = None) -> "APIClient":
    """A client of the engine that `DOCKER_HOST` names, else of the system's, else of the user's own.

    `seconds`: how long any one request may take, 1 or more (ANSWER_SECONDS). Raises SandboxUnavailable.
    """
    path = socket_path()
    patience = ANSWER_SECONDS if seconds is None else seconds
    _knock(path, patience)
    from docker import APIClient
    from docker.errors import DockerException

    try:
        client = APIClient(base_url=f"unix://{path}", version="auto", timeout=int(patience))
    except (DockerException, OSError) as error:
        raise SandboxUnavailable(f"the Docker engine at {path} does not answer", "restart it (`sudo systemctl restart docker`)") from error
    if tuple(int(part) for part in client.api_version.split(".")) < _API:
        raise SandboxUnavailable(f"the Docker engine at {path} is older than 20.10", "update it")
    return client


def socket_path() -> str:
    """Where the engine listens, if it does. Raises SandboxUnavailable if DOCKER_HOST names one that is not on this machine."""
    host = os.environ.get("DOCKER_HOST", "")
    if host.startswith("unix://"):
        return host.removeprefix("unix://")
    if host:
        raise SandboxUnavailable(f"DOCKER_HOST is {host}, which may not see this machine's files", "set it to unix://...")
    own = os.path.join(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"), "docker.sock")
    return own if os.path.exists(own) and not os.path.exists(_SOCKET) else _SOCKET


def _knock(path: str, seconds: float) -> None:
    """Raises SandboxUnavailable with the reason if nobody listens: the SDK tells the reasons less apart."""
    with socket.socket(socket.AF_UNIX) as knocking:
        knocking.settimeout(seconds)
        try:
            knocking.connect(path)
        except (FileNotFoundError, NotADirectoryError):
            why, remedy = (
                f"there is no Docker engine (no socket {path})",
                "install one (docs.docker.com/engine/install) and start it, or set DOCKER_HOST",
            )
        except PermissionError:
            why = f"no permission to use the Docker engine at {path}"
            remedy = "join its group (`sudo usermod -aG docker $USER`, then log in again)"
        except ConnectionRefusedError:
            why, remedy = f"no Docker engine listens at {path}", "start it (`sudo systemctl start docker`)"
        except OSError as error:
            why, remedy = f"the Docker engine at {path} cannot be reached ({error})", "restart it (`sudo systemctl restart docker`)"
        else:
            return
    raise SandboxUnavailable(why, remedy)


@contextmanager
def faults(doing: str, kind: type[InfrastructureError] = InfrastructureError) -> Iterator[None]:
    """Turns what the SDK raises inside into `kind`. `doing`: what could not be done, such as "start a container"."""
    from docker.errors import DockerException

    try:
        yield
    except (DockerException, OSError) as error:  # what the SDK raises of requests' own is an OSError
        raise kind(f"cannot {doing}: {explain(error)}") from error


def explain(error: Exception) -> str:
    """What the engine's error means, in one line."""
    from docker.errors import APIError

    said = " ".join(str(error.explanation or error).split()) if isinstance(error, APIError) else str(error)
    if "no space left on device" in said or getattr(error, "errno", None) == errno.ENOSPC:
        return "the disk of the Docker engine is full: make room there, for instance by `docker system prune`"
    if isinstance(error, APIError):
        return f"the Docker engine says: {said[:500]}"
    if isinstance(error, TimeoutError) or "timed out" in said:
        return f"the Docker engine did not answer within {ANSWER_SECONDS:g} seconds: restart it"
    return "the Docker engine does not answer any more: see whether it still runs (`systemctl status docker`)"


def is_gone(error: Exception) -> bool:
    """Whether the engine says that a container is not there, or does not run, any more."""
    from docker.errors import APIError

    return isinstance(error, APIError) and error.status_code in (404, 409)
