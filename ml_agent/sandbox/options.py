"""What a caller may choose about where and how code runs."""

from dataclasses import dataclass
from typing import Literal

from ml_agent.config import NETWORKS
from ml_agent.errors import UsageError
from ml_agent.sandbox import check_docker_only, check_name
from ml_agent.sandbox.docker_gpus import gpu_request

Network = Literal["off", "setup", "on"]


@dataclass(frozen=True, slots=True)
class Options:
    """Raises UsageError, by `check`, for what cannot be."""

    sandbox: str = "auto"
    """As of ml_agent.sandbox.check_name."""
    python: str | None = None
    """The interpreter that runs see: a path, a name on PATH, a virtual environment."""
    image: str | None = None
    """docker: an image of the user's own."""
    gpus: str | None = None
    """docker: `all`, a number, or `device=0,1`."""
    setup: str | None = None
    """A command line that gets a repository ready (`pip install -r requirements.txt`); what it does is kept for later solves."""
    network: Network = "off"
    """Who has the network: nobody, the setup command alone, or all runs."""
    data: tuple[str, ...] = ()
    """`PATH[:NAME]`: folders or files that runs see, read-only, as NAME in the repository."""

    def check(self) -> None:
        check_name(self.sandbox)
        if self.network not in NETWORKS:
            raise UsageError(f"--network is one of {', '.join(NETWORKS)}, not {self.network!r}")
        if self.sandbox == "none":
            if self.setup is not None:
                raise UsageError("--setup runs a command, and here nothing is to be run: leave one of the two out")
            return
        if self.image is not None or self.gpus is not None:
            check_docker_only(self.sandbox)
            gpu_request(self.gpus)
        if self.setup is not None:
            if not self.setup.strip() or "\0" in self.setup:
                raise UsageError("--setup is empty: give a command line such as 'pip install -r requirements.txt'")
            if self.image is not None:
                raise UsageError(
                    "--setup makes a virtual environment for this machine's Python, and --image has its own: build it into the image"
                )
        elif self.network == "setup":
            raise UsageError("--network setup gives the network to the setup command, and there is none: give --setup CMD, or --network on")
