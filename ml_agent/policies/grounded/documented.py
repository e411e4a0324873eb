"""What a documented command says of the program that it runs, beside a request: names, what is done, values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.arguments import documented_values, parse_arguments
from ml_agent.policies.grounded.evidence import path_names, verbs_in
from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.numeric import is_numeric
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.policies.grounded.verbatim import is_called
from ml_agent.policies.grounded.vocabulary import PATH_WORDS, PLAIN_NAMES
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.lexical import split_identifier, stem

_UNMISTAKABLE = frozenset({"path", "identifier", "quoted"})
"""Kinds of values that stand in a command by no chance."""
_FILE = 3
_HELP = frozenset({"-h", "--help", "--version"})


def shows_help(command: Command) -> bool:
    """It only prints how the program is used."""
    return not _HELP.isdisjoint(command.arguments)


def mode_of(wanted: frozenset[str], command: Command) -> float:
    """+1 or -1 if a flag of the command (`--eval`, `--do_predict`) sets what is done, as wanted or otherwise; else 0."""
    flags = [w.lstrip("-").partition("=") for w in command.arguments if w.startswith("--")]
    said = {verb for name, _, value in flags if value.lower() not in ("false", "0") for verb in verbs_in(_last(name))}
    said -= {"train", "pretrain"}  # they stand in too many names that only tell of training
    if not said or not wanted:
        return 0.0
    return 1.0 if said & wanted else -1.0


def _last(name: str) -> list[str]:
    """The word of a flag that says what is done: `eval` of `eval-only`."""
    words = split_identifier(name)
    return words[-2:-1] if words[-1:] == ["only"] else words[-1:]


def names_of(paths: Iterable[str], commands: Sequence[Command]) -> list[str]:
    """What a program may be called: by its files, by the headings above its documented commands, by the documents that they stand in."""
    headings = [h for c in commands for h in c.headings[-2:]]
    inner = [m for h in headings for m in re.findall(r"\(([^()]{2,30})\)", h)]
    bare = [re.sub(r"\([^()]*\)", "", h) for h in headings]
    documents = {d for c in commands if not (d := c.source.rpartition(":")[0]).endswith(".sh")}
    return [*(n for path in paths for n in path_names(path)), *headings, *inner, *bare, *(n for d in documents for n in path_names(d)[:-1])]


def shown_as_they_are(program: EntryPoint, command: Command, around: Surroundings) -> Iterator[tuple[str, int]]:
    """Options that a value is not for, with its position: the command gives it to another, and the request names neither of them.

    Of a name, only options that the command gives nothing or a path: `from owl to lark` may be the other way round than what is documented.
    """
    shown: dict[str, set[str]] = {}
    names: set[str] = set()
    for item in parse_arguments(program, command.arguments, command.source):
        own = item.option.name if item.option else ""
        for value in item.values:
            shown.setdefault(value, set()).add(own)
            shown.setdefault(squeeze(value), set()).add(own)
        if not any("/" in value for value in item.values):
            names.add(own)
    for mention in (m for m in around.request.mentions if m.kind in _UNMISTAKABLE or m.kind == "name"):
        exact = mention.kind in _UNMISTAKABLE and mention.value in shown
        takers = shown.get(mention.value if exact else squeeze(mention.value) or mention.value)
        if takers is None:
            continue
        beside = around.beside(mention.position)
        others = (o for o in program.options if o.name not in takers and (exact or o.name not in names))
        yield from ((o.name, mention.position) for o in others if not is_called(o, beside))


def documented_elsewhere(program: EntryPoint, command: Command, others: Sequence[Command], given: Mapping[str, Sequence[str]]) -> int:
    """How many of the values that are `given` to its options differ from the command's own and stand in another command as they are.

    A file counts for several: it is seldom the same by chance.
    """
    own = documented_values(program, command)
    changed = {name: list(values) for name, values in given.items() if name in own and list(own[name]) != list(values)}
    beside = [documented_values(program, other) for other in others if other is not command] if changed else []
    elsewhere = [values for name, values in changed.items() if any(list(of.get(name, ())) == values for of in beside)]
    return sum(_FILE if any("/" in v and extension(v) for v in values) else 1 for values in elsewhere)


def numbers_shown(program: EntryPoint, command: Command, given: Mapping[str, Sequence[str]]) -> int:
    """How many of the numbers that are `given` to its options are the command's own."""
    own = documented_values(program, command)
    return sum(list(own.get(name, ())) == list(values) and all(map(is_numeric, values)) for name, values in given.items() if values)


def agreement(command: Command, request: Request) -> float:
    """How many of the documented values the request names; everyday words and numbers say little, parts of a path half."""
    values: set[str] = set()
    pieces: set[str] = set()
    for word in command.arguments:
        value = word.partition("=")[2] if word.startswith("-") else word
        last = value.rstrip("/").rsplit("/", 1)[-1]
        stem_ = last.removesuffix(extension(last)).lower()
        for part in (value, last, *([] if stem_ in PLAIN_NAMES or stem_ in PATH_WORDS else [stem_])):
            squeezed = squeeze(part)
            if len(squeezed) > 1 and not squeezed.isdigit() and squeezed in request.grams:
                values.add(squeezed)
        if "/" in value and squeeze(value.rsplit("/", 1)[-1]) not in values:
            pieces.update(p for p in map(stem, split_identifier(value.rsplit("/", 1)[-1])) if len(p) > 3 and p in request.stems)
    return min(4.0, len(values) + 0.5 * len(pieces))
