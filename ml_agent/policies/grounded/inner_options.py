"""Which options of a program hold settings, and which settings: as its documented commands show, and as it defines them itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

from ml_agent.policies.grounded.arguments import Item, parse_arguments
from ml_agent.policies.grounded.kinds import file_kind, takes_kind
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import squeeze
from ml_agent.policies.grounded.settings import PAIRS, SEVERAL, Setting, is_apart, read_value
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.settings import Style, Value, read_settings

_SILENT = re.compile(r"\{\s*\}|.*\.(?:json|ya?ml|toml|py|ini)|\$\S*|<.*>|none", re.IGNORECASE | re.DOTALL)
"""Values that do not say how settings are written: none, a file of them, a variable, a placeholder."""
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def with_settings(program: EntryPoint, commands: Sequence[Command]) -> EntryPoint:
    """The program with the settings inside its options as further options."""
    items = [i for c in commands for i in parse_arguments(program, c.arguments, c.source)]
    defined = dict(program.settings)
    taken = {squeeze(alias) for option in program.options for alias in option.aliases}
    found: dict[str, Setting] = {}
    for option in program.options:
        if not option.takes_value or option.choices or option.assigned or option.positional:
            continue
        style, documented = _documented(option, [i for i in items if i.option is option and i.values])
        if style is None and option.name in defined:
            style = _likely(option)
        if style is None:
            continue
        known = {o.name: _setting(o, option, style) for o in defined.get(option.name, ())}
        for name, (value, source) in documented.items():
            known[name] = _shown(known.get(name) or Setting(name, (name,), source), option, style, value)
        for setting in _by_last_name(known):
            if squeeze(setting.name) not in taken:
                found.setdefault(setting.name, setting)
    for setting in _apart(program, defined, items):
        found.setdefault(setting.name, setting)
    return replace(program, options=(*(o for o in program.options if o.name not in found), *found.values())) if found else program


def _documented(option: Option, given: Sequence[Item]) -> tuple[Style | None, Mapping[str, tuple[Value, str]]]:
    """How the settings of an option are written, and the documented ones with their source; no style if most values are no settings."""
    values: dict[str, tuple[Value, str]] = {}
    styles: list[Style] = []
    others = 0
    for item in given:
        settings = read_value(option, item.values)
        if settings is None:
            others += not (len(item.values) == 1 and _SILENT.fullmatch(item.values[0]))
            continue
        kind = file_kind(item.values[0]) if len(item.values) == 1 else None
        if kind is not None and takes_kind(name_words(option.name), kind):  # `--checkpoint owl_mAP=0.4.pth` is a file
            others += 1
            continue
        styles.append(settings.style)
        for name, value in settings.values.items():
            values.setdefault(name, (value, item.evidence.source or option.source))
        if len(settings.values) > 1:  # a single pair does not show what stands between two
            styles.insert(0, settings.style)
    return (styles[0], values) if len(styles) > others else (None, {})


def _likely(option: Option) -> Style:
    """How settings are written that no document shows."""
    if option.nargs in SEVERAL:
        return Style("words", " ")
    default = (option.default or "").strip("'\"")
    if default.startswith("{") or "json" in f"{option.type} {option.help}".lower():
        return Style("json")
    shown = read_settings(default)
    return shown.style if shown is not None else PAIRS


def _setting(option: Option, host: Option, style: Style) -> Setting:
    plain = {f.name: getattr(option, f.name) for f in fields(Option)}
    dictionary = style.kind in ("json", "python")
    text = dictionary and (option.type == "str" or bool(re.match(r"[\[(]['\"]", option.default or "")))
    many = option.nargs is not None and style.kind != "words"
    return Setting(**plain | {"command": host.command, "required": False}, host=host.name, style=style, quoted=text, many=many)


def _shown(setting: Setting, host: Option, style: Style, value: Value) -> Setting:
    """With what a documented value tells: of which kind it is, and how it is written."""
    first = value.parts[0] if value.parts else ""
    kind, default = setting.type, setting.default
    if re.fullmatch(r"true|false", first, re.IGNORECASE) and not value.many:
        kind = "bool"
    elif kind is None and default is None and _NUMBER.fullmatch(first) and not value.many:
        default = first
    nargs = "+" if value.many else setting.nargs
    return replace(
        setting, type=kind, default=default, nargs=nargs, host=host.name, command=host.command,
        style=style, quoted=value.quoted, many=value.many, shown=True,
    )  # fmt: skip


def _by_last_name(settings: Mapping[str, Setting]) -> list[Setting]:
    """`optimizer.lr` is called `lr` as well, if no other is."""
    last = [name.rpartition(".")[2] for name in settings]
    return [
        replace(s, aliases=(*s.aliases, short)) if short != name and last.count(short) == 1 and short not in settings else s
        for (name, s), short in zip(settings.items(), last, strict=True)
    ]


def _apart(program: EntryPoint, defined: Mapping[str, tuple[Option, ...]], items: Sequence[Item]) -> list[Setting]:
    """Settings that stand as pairs of words behind all options."""
    style, nobody = Style("words", " ", " "), Option("", (), "")
    rest = next((o for o in program.options if o.positional and o.nargs in SEVERAL and o.name in defined), None)
    found = {o.name: _setting(o, nobody, style) for o in defined[rest.name]} if rest is not None else {}
    for item in items:
        if item.values and is_apart(program, item.name):
            setting = found.get(item.name) or Setting(item.name, (item.name,), item.evidence.source or "")
            found[item.name] = _shown(setting, nobody, style, Value(tuple(item.values)))
    return _by_last_name(found)
