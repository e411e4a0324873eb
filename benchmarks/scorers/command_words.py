"""The words behind a program's name, as options with their values and as positional arguments."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ml_agent.repo.entrypoints import EntryPoint, Option

_OPTION = re.compile(r"--?[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Words:
    options: Mapping[str, tuple[str, ...]]
    """One spelling for each option -> its values. Of an option that is given again the last values count."""
    positionals: tuple[str, ...]
    spelled: Mapping[str, str]
    """The one spelling -> as it was given."""


def read_words(words: Sequence[str], entry: EntryPoint | None) -> Words:
    """Without knowledge of the program all words up to the next option are the option's."""
    options: dict[str, list[str]] = {}
    spelled: dict[str, str] = {}
    positionals: list[str] = []
    values, room = positionals, 0
    for place, word in enumerate(words):
        if word == "--":
            positionals += words[place + 1 :]
            break
        if _OPTION.match(word):
            name, equals, value = word.partition("=")
            option = entry.option(name) if entry is not None else None
            one = canonical(name, option)
            spelled[one] = name
            options[one] = values = [value] if equals else []
            room = 0 if equals else _room(option)
        elif room > 0:
            values.append(word)
            room -= 1
        else:
            positionals.append(word)
    return Words({name: tuple(given) for name, given in options.items()}, tuple(positionals), spelled)


def canonical(name: str, option: Option | None) -> str:
    return min(option.aliases) if option is not None and option.aliases else name


def _room(option: Option | None) -> int:
    """How many words behind the option are its values, at most."""
    if option is None:
        return 1_000_000
    if not option.takes_value:
        return 0
    if option.nargs is None or option.nargs == "?":
        return 1
    return int(option.nargs) if option.nargs.isdigit() else 1_000_000
