"""Command lines of made-up programs: how they are read, and what is wrong with one where another is wanted."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ml_agent.repo.shell import ShellCommand, parse
from ml_agent.task import Answer

_OPTION = re.compile(r"--?[A-Za-z]")
_PYTHON = re.compile(r"python[\d.]*")


@dataclass(frozen=True, slots=True)
class Syntax:
    """How the programs of a repository read their command lines, as far as that differs."""

    flags: frozenset[str] = frozenset()
    """Options that take no value; all others take one."""
    several: frozenset[str] = frozenset()
    """Options that take all words up to the next option."""
    short: Mapping[str, str] = field(default_factory=dict)
    """Short names of options, with the long ones."""
    launcher: frozenset[str] = frozenset()
    """Options that are read by what starts the program, and so stand in front of it."""
    assigned: bool = False
    """Options are `name=value`."""
    trailing: bool = False
    """Behind the first positional argument nothing is read as an option."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Options that need not be given if this is their value."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Syntax":
        parts: dict[str, Any] = {name: frozenset(value) if isinstance(value, list) else value for name, value in data.items()}
        return cls(**parts)


@dataclass(frozen=True, slots=True)
class CommandLine:
    folder: str
    """Where it is started, relative to the repository's root."""
    words: tuple[str, ...]
    """The program and its positional arguments; a script is relative to the root."""
    options: Mapping[str, str | None]
    """By their long names; None of a flag."""
    places: Mapping[str, int] = field(default_factory=dict)
    """How many of the words each option stands behind."""

    def setting(self, options: Mapping[str, str | None]) -> "CommandLine":
        """The same with these options as well, or in place of those of the same name."""
        return replace(self, options={**self.options, **options})


def read(code: str, folder: str, syntax: Syntax) -> CommandLine | None:
    """None unless it is a single command, beside `cd`, that is run as it stands."""
    commands = [each for each in parse(code).commands if each.words and each.words[0].text != "cd"]
    if len(commands) != 1:
        return None
    (command,) = commands
    if command.assignments or command.redirects or command.loops or command.cwd is None:
        return None
    return _read(command, posixpath.normpath(posixpath.join(folder, command.cwd)), syntax)


def _read(command: ShellCommand, folder: str, syntax: Syntax) -> CommandLine:
    plain: list[str] = []
    options: dict[str, str | None] = {}
    places: dict[str, int] = {}
    rest = [word.text for word in command.words]
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        name = syntax.short.get(name, name)
        if plain == ["python"] and word in ("-u", "-m"):  # read by the interpreter
            plain += [word] if word == "-m" else []
        elif _OPTION.match(word) or (syntax.assigned and equals):
            places[name] = len(plain)
            options[name] = value if equals else _value(name, rest, syntax)
        elif not plain:
            plain.append("python" if _PYTHON.fullmatch(word) else word)
        elif word.endswith(".py") and not any(each.endswith(".py") for each in plain):
            plain.append(posixpath.normpath(posixpath.join(folder, word)))
        else:
            plain.append(word)
    return CommandLine(folder, tuple(plain), options, places)


def _value(name: str, rest: list[str], syntax: Syntax) -> str | None:
    """Of an option, taken from the words behind it."""
    if name in syntax.flags:
        return None
    taken: list[str] = []
    while rest and not _OPTION.match(rest[0]) and (not taken or name in syntax.several):
        taken.append(rest.pop(0))
    return " ".join(taken)


def compare(wanted: CommandLine, given: CommandLine, program: int, syntax: Syntax) -> list[str]:
    """What is wrong with the latter; the first `program` words of a command line name the program."""
    if given.folder not in (".", wanted.folder) or given.words[:program] != wanted.words[:program]:
        return ["another program"]
    found = ["other arguments"] if given.words[program:] != wanted.words[program:] else []
    for name, value in wanted.options.items():
        if name not in given.options:
            found += [f"missing {name}"] if value is None or value != syntax.defaults.get(name) else []
        elif not _is_same(given.options[name], value):
            found.append(f"wrong {name}")
    found += [f"extra {name}" for name in given.options if name not in wanted.options]
    return found + [f"misplaced {name}" for name, place in given.places.items() if not _is_placed(name, place, program, syntax)]


def _is_placed(name: str, place: int, program: int, syntax: Syntax) -> bool:
    if name in syntax.launcher:
        return place == program - 1
    return place >= program and not (syntax.trailing and place > program)


def _is_same(given: str | None, wanted: str | None) -> bool:
    """A number may be written in another way, but a whole one stays one."""
    if given is None or wanted is None:
        return given is wanted
    try:
        return given == wanted or (not wanted.isdigit() and float(given) == float(wanted))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class WholeCommand:
    """A request for a command, right if all of it is; of several command lines, that which the answer is nearest to is wanted."""

    said: str
    wanted: tuple[CommandLine, ...]
    program: int
    """How many words of each name the program."""
    syntax: Syntax

    def problems(self, answer: Answer | None) -> list[str]:
        given = read(answer.code, answer.workdir, self.syntax) if answer and answer.language == "bash" else None
        if given is None:
            return ["not a single command"]
        return min((compare(each, given, self.program, self.syntax) for each in self.wanted), key=len)
