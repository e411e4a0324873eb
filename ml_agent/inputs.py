"""What a user hands in, checked before any work: each fault is a UsageError of one line that says what to do."""

import ast
import math
import os
import stat
import unicodedata
import warnings
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from ml_agent.config import CODE_BYTES, CODE_CHARACTERS, INSTRUCTION_CHARACTERS
from ml_agent.errors import UsageError
from ml_agent.task import Language


def check_text(value: Any, what: str) -> str:
    """Raises UsageError for what is no string. Python's callers are not held to the types."""
    if not isinstance(value, str):
        raise UsageError(f"{what} must be a string, not {_kind(value)}")
    return value


def check_path(value: Any, what: str) -> Path:
    """The path, absolute, links as they are. Raises UsageError for what is no path, or cannot be made absolute."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise UsageError(f"{what} must be a path, not {_kind(value)}")
    if not os.fspath(value):
        raise UsageError(f"{what} is empty: give a path")
    try:
        return Path(value).absolute()
    except FileNotFoundError:
        raise UsageError("the folder that you work in is gone: change to another one, or give absolute paths") from None


def _kind(value: Any) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"


def check_instruction(text: str) -> str:
    """The words of a task without control characters.

    Raises UsageError if there are no words, or more than a task can have.
    """
    if len(check_text(text, "the task")) > INSTRUCTION_CHARACTERS:
        raise UsageError(f"the task has {len(text):,} characters; say it in {INSTRUCTION_CHARACTERS:,} or fewer")
    # Lone surrogates are bytes of the command line that are no text; controls would reach a shell, a model or a screen.
    clean = "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") else " " for c in text).strip()
    if not any(c.isalnum() for c in clean):
        fault = "holds no words" if any(unicodedata.category(c)[0] in "PS" for c in clean) else "is empty"
        raise UsageError(f'the task {fault}: say in words what to run, e.g. --task "train the model for 10 epochs"')
    return clean


def check_repository(path: str | os.PathLike[str]) -> Path:
    """The folder, absolute. Raises UsageError if it is none, cannot be read, or has nothing to read."""
    given, shown = check_path(path, "the repository"), os.fspath(path)
    try:
        folder = given.resolve(strict=True)
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
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise UsageError(f"the time limit must be a number of seconds, not {_kind(seconds)}")
    if not math.isfinite(seconds) or seconds <= 0:
        raise UsageError(f"the time limit is {seconds:g}; give seconds above zero")
    return seconds


def check_data(data: Any) -> tuple[str, ...]:
    """What --data names, as it is given."""
    if isinstance(data, str) or not isinstance(data, Iterable):
        raise UsageError(f"the data must be a list of PATH[:NAME], not {_kind(data)}")
    return tuple(check_text(os.fspath(one) if isinstance(one, os.PathLike) else one, "the data") for one in data)


def check_output(path: str | os.PathLike[str], repository: Path) -> Path:
    """The folder for what a run made, absolute; it need not exist, but it can be made and written to: that is tried.

    Raises UsageError if not, if it is a file or holds files, or if it stands in the repository, which is never written to.
    """
    folder, shown = check_path(path, "the output folder"), os.fspath(path)
    try:
        if folder.resolve().is_relative_to(repository):
            raise UsageError(f"the output folder {shown} stands in the repository; name one elsewhere")
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"the output folder {shown} is not empty; name a new one")
        _try_writing(folder)
    except (FileExistsError, NotADirectoryError):
        there = next(f for f in (folder, *folder.parents) if os.path.lexists(f))
        fault = "is a file; name a folder" if there.exists() else "is a link to nothing"
        raise UsageError(f"the output {shown} {fault}") from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot use the output folder {shown}: {reason}") from None
    return folder


def _try_writing(folder: Path) -> None:
    """Make a folder and a file in it; all that was made is removed again. Raises OSError."""
    import tempfile

    made: list[Path] = []
    try:
        for step in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
            step.mkdir()
            made.append(step)
        with tempfile.TemporaryFile(dir=folder):
            pass
    finally:
        for step in reversed(made):
            with suppress(OSError):  # another process may have put something there
                step.rmdir()


def check_trajectory(path: str | os.PathLike[str]) -> Path:
    """The file for the record of a run; it must be new. Raises UsageError."""
    file = check_path(path, "the trajectory")
    if os.path.lexists(file):
        raise UsageError(f"the trajectory {os.fspath(path)} is there already; name a new file")
    return file


def check_code(code: str) -> str:
    """A command line or a program to verify. Raises UsageError if it is empty or too long to be one."""
    if not check_text(code, "the code").strip():
        raise UsageError("there is nothing to check: give a command line or a .py file")
    if len(code) > CODE_CHARACTERS:
        raise UsageError(f"the code has {len(code):,} characters; at most {CODE_CHARACTERS:,} are checked")
    return code


def check_language(name: Any) -> Language:
    if name not in get_args(Language):
        raise UsageError(f"no such language: {name!r}; there are {', '.join(get_args(Language))}")
    language: Language = name
    return language


def code_file(text: str, repository: str | os.PathLike[str]) -> Path | None:
    """The .py file that stands in place of a command line, if `text` names one: seen from the folder that one works in.

    None for a command line. That is also a program of the repository that is started without an interpreter, as `./train.py`.
    """
    if not text.endswith(".py") or any(c.isspace() for c in text):
        return None
    file = Path(text)
    below = not file.is_absolute() and os.path.isfile(Path(repository, text))
    return None if below and not os.path.lexists(file) else file


def read_code(path: Path) -> str:
    """The program in a file. Raises UsageError if it cannot be read or is too long to be one."""
    try:
        return read_regular(path, CODE_BYTES).decode("utf-8-sig")
    except UsageError as error:
        raise UsageError(f"{error}; give a .py file or a whole command line") from None
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {path}: it is not UTF-8 text") from None


def read_regular(path: Path, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes; never waits for a pipe, never reads a device. Raises UsageError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UsageError(f"cannot read {path}: it is not a regular file")
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(limit + 1)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {error.strerror if isinstance(error, OSError) else error}") from None
    if len(data) > limit:
        raise UsageError(f"cannot read {path}: it has more than {limit:,} bytes")
    return data


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
