"""What a documented command says of the program that it runs, beside a request: names, what is done, values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ml_agent.policies.grounded.arguments import documented_values, parse_arguments
from ml_agent.policies.grounded.evidence import path_names, verbs_in
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.lexical import split_identifier, stem

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


def titles(program: EntryPoint, command: Command, request: Request) -> Iterator[tuple[str, int]]:
    """Options that the command has a value for, each with the position of every name that is but the title of what is documented."""
    headings = {squeeze(heading) for heading in command.headings}
    present = [i.option.name for i in parse_arguments(program, command.arguments, command.source) if i.option and i.values]
    said = [m.position for m in request.mentions if m.kind in ("name", "identifier") and squeeze(m.value) in headings]
    return ((name, position) for name in present for position in said)


def headings_said(command: Command, request: Request) -> frozenset[int]:
    """The positions of headings above the command that the request quotes: `as in "Training on your own data"`."""
    headings = {squeeze(heading) for heading in command.headings if " " in heading.strip()}
    return frozenset(m.position for m in request.mentions if m.kind == "quoted" and squeeze(m.value) in headings)


def documented_elsewhere(program: EntryPoint, command: Command, others: Sequence[Command], given: Mapping[str, Sequence[str]]) -> int:
    """How many of the values that are `given` to its options differ from the command's own and stand in another command as they are."""
    own = documented_values(program, command)
    changed = {name: list(values) for name, values in given.items() if name in own and list(own[name]) != list(values)}
    beside = [documented_values(program, other) for other in others if other is not command] if changed else []
    return sum(any(list(of.get(name, ())) == values for of in beside) for name, values in changed.items())


def agreement(command: Command, request: Request) -> float:
    """How many of the documented values the request names; everyday words and numbers say little, parts of a path half."""
    values: set[str] = set()
    pieces: set[str] = set()
    for word in command.arguments:
        value = word.partition("=")[2] if word.startswith("-") else word
        for part in (value, value.rstrip("/").rsplit("/", 1)[-1]):
            squeezed = squeeze(part)
            if len(squeezed) > 1 and not squeezed.isdigit() and squeezed in request.grams:
                values.add(squeezed)
        if "/" in value and squeeze(value.rsplit("/", 1)[-1]) not in values:
            pieces.update(p for p in map(stem, split_identifier(value.rsplit("/", 1)[-1])) if len(p) > 3 and p in request.stems)
    return min(4.0, len(values) + 0.5 * len(pieces))
