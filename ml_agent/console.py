"""What a person sees: plain lines when piped, colours and a status line on a terminal.

Everything that comes from a repository, a task or a policy is foreign text: it is never taken for markup, and its control characters
are shown, not sent.
"""

import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TextIO

from ml_agent.errors import InfrastructureError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Segment = tuple[str, str]
"""A text and its rich style; the style is empty for none."""

_INDENT = "    "


def safe(text: str, *, lines: bool = False) -> str:
    """`text` with each character that a terminal would obey written as an escape.

    Kept: the tab, and with `lines` the newline.
    """
    return "".join(c if c == "\t" or (lines and c == "\n") or not _obeyed(c) else _escape(c) for c in text)


def _obeyed(c: str) -> bool:
    # Cf holds what turns the direction of text or hides; the joiners of scripts and emoji are harmless.
    return unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in "\u200c\u200d"


def _escape(c: str) -> str:
    return c.encode("unicode_escape", "backslashreplace").decode("ascii")


class Screen:
    """Writes to one stream. On a terminal through rich, else as plain text without importing it."""

    def __init__(self, stream: TextIO | None = None, *, rich: "Console | None" = None) -> None:
        self._stream = stream if stream is not None else sys.stdout
        if rich is None and self._stream.isatty():
            from rich.console import Console

            rich = Console(file=self._stream, highlight=False, markup=False, emoji=False)
        self._rich = rich
        self.arrow = "←" if self._takes("←") else "<-"
        self.dot = "·" if self._takes("·") else "-"

    @property
    def width(self) -> int | None:
        """Columns of the terminal; None if the output is piped and must not be wrapped."""
        return self._rich.width if self._rich else None

    def line(self, *segments: Segment) -> None:
        """One line. The texts must be `safe` already or the program's own."""
        if self._rich is None:
            print("".join(text for text, _ in segments).rstrip(), file=self._stream)
            return
        from rich.text import Text

        text = Text()
        for part, style in segments:
            text.append(part, style or None)
        self._rich.print(text, soft_wrap=True)

    def code(self, code: str, language: str, *, indent: str = "") -> None:
        """Foreign code, highlighted on a terminal; nothing is padded, so it can be copied."""
        shown = safe(code, lines=True).rstrip("\n")
        if self.width and language == "bash":
            shown = continued(shown, self.width - len(indent))
        if indent:
            shown = "\n".join(indent + line if line else line for line in shown.split("\n"))
        if self._rich is None:
            print(shown, file=self._stream)
        else:
            self._rich.print(_highlighted(shown, language), soft_wrap=True)

    def block(self, text: str, style: str = "", *, indent: str = _INDENT) -> None:
        """Foreign text of several lines, indented."""
        for line in safe(text, lines=True).rstrip("\n").split("\n"):
            self.line((indent + line, style))

    def _takes(self, text: str) -> bool:
        try:
            text.encode(self._stream.encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return False
        return True


_COMMAND_STYLES = {
    r"(?<!\S)--?[A-Za-z][\w-]*": "cyan",
    r"'[^']*'|\"[^\"]*\"": "green",
    r"&&|\|\|?|;|\\$": "magenta",
}


def _highlighted(code: str, language: str) -> "Text":
    if language == "bash":  # a lexer for scripts colours half of `0.01`
        from rich.text import Text

        text = Text(code)
        for pattern, style in _COMMAND_STYLES.items():
            text.highlight_regex(re.compile(pattern, re.MULTILINE), style)
        return text
    from rich.syntax import Syntax

    text = Syntax(code, language, theme="ansi_dark", background_color="default").highlight(code)
    text.rstrip()  # highlight() ends the code with a newline
    return text


_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""")


def continued(command: str, width: int) -> str:
    """A long command line broken with ` \\` so that it fits and can still be copied; an option stays with its value.

    What is more than one simple line is returned as it is.
    """
    if len(command) <= width or re.search(r"[\n#`]|<<|\$\(", command):
        return command
    words = _WORD.findall(command)
    if " ".join(words) != command:
        return command
    units: list[str] = []
    for word in words:
        belongs = units and units[-1].startswith("-") and " " not in units[-1] and not word.startswith("-")
        if belongs:
            units[-1] += " " + word
        else:
            units.append(word)
    lines = [units[0]]
    for unit in units[1:]:
        if len(lines[-1]) + 1 + len(unit) + 2 <= width:
            lines[-1] += " " + unit
        else:
            lines.append(_INDENT + unit)
    return " \\\n".join(lines)


class Status(Protocol):
    """A line that says what is being done."""

    def update(self, text: str) -> None: ...


class _Silent:
    def update(self, text: str) -> None:
        pass


class _Live:
    """rich's spinner on standard error."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console

        console = Console(file=stream, highlight=False, markup=False, emoji=False)
        self._status = console.status(self._text("starting"), spinner="dots", refresh_per_second=8)

    @staticmethod
    def _text(text: str) -> "Text":
        from rich.text import Text

        return Text(safe(text), style="dim", overflow="ellipsis", no_wrap=True)

    def update(self, text: str) -> None:
        self._status.update(self._text(text))

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._status.stop()


@contextmanager
def status(stream: TextIO | None = None) -> Iterator[Status]:
    """A live line on a terminal, removed at the end; nothing where `stream` (standard error) is none."""
    out = stream if stream is not None else sys.stderr
    if not out.isatty():
        yield _Silent()
        return
    with _Live(out) as live:
        yield live


def tolerant(*streams: Any) -> None:
    """Characters that a stream's encoding lacks are written as escapes, so that no output can fail on them."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def open_streams() -> None:
    """Make the standard streams fit for whatever is printed.

    One that the caller closed becomes /dev/null: else the next file that is opened would get its number, and the output with it.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115 - it lives as long as the process
    tolerant(sys.stdout, sys.stderr)


@contextmanager
def written(stream: TextIO | None = None) -> Iterator[None]:
    """What is printed inside to `stream` (standard output) has left this process at the end.

    Raises BrokenPipeError if the reader is gone and InfrastructureError if it cannot be written for another reason. The stream is
    then /dev/null, so that what is still in its buffer does not complain once more at exit.
    """
    out = stream if stream is not None else sys.stdout
    try:
        try:
            yield
        finally:
            out.flush()
    except BrokenPipeError:
        _silence(out)
        raise
    except OSError as error:
        _silence(out)
        raise InfrastructureError(f"cannot write the output: {error.strerror or error}") from error


@contextmanager
def written_if_possible(stream: TextIO) -> Iterator[None]:
    """As `written`, for what may be lost without harm."""
    with suppress(BrokenPipeError, InfrastructureError), written(stream):
        yield


def say(text: str, *, lines: bool = False) -> None:
    """Foreign text as one line on standard error (or, with `lines`, several), if that can be written."""
    with written_if_possible(sys.stderr):
        print(safe(text, lines=lines), file=sys.stderr)


def _silence(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # a stream in memory has no descriptor
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
        stream.flush()
