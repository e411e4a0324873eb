"""An entry point as its own `--help` would print it, from what was read: the program is not run."""

import argparse
import textwrap
from collections.abc import Iterable

from ml_agent.repo.entrypoints.base import EntryPoint, Option

WIDTH = 100
MAX_OPTIONS = 2_000
MAX_SHOWN = 50
"""Values of one option."""
_COLUMN = 30
_QUOTES = "'\""


def usage(entry: EntryPoint, command: str | None = None) -> str:
    """The help of a program, or of one of its sub-commands (`remote add`), in the manner of its framework.

    What could not be read stands below it. Raises KeyError if there is no such sub-command.
    """
    if command is not None:
        command = dict(entry.command_aliases).get(command, command)
        if command not in {o.command for o in entry.options}:
            raise KeyError(command)
    options = [o for o in entry.options if o.command == command][:MAX_OPTIONS]
    match entry.flag_style:
        case "gnu" if entry.kind != "shell" or any(not o.positional for o in options):
            text = _argparse(entry, options, command)
        case "click":
            text = _click(entry, options, command)
        case "hydra" | "assign":
            text = _assigned(entry, options)
        case "fire":
            text = _fire(entry, options, command)
        case "docopt" if entry.usage:
            text = entry.usage.strip("\n")
        case _:
            text = _plain(entry, options, command)
    if entry.environment and command is None:
        rows = [(f"{o.name}={(o.default or '').strip(_QUOTES)}", o.help) for o in entry.environment]
        text = f"{text.rstrip()}\n\n{_table('Environment:', rows)}\n"
    notes = [*(f"  {note}" for note in entry.unread)]
    if entry.is_open(command):
        notes.insert(0, "It may take more options than these" + (", for this could not be read:" if entry.unread else "."))
    return text.rstrip() + ("\n\n" + "\n".join(notes) if notes else "") + "\n"


def _program(entry: EntryPoint, command: str | None) -> str:
    name = entry.path.rpartition("/")[2] if entry.run[-1:] == (entry.path,) else " ".join(entry.run)
    return name if command is None else f"{name} {command}"


def _description(entry: EntryPoint, command: str | None) -> str:
    return entry.description if command is None else dict(entry.command_help).get(command, "")


def _argparse(entry: EntryPoint, options: list[Option], command: str | None) -> str:
    """argparse writes it itself."""
    parser = argparse.ArgumentParser(
        prog=_program(entry, command).replace("%", "%%"),
        description=_description(entry, command).replace("%", "%%") or None,
        add_help=False,
        conflict_handler="resolve",
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=WIDTH),
    )
    groups: dict[str, argparse._MutuallyExclusiveGroup] = {}
    for option in options:
        owner: argparse._ActionsContainer = parser
        if option.group is not None and not option.required and all(a.startswith("-") for a in option.aliases):
            if option.group not in groups:
                groups[option.group] = parser.add_mutually_exclusive_group()
            owner = groups[option.group]
        _add(owner, option, entry)
    try:
        return parser.format_help()
    except (ValueError, AssertionError, IndexError):  # brackets in names, which argparse's own line breaking stumbles over
        return _plain(entry, options, command)


def _add(owner: argparse._ActionsContainer, option: Option, entry: EntryPoint) -> None:
    text = option.help.replace("%", "%%")
    if option.selects:
        names = ",".join(option.choices) if option.choices else option.name
        owner.add_argument(option.name, metavar=f"{{{names}}} ..." if option.choices else f"{names} ...", help=text or None)
        return
    nargs: int | str | None = min(int(option.nargs), MAX_SHOWN) if option.nargs and option.nargs.isdecimal() else option.nargs
    if not option.takes_value:
        nargs = 0
    metavar = f"{{{','.join(option.choices)}}}" if option.choices is not None and option.takes_value else None
    if not all(a.startswith("-") for a in option.aliases):
        owner.add_argument(option.name, nargs=nargs or None, metavar=metavar or option.name, help=text)
        return
    longs = [a for a in option.aliases if a.startswith("--")]
    dest = (longs or list(option.aliases))[0].lstrip("-").replace("-", "_") or "value"
    owner.add_argument(
        *option.aliases, dest=dest, nargs=nargs, metavar=metavar or dest.upper(), required=option.required, help=text, action=_Shown
    )  # fmt: skip


class _Shown(argparse.Action):
    """It is only shown."""

    def __call__(self, *_: object, **__: object) -> None: ...


def _click(entry: EntryPoint, options: list[Option], command: str | None) -> str:
    words = ["[OPTIONS]"]
    for option in (o for o in options if o.positional):
        if option.selects:
            words.append("COMMAND [ARGS]...")
            continue
        name = "{" + "|".join(option.choices) + "}" if option.choices else option.name.upper()
        name = name if option.required else f"[{name}]"
        words.append(name + ("..." if option.nargs not in (None, "?") else ""))
    rows = [(_click_name(o), _click_help(o)) for o in options if not o.positional]
    help_of = dict(entry.command_help)
    commands = [
        (name, help_of.get(name if command is None else f"{command} {name}", "")) for o in options if o.selects for name in o.choices or ()
    ]
    parts = [f"Usage: {_program(entry, command)} {' '.join(words)}", _filled(_description(entry, command))]
    parts += [_table("Options:", rows), _table("Commands:", commands)]
    return "\n\n".join(p for p in parts if p)


