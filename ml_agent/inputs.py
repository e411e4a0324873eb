"""What a user hands in, checked before any work: each fault is a UsageError of one line that says what to do."""

import ast
import math
import os
import unicodedata
import warnings
from pathlib import Path

from ml_agent.config import CODE_CHARACTERS, INSTRUCTION_CHARACTERS, SANDBOXES
from ml_agent.errors import UsageError
from ml_agent.task import Language


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
    """Raises UsageError unless it is a finite number above zero."""
    if not math.isfinite(seconds) or seconds <= 0:
        raise UsageError(f"the time limit is {seconds:g}; give seconds above zero")
    return seconds


def check_sandbox(name: str) -> str:
    if name not in SANDBOXES:
        raise UsageError(f"no such sandbox: {name}; there are {', '.join(SANDBOXES)}")
    return name


def check_output(path: str | os.PathLike[str], repository: Path) -> Path:
    """The folder for what a run made, absolute; it need not exist.

    Raises UsageError if it is a file, holds files, or stands in the repository, which is never written to.
    """
    folder = Path(path).absolute()
    try:
        if folder.resolve().is_relative_to(repository):
            raise UsageError(f"the output folder {os.fspath(path)} stands in the repository; name one elsewhere")
        there = next(f for f in (folder, *folder.parents) if f.exists())
        if any(there.iterdir()) and there == folder:
            raise UsageError(f"the output folder {os.fspath(path)} is not empty; name a new one")
    except NotADirectoryError:
        raise UsageError(f"the output {os.fspath(path)} is a file; name a folder") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot use the output folder {os.fspath(path)}: {reason}") from None
    return folder


def check_trajectory(path: str | os.PathLike[str]) -> Path:
    """The file for the record of a run; it must be new. Raises UsageError."""
    file = Path(path).absolute()
    if os.path.lexists(file):
        raise UsageError(f"the trajectory {os.fspath(path)} is there already; name a new file")
    return file


def check_code(code: str) -> str:
    """A command line or a program to verify. Raises UsageError if it is empty or too long to be one."""
    if not code.strip():
        raise UsageError("there is nothing to check: give a command line or a .py file")
    if len(code) > CODE_CHARACTERS:
        raise UsageError(f"the code has {len(code):,} characters; at most {CODE_CHARACTERS:,} are checked")
    return code


def guess_language(code: str) -> Language:
    """Python if it compiles and imports, calls or defines something; a command line else."""
    doing = (ast.Import, ast.ImportFrom, ast.Call, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
        return "python" if any(isinstance(node, doing) for node in ast.walk(tree)) else "bash"
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "bash"
