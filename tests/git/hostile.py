"""Repositories that would have something run, or written where it must not be."""

import os
import subprocess
from pathlib import Path

from tests.git.test_state import git

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 5\n"


def trap(folder: Path, ran: Path) -> Path:
    """A program that leaves a file when it is run."""
    program = folder / "trap"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    program.chmod(0o755)
    return program


def hostile(folder: Path, ran: Path) -> str:
    """Fill the empty folder with a repository that tries what there is; its commit.

    Attributes that ask for filters and merge drivers, a submodule with a command for its update, hooks and a configuration of its own,
    both beside the files and in its `.git`, a pointer of LFS, links that lead out.
    """
    program = trap(folder.parent, ran)
    git(folder, "init", "-q")
    (folder / "README.md").write_text("# Mine\n")
    (folder / ".gitattributes").write_text("* filter=f diff=f merge=f\n*.bin filter=lfs diff=lfs merge=lfs -text\n")
    (folder / "weights.bin").write_text(POINTER)
    (folder / ".gitmodules").write_text(f'[submodule "s"]\n path = s\n url = ext::{program}\n update = !{program}\n')
    (folder / ".lfsconfig").write_text(f"[lfs]\n url = https://127.0.0.1:1/\n[lfs.customtransfer.x]\n path = {program}\n")
    (folder / "hooks").mkdir()
    (folder / "hooks/post-checkout").write_bytes(program.read_bytes())
    (folder / "hooks/post-checkout").chmod(0o755)
    os.symlink("/etc/passwd", folder / "out")
    os.symlink(".git/hooks", folder / "in")
    git(folder, "add", ".")
    git(folder, "update-index", "--add", "--cacheinfo", "160000," + "1" * 40 + ",s")
    git(folder, "commit", "-q", "-m", "x")
    head = git(folder, "rev-parse", "HEAD")
    for hook in ("post-checkout", "post-upload-pack", "pre-upload", "reference-transaction", "fsmonitor-watchman"):
        place = folder / ".git/hooks" / hook
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(program.read_bytes())
        place.chmod(0o755)
    for name in ("core.fsmonitor", "uploadpack.packObjectsHook", "core.sshCommand", "core.gitProxy", "core.pager", "filter.f.smudge"):
        git(folder, "config", name, str(program))
    return head


def bomb(folder: Path, levels: int, width: int) -> str:
    """A bare repository of a few objects whose checkout has `width` to the power of `levels` files; its commit."""
    git(folder, "init", "-q", "--bare")

    def made(*words: str, given: str) -> str:
        command = ["git", "-C", str(folder), *words]
        return subprocess.run(command, input=given, check=True, capture_output=True, text=True).stdout.strip()

    one, kind = made("hash-object", "-w", "--stdin", given="x"), "100644 blob"
    for _ in range(levels):
        one = made("mktree", given="".join(f"{kind} {one}\t{n:060}\n" for n in range(width)))
        kind = "040000 tree"
    commit = git(folder, "commit-tree", "-m", "x", one)
    git(folder, "update-ref", "HEAD", commit)
    return commit