def _click_name(option: Option) -> str:
    off = [a for a in option.aliases if a.startswith("--no-") and f"--{a[5:]}" in option.aliases]
    on = sorted((a for a in option.aliases if a not in off), key=lambda a: a.startswith("--"))
    spelled = ", ".join(on) + (" / " + ", ".join(off) if off else "")
    return f"{spelled} {_metavar(option)}" if option.takes_value else spelled


def _metavar(option: Option) -> str:
    if option.choices:
        return f"[{'|'.join(option.choices)}]"
    names = {"int": "INTEGER", "float": "FLOAT", "str": "TEXT", "bool": "BOOLEAN", "File": "FILENAME"}
    name = names.get(option.type or "str", (option.type or "TEXT").upper())
    return (
        f"{name} RANGE"
        if option.bounds
        else name
        if not (option.nargs or "").isdecimal()
        else f"<{' '.join([name] * int(option.nargs or 1))}>..."
    )


def _click_help(option: Option) -> str:
    if option.action == "help" and "--help" in option.aliases:
        return "Show this message and exit."
    facts = [*([f"default: {option.default}"] if option.default not in (None, "None") and option.takes_value else [])]
    facts += [option.bounds] if option.bounds else []
    facts += ["required"] if option.required else []
    return " ".join((option.help, f"[{'; '.join(facts)}]" if facts else "")).strip()


def _assigned(entry: EntryPoint, options: list[Option]) -> str:
    """The groups and keys of a configuration, as they would be written on the command line."""
    keys = [o for o in options if o.assigned]
    groups = [(f"{o.name}=", ", ".join(o.choices or ())) for o in keys if o.type == "group"]
    values = [(f"{o.name}={_shown(o)}", o.help or o.source) for o in keys if o.type != "group"]
    flags = [(", ".join(o.aliases), o.help) for o in options if not o.assigned and not o.positional]
    start = f"Usage: {_program(entry, None)}" + "".join(f" [{o.name}]" for o in options if o.positional) + " [KEY=VALUE]..."
    tables = (_table("Configuration groups:", groups), _table("Configuration:", values), _table("Options:", flags))
    return "\n\n".join(p for p in (start, _filled(entry.description), *tables) if p)


def _shown(option: Option) -> str:
    return "???" if option.default is None and option.required else (option.default or "null").strip("'\"")


def _fire(entry: EntryPoint, options: list[Option], command: str | None) -> str:
    needed = [o.name.lstrip("-").upper() for o in options if o.required and not o.selects]
    commands = [name for o in options if o.selects for name in o.choices or ()]
    flags = any(not o.required and not o.positional for o in options)
    words = [*needed, *(["<flags>"] if flags else []), *(["COMMAND"] if commands else [])]
    help_of = dict(entry.command_help)
    rows = [(f"{o.name}={o.name.lstrip('-').upper()}", _facts(o)) for o in options if not o.positional and o.action != "help"]
    listed = [(name, help_of.get(name if command is None else f"{command} {name}", "")) for name in commands]
    parts = (f"Usage: {_program(entry, command)} {' '.join(words)}", _filled(_description(entry, command)))
    return "\n\n".join(p for p in (*parts, _table("Flags:", rows), _table("Commands:", listed)) if p)


def _plain(entry: EntryPoint, options: list[Option], command: str | None) -> str:
    words = [f"[{o.name}]" if not o.required else o.name for o in options if o.positional]
    named = [o for o in options if not o.positional]
    rows = [(", ".join(o.aliases) + (f"={(o.type or 'value').upper()}" if o.takes_value else ""), _facts(o)) for o in named]
    start = " ".join(["Usage:", _program(entry, command), *(["[options]"] if named else []), *words])
    return "\n\n".join(p for p in (start, _filled(_description(entry, command)), _table("Options:", rows)) if p)


def _facts(option: Option) -> str:
    facts = [*([f"one of {', '.join(option.choices)}"] if option.choices else []), *(["required"] if option.required else [])]
    facts += [f"default: {option.default}"] if option.default not in (None, "None") else []
    return " ".join((option.help, f"({'; '.join(facts)})" if facts else "")).strip()


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Names and what they mean, in two columns; empty without rows."""
    listed = list(rows)
    if not listed:
        return ""
    width = min(_COLUMN, max(len(name) for name, _ in listed))
    lines = [title]
    for name, text in listed:
        wrapped = textwrap.wrap(text, max(20, WIDTH - width - 4)) or [""]
        if len(name) > width:
            lines.append(f"  {name}")
        else:
            lines.append(f"  {name:<{width}}  {wrapped.pop(0)}".rstrip())
        lines += [f"  {'':<{width}}  {line}" for line in wrapped if line]
    return "\n".join(lines)
