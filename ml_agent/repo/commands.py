"""Documented commands: each command line in READMEs, docs and shell scripts, joined to the program that it runs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """One documented command that runs a program of the repository."""

    words: tuple[str, ...]
    """All words, as written after variables were resolved; quotes removed. A variable without a known value stays `$NAME`."""
    target: str
    """The program's file, relative to the repository's root."""
    target_index: int
    """Which word names the program; the words after it are the program's own."""
    workdir: str
    """The folder that it runs from, relative to the root."""
    source: str
    """`path:line` of the command's first line."""
    headings: tuple[str, ...] = ()
    intro: str = ""
    text: str = ""
    """The command as it stands in the file, continuation lines joined."""
    environment: tuple[tuple[str, str], ...] = ()
    """Assignments in front of the command itself (`CUDA_VISIBLE_DEVICES=0 python ...`)."""
    variables: tuple[str, ...] = ()
    """Names of `$NAME` variables that the words still hold."""
    loops: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Loop variables around the command with the values they take; the first value is in `words`."""

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.words[self.target_index + 1 :]
