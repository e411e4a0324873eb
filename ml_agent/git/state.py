"""Which commit is checked out, read from `.git` by ourselves: git itself would run what the checkout's configuration says."""

import os
import re
import stat
from pathlib import Path

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REF = re.compile(r"ref:\s*(refs/[^\s~^:?*\[\\]+)")
_SMALL, _PACKED = 4_096, 64_000_000
_LINKS = 5
"""Symbolic references that are followed."""


def is_commit(text: str) -> bool:
    """A whole commit: 40 or 64 hexadecimal digits in lower case."""
    return _COMMIT.fullmatch(text) is not None


def head_commit(checkout: Path) -> str | None:
    """40 or 64 hexadecimal digits; None if there is no `.git`, or it does not say."""
    folder = _git_folder(checkout / ".git")
    if folder is None:
        return None
    common = _common(folder)
    name = "HEAD"
    for _ in range(_LINKS):
        text = _read(folder / name, _SMALL) or _read(common / name, _SMALL)
        if text is None:
            return _packed(common, name)
        if is_commit(text.strip()):
            return text.strip()
        found = _REF.fullmatch(text.strip())
        if found is None or ".." in found[1]:
            return None
        name = found[1]
    return None


def _git_folder(path: Path) -> Path | None:
    """`.git` itself, or what a `.git` file (of a worktree or a submodule) points to."""
    if path.is_dir():
        return path
    text = _read(path, _SMALL)
    if text is None or not text.startswith("gitdir:"):
        return None
    folder = path.parent / text.removeprefix("gitdir:").strip()
    return folder if folder.is_dir() else None


def _common(folder: Path) -> Path:
    """Where the references of all worktrees are."""
    text = _read(folder / "commondir", _SMALL)
    return folder / text.strip() if text else folder


def _packed(folder: Path, name: str) -> str | None:
    for line in (_read(folder / "packed-refs", _PACKED) or "").splitlines():
        commit, _, ref = line.partition(" ")
        if ref.strip() == name and is_commit(commit):
            return commit
    return None


def _read(path: Path, limit: int) -> str | None:
    """A regular file's text; None if there is none of at most `limit` bytes."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with open(descriptor, "rb") as file:
        try:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(limit + 1)
        except OSError:
            return None
    return data.decode("utf-8", "replace") if len(data) <= limit else None
