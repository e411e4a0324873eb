"""What verification has to say about an answer."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "syntax",  # it does not parse
    "folder",  # the folder to run from does not exist
    "program",  # the program does not exist from that folder
    "option",  # the program takes no such option
    "value",  # the value does not fit the option's type, choices or count
    "missing",  # a required option or argument is not given
    "positional",  # a positional argument too many
    "import",  # the repository has no such module or name
    "signature",  # the call does not fit the definition
    "name",  # a Python program reads a name that nothing binds
    "placeholder",  # a word that stands for something that must be put in
    "file",  # a file named in the answer is not there
    "nothing",  # nothing of the repository is run or used
    "unplaced",  # the task asks for it, and the answer has it nowhere
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with an answer, or may be."""

    kind: Kind
    message: str
    """One sentence."""
    place: str
    """The words of the answer that it is about."""
    source: str | None = None
    """`path:line` in the repository that proves it."""
    suggestion: str | None = None
    """The nearest thing that would be right, as it would stand in the answer."""
    severity: Literal["error", "warning"] = "error"
    """Only an error makes an answer impossible; a warning is for what may still turn out right at run time."""


@dataclass(frozen=True, slots=True)
class Check:
    """The verdict over one answer."""

    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        return not any(f.severity == "error" for f in self.findings)
