"""What a user hands in, checked before any work: each fault is a UsageError of one line that says what to do."""

import math
import os
import unicodedata
from pathlib import Path

from ml_agent.config import INSTRUCTION_CHARACTERS, SANDBOXES
from ml_agent.errors import UsageError


def check_instruction(text: str) -> str:
    """The words of a task without control characters.

    Raises UsageError if there are no words, or more than a task can have.
    """
    if len(text) > INSTRUCTION_CHARACTERS:
        raise UsageError(f"the task has {len(text):,} characters; say it in {INSTRUCTION_CHARACTERS:,} or fewer")
    # Lone surrogates are bytes of the command line that are no text; controls would reach a shell, a model or a screen.
    clean = "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") else " " for c in text).strip()
    if not any(c.isalnum() for c in clean):
        raise UsageError('the task is empty: say in words what to run, e.g. --task "train the model for 10 epochs"')
    return clean


def check_repository(path: str | os.PathLike[str]) -> Path:
    """The folder, absolute. Raises UsageError if it is none, cannot be read, or has nothing to read."""
    shown = os.fspath(path)
    try:
        folder = Path(path).resolve(strict=True)
        names = {entry.name for entry in os.scandir(folder)}
    except FileNotFoundError:
        raise UsageError(f"no such folder: {shown}; name the folder of a checkout") from None
    except NotADirectoryError:
        raise UsageError(f"{shown} is a file; name the folder of a checkout") from None
    except (OSError, ValueError, RuntimeError) as error:  # no permission, a NUL, a link to itself
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot read the folder {shown}: {reason}") from None
    if not names:
        raise UsageError(f"{shown} is empty; name the folder of a checkout")
    if names == {".git"}:
        raise UsageError(f"{shown} holds nothing but .git: commit or check out files first")
    if {"HEAD", "objects", "refs"} <= names:
        raise UsageError(f"{shown} is a bare git repository; clone it and name the clone")
    return folder


def check_time_limit(seconds: float) -> float:
    """Raises UsageError unless it is a number above zero; infinity is no limit."""
    if math.isnan(seconds) or seconds <= 0:
        raise UsageError(f"the time limit is {seconds:g}; give seconds above zero")
    return seconds


def check_sandbox(name: str) -> str:
    if name not in SANDBOXES:
        raise UsageError(f"no such sandbox: {name}; there are {', '.join(SANDBOXES)}")
    return name


def check_output(path: str | os.PathLike[str]) -> Path:
    """The folder for what a run made, absolute; it need not exist. Raises UsageError if it is a file or holds files."""
    folder = Path(path).absolute()
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"the output folder {os.fspath(path)} is not empty; name a new one")
    except NotADirectoryError:
        raise UsageError(f"the output {os.fspath(path)} is a file; name a folder") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot use the output folder {os.fspath(path)}: {reason}") from None
    return folder
