"""How click (and typer) would take the words: no prefixes of options, a group's own options before its sub-command."""

from collections.abc import Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import join_command
from ml_agent.verify.reading import Argument, Given, Reading, finding

_BOOLEAN = frozenset("1 0 true false t f yes no y n on off".split())


def read_click(entry: EntryPoint, arguments: Sequence[Argument]) -> Reading:
    reading = Reading(loose=any(a.several for a in arguments))
    rest = [a.text for a in arguments]
    level: str | None = None
    for _ in range(len(rest) + 1):
        selector = next((o for o in entry.options if o.command == level and o.selects), None)
        before = len(reading.given)
        rest = _Level(entry, level, reading, interspersed=selector is None).read(rest)
        if any(g.option.action == "help" for g in reading.given[before:]):
            # It is shown once the words of this level are told apart: their values are not looked at, and nothing is missing.
            reading.loose = True
            del reading.given[before:]
            break
        if selector is None:
            reading.extra.extend(rest)
            break
        if not rest:
            break
        name, *rest = rest
        reading.given.append(Given(selector, (name,), name))
        if name not in (selector.choices or ()):
            reading.loose = True
            break
        path = join_command(level, name)
        level = reading.command = dict(entry.command_aliases).get(path, path)
    return reading


class _Level:
    """The program itself, or one of its commands."""

    def __init__(self, entry: EntryPoint, command: str | None, reading: Reading, *, interspersed: bool) -> None:
        self._entry, self._reading, self._interspersed = entry, reading, interspersed
        self._options = {a: o for o in entry.options if o.command == command and not o.positional for a in o.aliases}
        self._positionals = [o for o in entry.options if o.command == command and o.positional and not o.selects]

    def read(self, words: list[str]) -> list[str]:
        """Take the words of this level; those left for the command below it, or too many."""
        plain: list[str] = []
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word == "--":
                break
            if word.startswith("-") and len(word) > 1:
                rest = self._option(word, rest)
            elif self._interspersed:
                plain.append(word)
            else:
                rest.insert(0, word)
                break
        return self._place([*plain, *rest])

    def _option(self, word: str, rest: list[str]) -> list[str]:
        name, equals, value = word.partition("=")
        option = self._options.get(name)
        if option is not None:
            return self._long(option, name, value if equals else None, rest)
        if word.startswith("--") or self._options.get(word[:2]) is None:
            self._reading.unknown.append(word)
            return rest
        for position, letter in enumerate(word[1:], 1):
            option = self._options.get(f"-{letter}")
            if option is None:
                self._reading.unknown.append(f"-{letter}")
            elif option.takes_value:
                return self._valued(option, f"-{letter}", word[position + 1 :] or None, rest)
            else:
                self._flag(option, f"-{letter}")
        return rest

    def _long(self, option: Option, name: str, value: str | None, rest: list[str]) -> list[str]:
        if option.takes_value:
            return self._valued(option, name, value, rest)
        if value is not None:
            self._problem(option, f"`{option.name}` takes no value", f"{name}={value}", option.name)
        self._flag(option, name)
        return rest

    def _flag(self, option: Option, name: str) -> None:
        self._reading.given.append(Given(option, (), name))

    def _valued(self, option: Option, name: str, value: str | None, rest: list[str]) -> list[str]:
        count = int(option.nargs) if option.nargs and option.nargs.isdecimal() else 1
        first = [] if value is None else [value]
        if option.nargs == "?" and value is None and (not rest or rest[0].startswith("-")):
            self._reading.given.append(Given(option, (), name))
            return rest
        taken, rest = [*first, *rest[: count - len(first)]], rest[count - len(first) :]
        if len(taken) < count:
            self._problem(option, f"`{option.name}` needs {'a value' if count == 1 else f'{count} values'}", " ".join([name, *taken]))
        place = f"{name}={value}" if value is not None and name.startswith("--") else " ".join([name, *taken])
        self._reading.given.append(Given(option, tuple(taken), place))
        return rest

    def _problem(self, option: Option, message: str, place: str, suggestion: str | None = None) -> None:
        self._reading.findings.append(finding(self._entry, "value", message, place, option.source, suggestion))

    def _place(self, words: list[str]) -> list[str]:
        """Give the positional arguments their words, as click does: those behind one of any number take theirs from the end."""
        widths = [_width(o) for o in self._positionals]
        open_at = next((i for i, w in enumerate(widths) if w < 0), None)
        front = self._positionals if open_at is None else self._positionals[:open_at]
        for option in front:
            words = self._take(option, words, min(abs(_width(option)), len(words)))
        if open_at is None:
            return words
        behind = sum(abs(w) for w in widths[open_at + 1 :])
        words = self._take(self._positionals[open_at], words, max(0, len(words) - behind))
        for option in self._positionals[open_at + 1 :]:
            words = self._take(option, words, min(_width(option), len(words)))
        return words

    def _take(self, option: Option, words: list[str], count: int) -> list[str]:
        if count:
            self._reading.given.append(Given(option, tuple(words[:count]), " ".join(words[:count])))
            if 0 < count < _width(option):
                self._problem(option, f"`{option.name}` needs {_width(option)} values", " ".join(words[:count]))
        return words[count:]


def _width(option: Option) -> int:
    """How many words; -1 for any number."""
    if option.nargs in ("*", "+"):
        return -1
    return int(option.nargs) if option.nargs and option.nargs.isdecimal() else 1


def is_boolean(value: str) -> bool:
    return value.strip().lower() in _BOOLEAN
