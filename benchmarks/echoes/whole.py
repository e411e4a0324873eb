"""Requests for documented commands as they are, called by their section and by what sets them apart from others of their program.

What the request does not say is to be kept as it is documented. Commands that the check refuses are left out: their documents are older
than their programs.
"""

import random
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.echoes.values import in_words
from ml_agent.benchmarks.scorers.command_words import Words, read_words
from ml_agent.policies.grounded.documented import shows_help
from ml_agent.policies.grounded.unfilled import stands_for_something
from ml_agent.repo.commands import Command
from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer
from ml_agent.verify import verify

_DOCUMENTS = (".md", ".rst", ".txt", "readme")
_LONGEST, _OF_ONE, _TOLD = 60, 3, 3
"""Words of a command; requests for commands of one program; values that a request says."""
_VALUE = re.compile(r"[A-Za-z0-9][\w./+-]{1,60}")
_SAID_ANYWAY = frozenset({"true", "false", "none", "1", "0"})
_WAYS = (
    "with {name} {value}",
    "and {name} {value}",
    "use {value} as the {name}",
    "the {name} should be {value}",
    "with a {name} of {value}",
)
_OPEN = re.compile(r"[<>{}\[\]]|\.\.\.")
_Told = list[tuple[str, str]]
"""Options, by name, with their values; a plain argument has no name."""


def whole_commands(index: RepoIndex, repository: str, count: int, seed: int) -> Iterator[Sample]:
    """At most `count`."""
    chance = random.Random(f"{seed} {repository}")  # noqa: S311 - what is asked for is no secret
    programs = {e.path: e for e in index.entry_points}
    by_program: dict[str, list[Command]] = {}
    for command in (c for c in index.commands if _is_plain(c)):
        by_program.setdefault(command.target, []).append(command)
    every = [c for commands in by_program.values() for c in commands if c.source.rpartition(":")[0].lower().endswith(_DOCUMENTS)]
    of_section: dict[tuple[str, ...], set[str]] = {}
    for command in every:
        of_section.setdefault(command.headings[-1:], set()).add(command.target)
    of_one, made = Counter[str](), 0
    for command in chance.sample(every, len(every)):
        if made == count:
            return
        words = read_words(command.arguments, programs.get(command.target))
        told = _told(command, words, by_program[command.target], chance)
        if told is None or of_one[command.target] == _OF_ONE:
            continue
        if not verify(Answer("bash", shlex.join(command.words), command.workdir), index).ok:
            continue
        of_one[command.target] += 1
        made += 1
        yield _sample(command, words, told, f"{repository}/{made}", chance, alone=len(of_section[command.headings[-1:]]) == 1)


def _is_plain(command: Command) -> bool:
    """Somebody can type it as it stands."""
    if command.variables or command.loops or command.redirects or len(command.words) > _LONGEST or shows_help(command):
        return False
    if command.target.endswith("setup.py"):
        return False
    return bool(command.arguments) and not any(" " in w or stands_for_something(w) or _OPEN.search(w) for w in command.arguments)


def title_of(headings: Sequence[str]) -> str:
    """The last heading as people say it; empty if it is too short or too long for that."""
    title = _title(headings[-1]) if headings else ""
    return title if 5 < len(title) < 60 else ""


def _title(heading: str) -> str:
    return re.sub(r"[`*#:\"\[\]]|\(.*?\)", "", heading).strip()


def _told(command: Command, words: Words, alike: Sequence[Command], chance: random.Random) -> _Told | None:
    """Values that, with the section's title, only this command has; None if there are no few that do, or if nothing is left to be kept."""
    title = title_of(command.headings)
    rivals = [c for c in alike if c.arguments != command.arguments and (not title or title in map(_title, c.headings))]
    free = [(name, values[0]) for name, values in words.options.items() if len(values) == 1]
    free = [(n, v) for n, v in (*free, *(("", v) for v in words.positionals)) if _VALUE.fullmatch(v) and v.lower() not in _SAID_ANYWAY]
    chance.shuffle(free)
    told: _Told = []
    while rivals and free:
        best = max(free, key=lambda one: sum(not _has(c, one[1]) for c in rivals))
        free.remove(best)
        told.append(best)
        rivals = [c for c in rivals if _has(c, best[1])]
    kept = sum(map(bool, words.options.values())) + len(words.positionals) - len(told)
    return told if not rivals and len(told) <= _TOLD and kept else None


def _has(command: Command, value: str) -> bool:
    return any(value in (word, word.partition("=")[2]) for word in command.arguments)


def _sample(command: Command, words: Words, told: _Told, key: str, chance: random.Random, *, alone: bool) -> Sample:
    title, file = title_of(command.headings), command.target.rsplit("/", 1)[-1]
    head = chance.choice((f'I want to do what the documentation has under "{title}"', title, f"please help with: {title}")) if title else ""
    program = chance.choice((f" ({file})", f" with {file}", *[""] * alone)) if title else f"run {file}"
    said = [_said(name, value, chance) for name, value in told]
    text = ", ".join([head + program, *said])
    values = [" ".join(values) for values in words.options.values() if values] + list(words.positionals)
    return Sample(
        key=key,
        repository=key.rpartition("/")[0],
        instruction=f"{text[0].upper()}{text[1:]}.",
        language="bash",
        output=shlex.join(command.words),
        workdir=command.workdir,
        arguments={f"argument{k}": value for k, value in enumerate(values)},
    )


def _said(name: str, value: str, chance: random.Random) -> str:
    return chance.choice(_WAYS).format(name=in_words(re.split(r"[.=]", name)[-1]), value=value) if name else f"for {value}"
