"""How a program would take the words of its command line: the data that each way of reading them gives."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.shell import Word
from ml_agent.verify.findings import Finding, Kind
from ml_agent.verify.placeholders import ELLIPSIS, is_placeholder


@dataclass(frozen=True, slots=True)
class Given:
    """One option or positional argument as it was given."""

    option: Option
    values: tuple[str, ...]
    place: str
    """The words of the answer."""


@dataclass(slots=True)
class Reading:
    given: list[Given] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    """Words that look like options and are none of the program's."""
    extra: list[str] = field(default_factory=list)
    """Positional arguments that no one takes."""
    findings: list[Finding] = field(default_factory=list)
    """What stopped the program's own parser."""
    command: str | None = None
    """The sub-command that the words run, as `Option.command` writes it."""
    unsure: bool = False
    """The words make the program read settings that are not known here."""
    loose: bool = False
    """The number of words is not known (`$ARGS`, `*.txt`), so nothing can be said of what is missing or too many."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One word behind the program's name."""

    text: str
    open: bool
    """Only a run can tell its value: it is never judged."""
    several: bool
    """It may turn into any number of words."""


def arguments_of(words: Sequence[Word], stand_ins: Collection[str] = ()) -> tuple[Argument, ...]:
    """The words as a program gets them. Those that hold one of `stand_ins`, which are known to be placeholders, are open."""
    found = []
    for word in words:
        quoted = word.raw[:1] in "\"'"
        pattern = not quoted and any(c in word.raw for c in "*?[") and "=" not in word.raw
        whole = word.dynamic and not quoted and word.raw.startswith(("$", "`"))
        if is_placeholder(word.text) or any(s in word.text for s in stand_ins):
            found.append(Argument(word.text, True, word.text in ELLIPSIS))
            continue
        several = pattern or whole or (word.dynamic and ("$@" in word.raw or "[@]" in word.raw))
        found.append(Argument(word.text, word.dynamic or pattern, several))
    return tuple(found)


def finding(
    entry: EntryPoint, kind: Kind, message: str, place: str, source: str | None = None, suggestion: str | None = None, *, sure: bool = True
) -> Finding:
    """A finding about the program's command line; a warning unless it is sure."""
    return Finding(kind, message, place, source or f"{entry.path}:{entry.line}", suggestion, "error" if sure else "warning")


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
