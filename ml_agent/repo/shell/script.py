"""What reading a shell script gives: its simple commands with the state that each runs in."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ml_agent.repo.shell.words import Word


@dataclass(frozen=True, slots=True)
class Redirect:
    operator: str
    """`>`, `2>`, `>>`, `<`, `<<<`, `<<`, ..."""
    target: str
    """Quotes removed; of a here-document its delimiter."""


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One simple command."""

    words: tuple[Word, ...]
    line: int
    """Of its first word or assignment, from 1."""
    start: int
    """Offset in bytes of the script's UTF-8 text; `end` likewise, exclusive."""
    end: int
    text: str
    """As written, continuation lines joined, redirects left out unless they stand between its words."""
    assignments: tuple[tuple[str, str], ...] = ()
    """In front of the command: name and value."""
    cwd: str | None = "."
    """The folder it runs in, relative to where the script was started (or absolute if a `cd` was); None if not known."""
    loops: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Variables of the loops around it with all their values, outermost first; the first value is in `words`."""
    redirects: tuple[Redirect, ...] = ()
    pipeline: int = 0
    """Its position in its pipeline, from 0."""


@dataclass(frozen=True, slots=True)
class Script:
    commands: tuple[ShellCommand, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    """Values known at the end of the script; elements of an array are joined by blanks."""
    cwd: str | None = "."
    """The folder that it ends in; see `ShellCommand.cwd`."""
    errors: tuple[tuple[int, str], ...] = ()
    """Line from 1, and what could not be read there."""
