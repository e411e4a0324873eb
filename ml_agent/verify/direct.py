"""Programs that are started by themselves: would a shell find them, and may it run them?"""

import os
import posixpath
import re
import shlex
import stat
from collections.abc import Sequence

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.shell import ShellCommand, Target, Word
from ml_agent.repo.shell.launcher_table import PROGRAM, PYTHON
from ml_agent.verify.findings import Finding
from ml_agent.verify.made import Made


def sets_path(text: str) -> bool:
    """Whether an answer changes where a shell looks for commands."""
    return re.search(r"(?<!\w)PATH=|\bPATH\+=", text) is not None


def check_direct(command: ShellCommand, target: Target, path: str, index: RepoIndex, made: Made, *, path_set: bool) -> Finding | None:
    """A finding if a shell cannot start the file at `path`, which the command names without an interpreter."""
    if not target.direct or target.interpreter is None:
        return None
    word = command.words[target.index]
    suggestion = f"{target.interpreter} {shlex.quote(word.text)}"
    source = f"{path}:1"
    if "/" not in word.text:
        if path_set:
            return None
        message = f"a shell does not look for `{word.text}` in the folder that it is in"
        return Finding("program", message, word.raw, source, suggestion)
    if made.may_run(path):
        return None
    try:
        mode = os.stat(index.files.root / path).st_mode
    except OSError:
        return None
    if not mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH):
        return Finding("program", f"`{path}` is not executable", word.raw, source, suggestion)
    if target.interpreter == "python" and not _says_how(path, index):
        return Finding("program", f"`{path}` has no `#!` line, so a shell would take it for its own script", word.raw, source, suggestion)
    return None


def _says_how(path: str, index: RepoIndex) -> bool:
    try:
        return index.files.read(path).text.startswith("#!")
    except OSError:
        return True


def taken_for_options(words: Sequence[Word], here: str, index: RepoIndex) -> Finding | None:
    """A finding for `python -x.py`, where the program's name looks like options."""
    if len(words) < 2 or not PYTHON.fullmatch(words[0].text):
        return None
    word = words[1]
    if not word.text.startswith("-") or not PROGRAM.fullmatch(word.text) or not index.files.is_file(posixpath.join(here, word.text)):
        return None
    message = f"Python takes `{word.text}` for options"
    return Finding("program", message, word.raw, None, f"{words[0].text} ./{word.text}")
