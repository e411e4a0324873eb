"""How `argparse` would take the words: asked of a real parser with the program's options, so that it is never guessed."""

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import join_command
from ml_agent.verify.findings import Finding
from ml_agent.verify.reading import Argument, Given, Reading, finding, is_number

_ABSENT = object()
_HELP = Option("--help", ("-h", "--help"), "", action="help")
_ROUNDS = 30
_NARGS = ("?", "*", "+", argparse.REMAINDER, argparse.PARSER)
_AMBIGUOUS = re.compile(r"ambiguous option: (\S+) could match (.*)")


def read_argparse(entry: EntryPoint, arguments: Sequence[Argument]) -> Reading:
    """Read the words; after each error that stops argparse, the words at fault are taken out and it reads on."""
    rest = entry.with_default_command([a.text for a in arguments])
    reading = Reading()
    problems: list[Finding] = []
    for _ in range(_ROUNDS):
        reading = Reading()
        parser = _parser(entry, reading)
        try:
            _, extras = parser.parse_known_args(rest)
        except _HelpGiven:
            reading.loose = True
            break
        except argparse.ArgumentError as error:
            problem, rest = _explain(entry, error, rest, reading)
            problems.append(problem)
            continue
        _sort_extras(extras, reading)
        break
    reading.findings = problems
    several = {a.text for a in arguments if a.several}
    reading.loose = (
        reading.loose
        or any(text in several for text in reading.extra)
        or any(g.option.positional and several.intersection(g.values) for g in reading.given)
        or any(g.option.selects and not g.option.choices for g in reading.given)
    )
    return reading


