"""Find what ended a program in what it printed: its last traceback, or the last complaint of a shell or a loader."""

import re
from dataclasses import dataclass

_START = "Traceback (most recent call last):"
_EXCEPTION = re.compile(r"^((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?::\s?(.*))?$")
_FRAME = re.compile(r'^\s+File "([^"]+)", line \d+')
# Rank and time prefixes that launchers put before each line of a worker.
_PREFIX = re.compile(r"^(?:\[(?:rank)?\d+\]:\s?|\d+:\s)")
_COMPLAINT = re.compile(
    r"command not found$|: not found$|: No such file or directory$|cannot open shared object file|unable to resolve host"
    r"|Could not resolve host|No matching distribution found for|No module named [\w.']+\)?$"
)
# Raised by a launcher because a worker failed: the worker's own traceback stands above.
_LAUNCHERS = ("ChildFailedError", "CalledProcessError", "ProcessExitedException")
_ONE_LINE = ("ModuleNotFoundError", "FileNotFoundError")
_MESSAGE_LINES = 8
# A traceback that ended the program stands at the end; a launcher or an exit handler may add a line or two.
_LINES_AFTER = 3
_CHAINED = ("The above exception was the direct cause", "During handling of the above exception")


@dataclass(frozen=True, slots=True)
class LastWords:
    """How a failure ended."""

    line: str
    """The exception with its message, or the complaint; one line, or the message's few."""
    kind: str
    """Last part of the exception's name; '' for a complaint that is no traceback."""
    chain: str = ""
    """The messages of the exceptions that led to this one, it included."""
    source: str = ""
    """The statement of the repository's or the library's code that the last frame shows."""
    in_subprocess: bool = False
    """Whether it was raised on starting another program."""


def find_last_words(text: str) -> LastWords | None:
    """The last words in `text`; None if it holds no sign of a failure that is known here."""
    lines = [_PREFIX.sub("", line) for line in text[-200_000:].splitlines()]
    starts = [index for index, line in enumerate(lines) if line.strip() == _START or line.endswith(_START)]
    complaint = _complaint(lines, starts[-1] if starts else 0)
    if not starts:
        return complaint
    traceback = _traceback(lines, starts)
    # A shell's complaint after a traceback is what ended a script that went on after the failure of one program.
    return complaint if complaint is not None and traceback is None else traceback


def _traceback(lines: list[str], starts: list[int]) -> LastWords | None:
    for position in range(len(starts) - 1, -1, -1):
        last = starts[position]
        ending = _exception(lines, last)
        if ending is None:
            return None
        kind, message, end = ending
        if kind not in _LAUNCHERS or position == 0:
            break
    if position == len(starts) - 1:
        written = 1 if kind in _ONE_LINE else message.count("\n") + 1
        after = [line for line in lines[end + written :] if line.strip()]
        if len(after) > _LINES_AFTER:
            return None
    chain, first = [message], last
    for start in reversed(starts[:position]):
        between = [line for line in lines[start:first] if line.strip()]
        if not between or not between[-1].strip().startswith(_CHAINED):
            break
        earlier = _exception(lines, start)
        if earlier is not None:
            chain.insert(0, earlier[1])
        first = start
    frames = [index for index in range(last, end) if _FRAME.match(lines[index])]
    source, in_subprocess = "", False
    if frames:
        # The repository's own frames stand before the library's: what it asked for is told by any of the last three.
        source = "\n".join(lines[index + 1].strip() for index in frames[-3:] if index + 1 < end)
        in_subprocess = "subprocess.py" in lines[frames[-1]]
    return LastWords(message, kind, "\n".join(chain), source, in_subprocess)


def _exception(lines: list[str], start: int) -> tuple[str, str, int] | None:
    """Kind, message and line number of the exception that the traceback at `start` ends with."""
    indent = len(lines[start]) - len(lines[start].lstrip())
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if not line.strip() or len(line) - len(line.lstrip()) > indent:
            continue
        match = _EXCEPTION.match(line.strip())
        if match is None:
            return None
        message = [line.strip()]
        for more in lines[index + 1 : index + _MESSAGE_LINES]:
            if not more.strip() or more.strip() == _START or more.strip().startswith(_CHAINED):
                break
            message.append(more.strip())
        return match[1].rpartition(".")[2], "\n".join(message), index
    return None


def _complaint(lines: list[str], after: int) -> LastWords | None:
    """Among the last few lines only: what stands further up did not end the program."""
    said = [line.strip() for line in lines[after:] if line.strip()][-5:]
    for line in reversed(said):
        if _COMPLAINT.search(line):
            return LastWords(line, "", "\n".join(lines[-20:]))
    return None
