"""Settings inside the value of one option: taken out of a command line as options of their own, and written back into it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import split_identifier
from ml_agent.repo.settings import Settings, Style, Value, read_couples, read_settings, read_words, write_words
from ml_agent.task import Evidence

if TYPE_CHECKING:
    from ml_agent.policies.grounded.arguments import Item

OVERRIDE = re.compile(r"[A-Z][A-Z0-9_]*(?:\.[A-Z][A-Z0-9_]*)+")
"""A setting of yacs, which its value follows as a word of its own: `SOLVER.BASE_LR 0.1`."""
SEVERAL = ("+", "*", "...")
"""`nargs` of options that take as many values as there are."""
PAIRS = Style()
_SETTING = 0.9
_PLACES = frozenset("path dir file folder directory root".split())
_LONGEST = 300
"""Characters of the request between the first and the last setting that are shown as one piece."""


@dataclass(frozen=True, slots=True)
class Setting(Option):
    """One setting of those that go into the value of an option."""

    host: str = ""
    """The option's name; empty for one that stands apart, as two words behind all options."""
    style: Style = PAIRS
    quoted: bool = False
    many: bool = False
    shown: bool = False
    """A documented command gives it."""

    @property
    def positional(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class FileSetting(Option):
    """A key of a file of settings that the command line can set like an option, though no document shows it."""


def holders(program: EntryPoint) -> frozenset[str]:
    """The options that hold settings: they take no other value."""
    inner = [o for o in program.options if isinstance(o, Setting)]
    rest = {o.name for o in program.options if o.positional and o.nargs in SEVERAL} if any(not s.host for s in inner) else set()
    return frozenset({s.host for s in inner} | rest)


def claim(option: Option, kind: str, *, known: bool) -> float:
    """What part of its score an option keeps for a mention of this kind. `known`: it is known to take the value.

    The program's own options go first. Programs define many settings that nobody sets: one that no document shows takes numbers,
    where its default is one, files where it is called after them, and values that it is known to take.
    """
    if not isinstance(option, (Setting, FileSetting)):
        return 1.0
    counts = kind == "number" and (option.default in (None, "None") or any(c.isdigit() for c in option.default))
    shown = isinstance(option, Setting) and option.shown
    place = kind in ("path", "quoted") and isinstance(option, FileSetting) and not _PLACES.isdisjoint(split_identifier(option.name))
    return _SETTING if shown or known or counts or place else 0.0


def settings_of(program: EntryPoint) -> dict[str, list[Setting]]:
    """The settings of each option that holds some, by its name."""
    found: dict[str, list[Setting]] = {}
    for option in program.options:
        if isinstance(option, Setting):
            found.setdefault(option.host, []).append(option)
    return found


def is_apart(program: EntryPoint, word: str, behind: str | None = None) -> bool:
    """Whether a word names a setting, and its value is the next word, `behind`, if that is known. `SRC.EMB OUT.EMB` are two files."""
    option = program.option(word)
    return stands_apart(option) or (bool(OVERRIDE.fullmatch(word)) and not (behind == "" or _names_another(behind)))


def _names_another(word: str | None) -> bool:
    return word is not None and bool(OVERRIDE.fullmatch(word) or re.match("--?[A-Za-z]", word))


def stands_apart(option: Option | None) -> bool:
    return isinstance(option, Setting) and not option.host


def read_value(option: Option, values: Sequence[str]) -> Settings | None:
    """The settings that an option is given; None if its values are no settings."""
    if option.nargs in SEVERAL:
        return read_words(values) or read_words(values, ":") or read_couples(values)
    return read_settings(values[0]) if len(values) == 1 else None


def unfolded(items: Sequence["Item"], program: EntryPoint) -> list["Item"]:
    """Each setting inside a value as an item of its own."""
    known = settings_of(program)
    if not known:
        return list(items)
    found: list[Item] = []
    for item in items:
        option = item.option
        settings = read_value(option, item.values) if option and option.name in known else None
        if option is None or settings is None:
            found.append(item)
            continue
        inner = {s.name: s for s in known[option.name]}
        for name, value in settings.values.items():
            setting = inner.get(name) or Setting(name, (name,), option.source, host=option.name)
            setting = replace(setting, style=settings.style, quoted=value.quoted, many=value.many) if name not in inner else setting
            found.append(replace(item, name=name, values=list(value.parts), option=setting, within=item))
    return found


def folded(items: Sequence["Item"], program: EntryPoint, request: str) -> list["Item"]:
    """The same settings back in the values that they belong to, where the first of each stood; those that stand apart come last."""
    apart = [i for i in items if stands_apart(i.option)]
    for item in apart:
        item.equals = False
    rest = [i for i in items if i not in apart]
    hosts = dict.fromkeys(i.option.host for i in rest if isinstance(i.option, Setting))
    for host in hosts:
        option = program.option(host)
        inner = [i for i in rest if isinstance(i.option, Setting) and i.option.host == host]
        whole = [i for i in rest if i.option is not None and i.option is option and i.evidence.words]
        if option is None or whole:  # the request itself gives the whole value
            rest = [i for i in rest if i not in inner]
            continue
        at = rest.index(inner[0])
        single = [[i] for i in inner] if option.action == "append" else [inner]
        written = [_written(some, option, request) for some in single]
        rest = [*(i for i in rest[:at] if i not in inner), *written, *(i for i in rest[at:] if i not in inner)]
    return [*rest, *apart]


def _written(inner: Sequence["Item"], option: Option, request: str) -> "Item":
    """The option with all its settings, spelled as the documented command does."""
    settings = [(i.option, i) for i in inner if isinstance(i.option, Setting)]
    values = {setting.name: Value(tuple(item.values), setting.quoted, setting.many) for setting, item in settings}
    within = next((i.within for i in inner if i.within is not None), None)
    shown = read_value(option, within.values) if within is not None else None
    style = shown.style if shown is not None and len(shown.values) > 1 else settings[0][0].style
    words = write_words(Settings(style, values))
    name, equals = (within.name, within.equals) if within is not None else (option.name, inner[0].equals)
    item = replace(inner[0], name=name, values=words, equals=equals and len(words) == 1, option=option, within=None)
    item.evidence = Evidence(" ".join(item.words()), _said(inner, request), inner[0].evidence.source)
    return item


def _said(inner: Sequence["Item"], request: str) -> str | None:
    """The stretch of the request that gives the settings; of settings that are far apart, the first."""
    said = [i.evidence.words for i in inner if i.evidence.words]
    spans = [(at, at + len(w)) for w in said if (at := request.find(w)) >= 0]
    if not spans:
        return said[0] if said else None
    start, end = min(s for s, _ in spans), max(e for _, e in spans)
    return request[start:end] if end - start <= _LONGEST else said[0]
