"""The files of a candidate: its folder on this machine, or a clone in the cache."""

from pathlib import Path

from ml_agent.catalogue.base import Candidate
from ml_agent.errors import UsageError
from ml_agent.git.cloning import CLONE_SECONDS, clone
from ml_agent.git.state import head_commit


def checkout(candidate: Candidate, cache: Path | None = None, *, seconds: float = CLONE_SECONDS) -> Path:
    """The folder: the candidate's own, if it is at the commit that is wanted, else a clone in `cache` (the user's by default).

    Nothing of the repository is run. Raises GitFailed if it cannot be cloned in `seconds` (another candidate may be), UsageError for a
    folder at another commit without an address to clone from, InfrastructureError if there is no git or no room.
    """
    if candidate.path is not None:
        there = head_commit(candidate.path)
        if candidate.commit in ("", there):
            return candidate.path
        if not candidate.url:
            at = f"at commit {there[:12]}" if there else "not a checkout of git"
            raise UsageError(f"{candidate.path} is {at}, and {candidate.source} wants {candidate.commit[:12]}: check that one out")
    return clone(candidate.url, candidate.commit, name=candidate.name, cache=cache, seconds=seconds)
