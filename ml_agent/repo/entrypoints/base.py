"""What one can run in a repository, and the options each program takes: the data, whatever framework it came from."""

from dataclasses import dataclass
from typing import Literal

Action = Literal["store", "flag", "append", "count", "help"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option or positional argument of a program."""

    name: str
    """As it is documented: `--num-stacks`; a positional has no dash. The longest spelling if there are several."""
    aliases: tuple[str, ...]
    """All spellings that the program takes, `name` among them; for a positional just its name."""
    source: str
    """`path:line` of its definition, the path relative to the repository's root."""
    type: str | None = None
    """`int`, `float`, `str`, `bool`, or the name of the converting function as it stands in the program."""
    default: str | None = None
    """The default as source text (`0.01`, `'cora'`, `None`); None if there is none or it could not be read."""
    choices: tuple[str, ...] | None = None
    nargs: str | None = None
    """`?`, `*`, `+`, or a number as text; None for exactly one value (or none, if `action` is a flag)."""
    required: bool = False
    help: str = ""
    action: Action = "store"
    group: str | None = None
    """Options of one mutually exclusive group share this name."""

    @property
    def positional(self) -> bool:
        return not self.name.startswith("-")

    @property
    def takes_value(self) -> bool:
        return self.action in ("store", "append")


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One program that can be run."""

    path: str
    """The file, relative to the repository's root, with forward slashes."""
    kind: str
    """The reader that understood it: `argparse`, `shell`, `absl`, `plain` (a script that takes no options)."""
    run: tuple[str, ...]
    """How it is started from the repository's root, e.g. ("python", "train.py"), ("python", "-m", "pkg.train")."""
    options: tuple[Option, ...] = ()
    description: str = ""
    line: int = 1
    """Where the parser is made, or 1."""
    open_ended: bool = False
    """It may take options that are not listed (parse_known_args, names built at run time). A finding about an
    unknown option is then no more than a warning."""
    prefixes: bool = True
    """An unambiguous prefix of a long option is taken for it (argparse's default)."""
    flag_style: Literal["gnu", "absl"] = "gnu"
    """`absl` also takes one dash for a long name, and `--noNAME` for a boolean."""
    unread: tuple[str, ...] = ()
    """What could not be read, each with `path:line`; never guessed."""

    def option(self, spelling: str) -> Option | None:
        """The option that is spelled so, exactly."""
        return next((o for o in self.options if spelling in o.aliases), None)
