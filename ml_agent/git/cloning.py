"""A clone at a commit in the cache: no hooks, filters, templates, submodules or large files from elsewhere, bounded in time and size."""

import re
import time
from pathlib import Path

from ml_agent.errors import UsageError
from ml_agent.git.command import GitFailed, git
from ml_agent.git.making import Making, cache_folder
from ml_agent.git.state import is_commit

CLONE_SECONDS = 1_800.0
MAX_FILES = 200_000
MAX_BYTES = 20_000_000_000
"""Of the files of a commit."""
_URL = re.compile(r"(?:https|ssh|file)://\S+")
_SECRET = re.compile(r"(?:https|file)://[^/]*@|ssh://[^/@]*:[^/]*@")
_NAME_CHARACTERS = 80
_SHORT_BYTES = 10_000


def check_url(url: str) -> str:
    """The URL. Raises UsageError unless it is one that can be cloned from, without a password in it: that would stand on the disk."""
    if not _URL.fullmatch(url) or not url.isprintable():
        raise UsageError(f"cannot clone {url[:200]!r}: an https, ssh or file URL and a whole commit are wanted")
    if _SECRET.match(url):
        raise UsageError(f"cannot clone from {url.rpartition('@')[2][:200]!r} with a name or password in the URL: leave them out")
    return url


def head_of(url: str, *, seconds: float = 60.0) -> str:
    """The commit that the default branch of the repository at `url` is at.

    Raises UsageError for what is no URL to clone from, GitFailed if it cannot be told.
    """
    said = git("ls-remote", "--quiet", "--", check_url(url), "HEAD", seconds=seconds, output_bytes=_SHORT_BYTES).decode("utf-8", "replace")
    commit, _, name = said.partition("\n")[0].partition("\t")
    if name != "HEAD" or not is_commit(commit):
        raise GitFailed(f"git cannot fetch the repository: {url} has no commit yet")
    return commit


def clone(url: str, commit: str = "", *, name: str, cache: Path | None = None, seconds: float = CLONE_SECONDS) -> Path:
    """The folder with the files of `commit`, of the default branch's head if none is given; it is fetched once.

    It stands in `cache` (the user's by default), under `name` and the commit. Raises UsageError for a URL or commit that cannot be one,
    GitFailed if it cannot be fetched in `seconds` or is too large, InfrastructureError if there is no git or no room.
    """
    end = time.monotonic() + seconds
    check_url(url)
    commit = commit.lower() or head_of(url, seconds=seconds)
    if not is_commit(commit):
        raise UsageError(f"cannot clone {url[:200]!r} at {commit[:80]!r}: an https, ssh or file URL and a whole commit are wanted")
    folder = (cache or cache_folder()) / f"{_as_file_name(name)}-{commit}"
    if not folder.is_dir():
        with Making(folder) as made:
            target = str(made.path / "repository")
            git("init", "--quiet", "--template=", target, seconds=end - time.monotonic())
            fetch = ("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, commit)
            git("-C", target, *fetch, seconds=end - time.monotonic())
            _check_size(target, commit, seconds=end - time.monotonic())
            git("-C", target, "checkout", "--quiet", "--detach", commit, seconds=end - time.monotonic())
    return folder / "repository"


def _check_size(target: str, commit: str, *, seconds: float) -> None:
    """A small pack can hold a tree of endless files, so they are counted before they are written."""
    too_large = GitFailed(f"the repository is too large: more than {MAX_FILES:,} files or {MAX_BYTES:,} bytes", too_large=True)
    try:
        listed = git("-C", target, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, seconds=seconds)
    except GitFailed as error:
        raise (too_large if error.too_large else error) from error
    sizes = [entry.split(b"\t", 1)[0].split() for entry in listed.split(b"\0") if entry]
    if len(sizes) > MAX_FILES or sum(int(fields[3]) for fields in sizes if fields[3].isdigit()) > MAX_BYTES:  # a submodule has no size
        raise too_large


def _as_file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[-_NAME_CHARACTERS:] or "repository"
