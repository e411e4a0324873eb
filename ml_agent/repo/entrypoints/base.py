"""What one can run in a repository, and the options each program takes: the data, whatever framework it came from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ONE_NEEDED = " (one is required)"
"""Ends the name of a mutually exclusive group of which one option has to be given."""

Action = Literal["store", "flag", "append", "count", "help"]
Style = Literal["gnu", "absl", "click", "optparse", "fire", "assign", "hydra", "docopt", "make", "papermill"]
"""How the words of a command line are read; each has its own reading in `ml_agent.verify`."""


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
    """`?`, `*`, `+`, or a number as text; None for exactly one value (or none, if `action` is a flag). `A...`: it names a
    sub-command, which takes all words behind it."""
    required: bool = False
    help: str = ""
    action: Action = "store"
    group: str | None = None
    """Options of one mutually exclusive group share this name; ONE_NEEDED ends it if one of them has to be given."""
    command: str | None = None
    """The sub-command that it belongs to (`remote add` if it is one of another); None: the program's own."""
    lenient: bool = False
    """Though it is required, the program starts without it (a shell takes a `$1` that is not given for empty)."""
    assigned: bool = False
    """It is given in one word, `NAME=VALUE`, where the name may have dots (`model.lr=0.1`), and is no positional argument."""
    bounds: str = ""
    """Between which numbers its value must be: `x>=0`, `0<=x<1`; empty if that is not said."""
    compared: tuple[str, ...] = ()
    """Values that the program's code asks for, or that the help lists, where it declares no choices: it may take others too."""

    @property
    def positional(self) -> bool:
        return not self.assigned and not self.name.startswith("-")

    @property
    def takes_value(self) -> bool:
        return self.action in ("store", "append")

    @property
    def fixed_count(self) -> int | None:
        """How many values it takes, where that is one number."""
        return int(self.nargs) if self.nargs and self.nargs.isdecimal() and len(self.nargs) < 4 else None

    @property
    def selects(self) -> bool:
        """It takes the name of a sub-command: one of its choices, if those could be read."""
        return self.positional and self.nargs == "A..."


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One program that can be run."""

    path: str
    """The file, relative to the repository's root, with forward slashes."""
    kind: str
    """The reader that understood it: `argparse`, `click`, `hydra`, `shell`, ...; `plain` is a script that takes no options."""
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
    flag_style: Style = "gnu"
    """`gnu` is argparse's. `absl` also takes one dash for a long name, and `--noNAME` for a boolean; `click` knows no prefixes and
    wants a group's options before its sub-command; `optparse` is getopt's too; `fire` takes each parameter by place as well;
    `assign` is `NAME=VALUE` for names that the program has, `hydra` the same with `+NAME=VALUE`, `~NAME` and its own flags."""
    unread: tuple[str, ...] = ()
    """What could not be read, each with `path:line`; never guessed."""
    command_aliases: tuple[tuple[str, str], ...] = ()
    """Other names of sub-commands, each with the name under which the options stand: (`rm`, `remove`), (`remote rm`, `remote remove`)."""

    default_command: str | None = None
    """The sub-command that is run where the first word is none of them, and no help is asked for."""
    command_help: tuple[tuple[str, str], ...] = ()
    """What a sub-command does, in a sentence, by the name under which its options stand."""
    usage: str = ""
    """The program's own usage text, where that is what reads its command line (docopt)."""
    closed: tuple[str, ...] = ()
    """Sub-commands of an open-ended program whose own options are all known."""
    settings: tuple[tuple[str, tuple[Option, ...]], ...] = ()
    """Options by name whose value holds settings (`--hparams '{"lr": 0.1}'`), each with those that the program defines for it."""
    environment: tuple[Option, ...] = ()
    """Variables that it is told what to do by, set in front of the command: `TAG=x bash run.sh`. Each is `assigned`."""

    def is_open(self, command: str | None) -> bool:
        """Whether a command line that runs this sub-command may give options that are not listed."""
        return self.open_ended and command not in self.closed

    def options_of(self, command: str | None) -> tuple[Option, ...]:
        """The program's own options and those of one sub-command and of what it belongs to; all that one command line may give."""
        levels = {None, *levels_of(command)}
        return tuple(o for o in self.options if o.command in levels)

    def command_of(self, words: Sequence[str]) -> str | None:
        """The sub-command that these arguments run; None if they name none and there is no default."""
        level: str | None = None
        names = dict(self.command_aliases)
        for word in self.with_default_command(words):
            selector = next((o for o in self.options if o.selects and o.command == level), None)
            if selector is None:
                break
            if word in (selector.choices or ()):
                named = join_command(level, word)
                level = names.get(named, named)
        return level

    def with_default_command(self, words: Sequence[str]) -> list[str]:
        """The arguments as the program sees them, with the sub-command in front that it puts there where none is given."""
        if self.default_command is None or not words or words[0] in ("-h", "--help"):
            return list(words)
        given = any(words[0] in (o.choices or ()) for o in self.options if o.selects and o.command is None)
        return list(words) if given else [self.default_command, *words]

    def option(self, spelling: str, command: str | None = None) -> Option | None:
        """The option that is spelled so, exactly: that of the sub-command given, else the program's own, else that of any."""
        found = [o for o in self.options if spelling in o.aliases]
        levels: list[str | None] = [*reversed(levels_of(command)), None]
        if command is not None:
            found = [o for o in found if o.command in levels]
        return min(found, key=lambda o: levels.index(o.command) if o.command in levels else len(levels), default=None)


def join_command(outer: str | None, name: str) -> str:
    """A sub-command of `outer` as `Option.command` writes it."""
    return name if outer is None else f"{outer} {name}"


def levels_of(command: str | None) -> list[str]:
    """`remote add` -> `remote`, `remote add`."""
    parts = command.split(" ") if command is not None else []
    return [" ".join(parts[: n + 1]) for n in range(len(parts))]
