"""The words behind a program's name, as options with their values and as positional arguments."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import levels_of

_OPTION = re.compile(r"--?[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Words:
    options: Mapping[str, tuple[str, ...]]
    """One spelling for each option -> its values. Of an option that is given again the last values count."""
    positionals: tuple[str, ...]
    spelled: Mapping[str, str]
    """The one spelling -> as it was given."""
    command: str | None = None
    """The sub-command that is run, if the program is known to have some."""


def read_words(words: Sequence[str], entry: EntryPoint | None) -> Words:
    """Without knowledge of the program all words up to the next option are the option's."""
    options: dict[str, list[str]] = {}
    spelled: dict[str, str] = {}
    positionals: list[str] = []
    values, room = positionals, 0
    command = entry.command_of(words) if entry is not None else None
    for place, word in enumerate(words):
        if word == "--":
            positionals += words[place + 1 :]
            break
        if _OPTION.match(word):
            name, equals, value = word.partition("=")
            option = entry.option(name, command) if entry is not None else None
            one = canonical(name, option)
            spelled[one] = name
            options[one] = values = [value] if equals else []
            room = 0 if equals else _room(option)
        elif room > 0:
            values.append(word)
            room -= 1
        else:
            positionals.append(word)
    if entry is not None and entry.flag_style == "fire":
        positionals = _named_by_place(positionals, entry, command, options, spelled)
    return Words({name: tuple(given) for name, given in options.items()}, tuple(positionals), spelled, command)


def _named_by_place(
    words: Sequence[str], entry: EntryPoint, command: str | None, options: dict[str, list[str]], spelled: dict[str, str]
) -> list[str]:
    """Fire takes each parameter by its place, too: put the words behind the last sub-command into `options`; those left."""
    start = len(levels_of(command))
    rest = list(words[start:])
    for option in (o for o in entry.options if o.command == command and not o.positional and o.takes_value):
        one = canonical(option.name, option)
        if one not in options and rest:
            options[one], spelled[one] = [rest.pop(0)], option.name
    return [*words[:start], *rest]


def canonical(name: str, option: Option | None) -> str:
    """One spelling for all that say the same: `--no-x` does not say what `--x` says."""
    if option is None or not option.aliases:
        return name
    denied = _denied(option.aliases)
    return min(a for a in option.aliases if (a in denied) == (name in denied))


def _denied(aliases: Sequence[str]) -> set[str]:
    bare = {a.lstrip("-") for a in aliases}
    return {a for a in aliases if (found := re.match(r"--no-?(?=.)", a)) and a[found.end() :] in bare}


def _room(option: Option | None) -> int:
    """How many words behind the option are its values, at most."""
    if option is None:
        return 1_000_000
    if not option.takes_value:
        return 0
    if option.nargs is None or option.nargs == "?":
        return 1
    return int(option.nargs) if option.nargs.isdigit() else 1_000_000
