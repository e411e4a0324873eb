"""From the watcher's record to the argument vectors that programs of the repository received.

A start counts if it is what it looks like: by the interpreter's own name, from the folders that were on PATH, with no option or variable
that would have other code run in the program's place, with all code of the repository as it was and no new code beside it; and if it ended
with exit code 0, its code still unchanged, or was running when time was up.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Vector = tuple[str, ...]

_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?")
_SHELL = frozenset({"bash", "sh", "dash"})
_PYTHON_FLAGS = re.compile(r"-[uBOEsSIPqb]+")
_SHELL_FLAGS = re.compile(r"-[euxv]+")
_SHELL_SETTINGS = frozenset({"errexit", "nounset", "pipefail", "xtrace", "verbose"})
_STEERING = re.compile(r"PATH|HOME|LD_.*|GCONV_PATH|GLIBC_.*|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PYTHON.*|VIRTUAL_ENV")
"""Variables by which other code can be had run in a program's place."""
_HARMLESS = frozenset({"PYTHONUNBUFFERED", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONFAULTHANDLER", "PYTHONWARNINGS"})


def read_record(text: str) -> list[Mapping[str, Any]]:
    """The record's events; a torn last line is dropped."""
    events: list[Mapping[str, Any]] = []
    for line in text.split("\n")[:-1]:
        try:
            event = json.loads(line)
        except ValueError:
            break
        if isinstance(event, dict):
            events.append(event)
    return events


def received_in(events: Sequence[Mapping[str, Any]], *, stopped: bool) -> tuple[Vector, ...] | None:
    """(program relative to the repository's root, argument, ...) for each start that counts, in order. None without a start of the record.

    `stopped`: time was up; then programs that had not ended count as well.
    """
    if not events or events[0].get("event") != "start":
        return None
    root, before = str(events[0]["root"]), _variables(events[0]["env"])
    running: dict[int, tuple[int, Vector]] = {}
    counted: dict[int, Vector] = {}
    for place, event in enumerate(events):
        pid = int(event.get("pid", 0))
        if event["event"] in ("exec", "other", "unread"):
            running.pop(pid, None)
            if event["event"] == "exec" and (vector := _vector(event, root, before)) is not None:
                running[pid] = (place, vector)
        elif event["event"] == "exit" and pid in running:
            started, vector = running.pop(pid)
            if event["status"] == 0 and not event["changed"]:
                counted[started] = vector
    if stopped:
        counted.update(running.values())
    return tuple(vector for _, vector in sorted(counted.items()))


def _variables(words: Iterable[str]) -> dict[str, str]:
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _vector(event: Mapping[str, Any], root: str, before: Mapping[str, str]) -> Vector | None:
    words, folder = [str(word) for word in event["argv"]], str(event["cwd"])
    if not words or event["changed"] or not _is_itself(words[0], before) or _is_steered(_variables(event["env"]), before, root, folder):
        return None
    name = posixpath.basename(words[0])
    index = _python_program(words) if _PYTHON.fullmatch(name) else _shell_program(words)
    if index is None:
        return None
    program = words[index] if words[index - 1] != "-m" or name in _SHELL else words[index].replace(".", "/") + ".py"
    path = posixpath.normpath(posixpath.join(folder, program))
    return (path[len(root) + 1 :], *words[index + 1 :]) if path.startswith(root + "/") else None


def _is_itself(word: str, before: Mapping[str, str]) -> bool:
    """Whether an interpreter is started under its own name. Python looks for its library beside the path that it is called by."""
    folder, name = posixpath.split(word)
    if not _PYTHON.fullmatch(name) and name not in _SHELL:
        return False
    return not folder or folder in (*before.get("PATH", "").split(":"), "/bin", "/usr/bin")


def _is_steered(now: Mapping[str, str], before: Mapping[str, str], root: str, folder: str) -> bool:
    for name in now.keys() | before.keys():
        if now.get(name) == before.get(name) or not _STEERING.fullmatch(name) or name in _HARMLESS:
            continue
        if name == "PYTHONPATH" and all(_is_inside(entry, root, folder) for entry in now.get(name, "").split(":")):
            continue  # the code there is the repository's, and unchanged
        return True
    return False


def _is_inside(entry: str, root: str, folder: str) -> bool:
    path = posixpath.normpath(posixpath.join(folder, entry))
    return path == root or path.startswith(root + "/")


def _python_program(words: Sequence[str]) -> int | None:
    index = 1
    while index < len(words) and words[index].startswith("-"):
        if words[index] == "-m":
            return index + 1 if index + 1 < len(words) and re.fullmatch(r"\w+(\.\w+)*", words[index + 1]) else None
        if words[index] == "-W":
            index += 2
        elif _PYTHON_FLAGS.fullmatch(words[index]):
            index += 1
        else:
            return None
    return index if index < len(words) and words[index] else None


def _shell_program(words: Sequence[str]) -> int | None:
    index = 1
    while index < len(words) and words[index][:1] in ("-", "+"):
        if words[index] == "-o" and index + 1 < len(words) and words[index + 1] in _SHELL_SETTINGS:
            index += 2
        elif _SHELL_FLAGS.fullmatch(words[index]):
            index += 1
        else:
            return None
    return index if index < len(words) and words[index] else None
