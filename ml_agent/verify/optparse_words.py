"""How optparse and getopt would take the words: asked of a real optparse parser with the program's options."""

import optparse
from collections.abc import Sequence
from typing import Any, NoReturn

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.reading import Argument, Given, Reading, finding

_ROUNDS = 30


class _Refused(Exception):
    """What optparse would print and exit with."""


class _HelpGiven(Exception):
    """The program answers and exits: what stands behind is never read."""


class _Parser(optparse.OptionParser):
    def error(self, msg: str) -> NoReturn:
        raise _Refused(msg)


def read_optparse(entry: EntryPoint, arguments: Sequence[Argument]) -> Reading:
    """Read the words; after each one that stops optparse, that one is taken out and it reads on."""
    reading = Reading()
    problems = []
    unknown: list[str] = []
    rest = [a.text for a in arguments]
    for _ in range(_ROUNDS):
        reading = Reading()
        parser = _parser(entry, reading)
        words = list(rest)
        try:
            _, plain = parser.parse_args(words)
            reading.extra = [] if any(o.positional for o in entry.options) else list(plain)
            break
        except _HelpGiven:
            reading.loose = True
            break
        except _Refused as refused:
            said = str(refused)
            name = _named(said)
            index = next((i for i, w in enumerate(rest) if name and _spells(w, name)), None)
            if said.startswith("no such option"):
                unknown.append(rest[index] if index is not None and rest[index].startswith("--") else name)
            else:
                option = entry.option(name)
                source = option.source if option is not None else None
                problems.append(finding(entry, "value", said, rest[index] if index is not None else name, source))
            if index is None:
                break
            rest = [*rest[:index], *_without(rest[index], name), *rest[index + 1 :]]
    reading.findings, reading.unknown = problems, unknown
    reading.loose = reading.loose or any(a.several for a in arguments)
    return reading


def _without(word: str, name: str) -> list[str]:
    """A cluster of letters without one of them."""
    if word.startswith("--") or len(word) <= 2:
        return []
    left = word.replace(name[1:], "", 1)
    return [left] if len(left) > 1 else []


def _named(message: str) -> str:
    """The option that a message of optparse is about."""
    return next((w.rstrip(":,") for w in message.split() if w.startswith("-")), "")


def _spells(word: str, name: str) -> bool:
    if word.startswith("--") or name.startswith("--"):
        return word.partition("=")[0] == name or (name.startswith(word.partition("=")[0]) and word.startswith("--") and len(word) > 2)
    return word.startswith("-") and name[1:] in word[1:]


def _parser(entry: EntryPoint, reading: Reading) -> _Parser:
    parser = _Parser(prog=entry.path.replace("%", "%%"), add_help_option=False, conflict_handler="resolve")
    if any(o.nargs == "..." for o in entry.options):
        parser.disable_interspersed_args()
    for number, option in enumerate(o for o in entry.options if not o.positional):
        width = int(option.nargs) if option.nargs and option.nargs.isdecimal() and len(option.nargs) < 4 else 1
        facts: dict[str, Any] = {"type": "string", "nargs": width} if option.takes_value else {}
        names = [a for a in option.aliases if (len(a) == 2 and a[1] != "-") or (a.startswith("--") and len(a) > 2)]
        if names:
            parser.add_option(*names, action="callback", callback=_note, callback_args=(option, reading), dest=f"o{number}", **facts)
    return parser


def _note(_: Any, spelled: str, value: Any, __: Any, option: Option, reading: Reading) -> None:
    if option.action == "help":
        raise _HelpGiven
    values = tuple(value) if isinstance(value, tuple) else () if value is None else (str(value),)
    reading.given.append(Given(option, values, " ".join((spelled, *values))))