class _HelpGiven(Exception):
    """The program shows its help and exits: what stands behind is never read, and nothing is missing."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:  # an ambiguous prefix, in Python up to 3.11
        raise argparse.ArgumentError(None, message)


class _Record(argparse.Action):
    """Notes what was given instead of storing it."""

    def __init__(self, *, option: Option, reading: Reading, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.option, self.reading = option, reading

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:
        if values is _ABSENT or (values == [] and self.option.positional):
            return  # argparse's way to say that an optional positional was not given
        if self.option.action == "help":
            raise _HelpGiven
        texts = tuple(str(v) for v in values) if isinstance(values, list) else () if values is None else (str(values),)
        self.reading.given.append(Given(self.option, texts, " ".join((*([option_string] if option_string else []), *texts))))


class _Select(argparse._SubParsersAction):  # type: ignore[type-arg]
    """Notes the sub-command, and has its own parser read the words behind it."""

    def __init__(self, *, option: Option, reading: Reading, names: dict[str, str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.option, self.reading, self.names = option, reading, names
        self.choices = None  # type: ignore[assignment]  # what is none of them is judged like any other value

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:
        name = str(values[0])
        self.reading.given.append(Given(self.option, (name,), name))
        if name not in self._name_parser_map:
            self.reading.loose = True
            return
        self.reading.command = self.names[name]
        super().__call__(parser, namespace, values, option_string)


def _parser(entry: EntryPoint, reading: Reading) -> _Parser:
    parser = _new_parser(entry)
    _fill(parser, entry, reading, None)
    return parser


def _new_parser(entry: EntryPoint) -> _Parser:
    return _Parser(prog=entry.path, add_help=False, allow_abbrev=entry.prefixes, exit_on_error=False, conflict_handler="resolve")


def _fill(parser: argparse.ArgumentParser, entry: EntryPoint, reading: Reading, command: str | None) -> None:
    """Give a parser the options of one sub-command (or the program's own), and the sub-commands below it."""
    selector = next((o for o in entry.options if o.command == command and o.selects and o.choices), None)
    for number, option in enumerate((_HELP, *(o for o in entry.options if o.command == command))):
        if option.selects and selector is not None:
            if option is selector:
                _add_commands(parser, entry, reading, option)
            continue
        extra: dict[str, Any] = {"action": _Record, "option": option, "reading": reading, "default": _ABSENT, "nargs": _nargs(option)}
        if option.positional:
            parser.add_argument(f"p{number}", metavar=f"p{number}", **extra).required = False
        else:
            parser.add_argument(*dict.fromkeys(a for a in option.aliases if a.startswith("-")), dest=f"o{number}", **extra)


def _add_commands(parser: argparse.ArgumentParser, entry: EntryPoint, reading: Reading, selector: Option) -> None:
    other = dict(entry.command_aliases)
    written = {name: join_command(selector.command, name) for name in selector.choices or ()}
    names = {name: other.get(path, path) for name, path in written.items()}
    parsers = parser.add_subparsers(
        action=_Select, parser_class=_Parser, required=False, metavar=selector.name, option=selector, reading=reading, names=names
    )  # type: ignore[call-overload]
    for name, path in names.items():
        inner = parsers.add_parser(
            name, prog=name, add_help=False, allow_abbrev=entry.prefixes, exit_on_error=False, conflict_handler="resolve"
        )
        _fill(inner, entry, reading, path)


def _nargs(option: Option) -> int | str | None:
    if not option.takes_value:
        return 0
    nargs = option.nargs
    if nargs is None or nargs in _NARGS:
        return nargs
    return int(nargs) if nargs.isdecimal() and len(nargs) < 4 else "*"  # argparse writes a pattern of that length


def _explain(entry: EntryPoint, error: argparse.ArgumentError, rest: list[str], reading: Reading) -> tuple[Finding, list[str]]:
    """What stopped argparse, and the words without what stopped it."""
    known = (*reversed(entry.options_of(reading.command)), _HELP)
    option = next((o for o in known if error.argument_name == "/".join(dict.fromkeys(o.aliases))), None)
    if option is None:
        ambiguous = _AMBIGUOUS.search(error.message)
        index = next((i for i, word in enumerate(rest) if ambiguous and word.partition("=")[0] == ambiguous[1].partition("=")[0]), None)
        if ambiguous is None or index is None:  # about a positional
            return finding(entry, "positional", error.message, " ".join(rest)[:80]), []
        first = ambiguous[2].split(", ")[0]
        message = f"`{rest[index]}` could be any of {ambiguous[2]}"
        problem = finding(entry, "option", message, rest[index], suggestion=first, sure=not entry.open_ended)
        return problem, _without(rest, index)
    seen = sum(1 for g in reading.given if g.option is option)
    spots = [i for i, word in enumerate(rest) if _may_name(entry, word, option)]
    index = spots[min(seen, len(spots) - 1)] if spots else 0
    place = rest[index]
    sure = not entry.open_ended or is_exact(option, place)
    if "explicit argument" in error.message:
        problem = finding(entry, "value", f"`{option.name}` takes no value", place, option.source, option.name, sure=sure)
        return problem, [*rest[:index], *rest[index + 1 :]]
    count = {None: "one value", "+": "at least one value", "?": "at most one value"}.get(option.nargs, f"{option.nargs} values")
    return finding(entry, "value", f"`{option.name}` needs {count}", place, option.source, sure=sure), _without(rest, index)


def is_exact(option: Option, word: str) -> bool:
    """Whether a word spells the option out, so that no option that could not be read may be meant."""
    if word.startswith("--") or word[:2] in (a[:2] for a in option.aliases if len(a) > 2 and not a.startswith("--")):
        return word.partition("=")[0] in option.aliases
    return any(len(a) == 2 and word.startswith(a) for a in option.aliases)


def _may_name(entry: EntryPoint, word: str, option: Option) -> bool:
    name = word.partition("=")[0]
    if name in option.aliases:
        return True
    if not word.startswith("--"):
        return any(len(a) == 2 and word.startswith(a) for a in option.aliases)
    return entry.prefixes and entry.option(name) is None and any(a.startswith(name) for a in option.aliases)


def _without(rest: list[str], index: int) -> list[str]:
    """The words without an option and the values behind it."""
    end = index + 1
    while end < len(rest) and not rest[end].startswith("-"):
        end += 1
    return [*rest[:index], *rest[end:]]


def _sort_extras(extras: Sequence[str], reading: Reading) -> None:
    """Tell unknown options from positional arguments too many."""
    ended = False
    for text in extras:
        if text == "--":
            ended = True
        elif text.startswith("-") and len(text) > 1 and not ended and not is_number(text) and " " not in text:
            reading.unknown.append(text)
        else:
            reading.extra.append(text)
