"""Does a program take these words: its options, their values, what it must be given?"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import ONE_NEEDED, Style
from ml_agent.verify.absl_words import read_absl
from ml_agent.verify.argparse_words import is_exact, read_argparse
from ml_agent.verify.click_words import read_click
from ml_agent.verify.docopt_words import check_docopt
from ml_agent.verify.findings import Finding
from ml_agent.verify.fire_words import read_fire
from ml_agent.verify.hydra_words import read_assignments, read_hydra
from ml_agent.verify.optparse_words import read_optparse
from ml_agent.verify.reading import Argument, Given, Reading, finding
from ml_agent.verify.script_words import check_script
from ml_agent.verify.synonyms import same_meaning
from ml_agent.verify.values import check_value

MAX_ARGUMENTS = 1000
_NEAR = 65.0
_READINGS: Mapping[Style, Callable[[EntryPoint, Sequence[Argument]], Reading]] = {
    "gnu": read_argparse,
    "absl": read_absl,
    "click": read_click,
    "optparse": read_optparse,
    "fire": read_fire,
    "hydra": read_hydra,
    "assign": read_assignments,
}


def check_options(entry: EntryPoint, arguments: Sequence[Argument]) -> tuple[list[Finding], list[Given]]:
    """Findings about the words behind a program's name, and what they give to which option."""
    if len(arguments) > MAX_ARGUMENTS:
        return [finding(entry, "option", f"more than {MAX_ARGUMENTS:,} arguments: not checked", "", sure=False)], []
    if entry.kind == "plain":
        return _check_plain(entry, arguments), []
    if entry.kind == "shell":
        return check_script(entry, arguments), []
    if entry.kind == "docopt":
        return check_docopt(entry, arguments), []
    reading = _READINGS.get(entry.flag_style, read_argparse)(entry, arguments)
    findings = list(reading.findings)
    findings.extend(_unknown(entry, word, reading) for word in reading.unknown)
    open_values = {a.text for a in arguments if a.open}
    for given in reading.given:
        sure = _is_sure(entry, reading) or (_certain(given, arguments) if not given.option.positional else not _unsure(reading))
        values = [v for v in given.values if not _is_open(v, open_values)]
        findings.extend(f for value in values if (f := check_value(entry, given, value, sure=sure)))
    if not reading.loose:
        findings.extend(_counts(entry, reading))
    findings.extend(_exclusive(entry, reading))
    return findings, reading.given


def _is_sure(entry: EntryPoint, reading: Reading) -> bool:
    """Whether all options are known that this command line may give."""
    return not reading.unsure and not entry.is_open(reading.command)


def _certain(given: Given, arguments: Sequence[Argument]) -> bool:
    return any(is_exact(given.option, a.text) for a in arguments)


def _unsure(reading: Reading) -> bool:
    """Whether the value of an unknown option may have been taken for a positional argument."""
    return any("=" not in word for word in reading.unknown)


def nearest_option(entry: EntryPoint, spelling: str, command: str | None = None) -> Option | None:
    """The option that is spelled most like a word or means the same, dashes and underscores alike; None if none is near.

    Only options that a command line with this sub-command may give.
    """
    wanted = _plain(spelling.partition("=")[0])
    likeness = {
        alias: _likeness(_plain(alias), wanted)
        for option in entry.options_of(command)
        if not option.positional and option.action != "help"
        for alias in option.aliases
    }
    best = max(likeness, key=lambda alias: likeness[alias], default=None)
    if best is None or likeness[best] < _NEAR:
        return None
    return next(o for o in reversed(entry.options_of(command)) if best in o.aliases)


def _likeness(name: str, wanted: str) -> float:
    """From 0 to 100. A whole name inside the other counts much, unless it is very short; a synonym almost as much as the name."""
    from rapidfuzz import fuzz

    if same_meaning(name, wanted):
        return 95.0
    part = fuzz.partial_ratio(name, wanted) * 0.9 if min(len(name), len(wanted)) > 3 else 0.0
    return max(fuzz.ratio(name, wanted), part)


def _unknown(entry: EntryPoint, word: str, reading: Reading) -> Finding:
    command = reading.command
    name, equals, value = word.partition("=")
    near = nearest_option(entry, name, command)
    suggestion = None
    if near is not None:
        alias = max(near.aliases, key=lambda a: (_plain(a) == _plain(name), len(a)))
        suggestion = alias + equals + value if near.takes_value else alias
    message = f"{_program(entry, command)} takes no option `{name}`"
    others = dict.fromkeys(o.command for o in entry.options if name in o.aliases)
    if command is not None and None in others:
        message += f": it belongs in front of `{command}`"
    elif others:
        message += f": it belongs to {', '.join(f'`{o}`' for o in others if o)}"
    return finding(entry, "option", message, word, near.source if near else None, suggestion, sure=_is_sure(entry, reading))


def _program(entry: EntryPoint, command: str | None) -> str:
    return f"`{entry.path}`" if command is None else f"`{command}` of `{entry.path}`"


def _counts(entry: EntryPoint, reading: Reading) -> list[Finding]:
    given = {id(g.option) for g in reading.given}
    findings = []
    unsure = _unsure(reading)
    for option in entry.options_of(reading.command):
        if id(option) in given or option.action == "help":
            continue
        if option.positional and not option.selects:
            demanded = option.nargs not in ("?", "*", "...") and option.takes_value and not unsure
        else:
            demanded = option.required
        if demanded:
            kind = "argument" if option.positional else "option"
            message = f"{_program(entry, option.command)} needs the {kind} `{option.name}`"
            findings.append(finding(entry, "missing", message, entry.path, option.source, _example(option), sure=not option.lenient))
    findings.extend(_one_needed(entry, reading, given))
    if not unsure:
        message, sure = f"{_program(entry, reading.command)} takes no further argument: ", _is_sure(entry, reading)
        findings.extend(finding(entry, "positional", f"{message}{text!r}", text, sure=sure) for text in reading.extra)
    return findings


def _one_needed(entry: EntryPoint, reading: Reading, given: Collection[int]) -> Iterator[Finding]:
    """Groups of which one option has to be given, and none is."""
    groups: dict[tuple[str | None, str], list[Option]] = {}
    for option in entry.options_of(reading.command):
        if option.group is not None and option.group.endswith(ONE_NEEDED):
            groups.setdefault((option.command, option.group), []).append(option)
    for options in groups.values():
        if not any(id(o) in given for o in options):
            message = f"{_program(entry, options[0].command)} needs one of {', '.join(f'`{o.name}`' for o in options)}"
            sure = _is_sure(entry, reading)
            yield finding(entry, "missing", message, entry.path, options[0].source, _example(options[0]), sure=sure)


def _exclusive(entry: EntryPoint, reading: Reading) -> list[Finding]:
    first: dict[tuple[str | None, str], Given] = {}
    findings = []
    for given in reading.given:
        if given.option.group is None:
            continue
        other = first.setdefault((given.option.command, given.option.group), given)
        if other.option is not given.option:
            findings.append(
                finding(
                    entry,
                    "option",
                    f"`{given.option.name}` cannot be given together with `{other.option.name}`",
                    given.place,
                    given.option.source,
                )
            )
    return findings


def _check_plain(entry: EntryPoint, arguments: Sequence[Argument]) -> list[Finding]:
    if entry.unread:
        why = entry.unread[0].removeprefix(f"{entry.path}:1 ")
        message = f"`{entry.path}` could not be read, so its options were not checked: {why}"
        return [finding(entry, "option", message, entry.path, sure=False)]
    if all(a.text in ("--help", "-h") for a in arguments):
        return []
    if entry.open_ended:
        message = f"the options of `{entry.path}` are not known here, so they were not checked"
        return [finding(entry, "option", message, arguments[0].text, sure=False)]
    words = [a.text for a in arguments[len(entry.options) :] if re.match(r"--?[A-Za-z]", a.text)]
    if not words:
        return []
    message = f"`{entry.path}` reads no options: {', '.join(words[:8])} has no effect"
    return [finding(entry, "option", message, words[0])]


def _is_open(value: str, open_values: set[str]) -> bool:
    return value in open_values or any(o.endswith("=" + value) for o in open_values) or "$" in value or "`" in value


def _example(option: Option) -> str:
    value = option.choices[0] if option.choices else option.name.lstrip("-").upper()
    return value if option.positional else f"{option.name} {value}" if option.takes_value else option.name


def _plain(alias: str) -> str:
    return alias.lstrip("-").replace("_", "-").lower()
