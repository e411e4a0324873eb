"""Filling in: which value of the request goes to which option of a program.

An assignment problem: mentions x options, scored by names, help, types, choices, known values and word distance.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ml_agent.policies.grounded.affinity import Surroundings, mention_words, name_words
from ml_agent.policies.grounded.arguments import documented_values, find_option
from ml_agent.policies.grounded.bindings import Binding
from ml_agent.policies.grounded.fitting import Candidate, score
from ml_agent.policies.grounded.flags import wished_flags
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option

THRESHOLD = 0.4
"""An assignment below it is a guess and is not made."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One option with the values that the request gives it."""

    option: Option
    values: tuple[str, ...]
    score: float
    words: str
    """Of the request, verbatim."""
    positions: tuple[int, ...]
    """Token positions of the values."""


@dataclass(slots=True)
class Fill:
    """What of the request found a place in a program, and what did not."""

    placed: list[Placed] = field(default_factory=list)
    left: list[Mention] = field(default_factory=list)

    @property
    def score(self) -> float:
        return sum(p.score for p in self.placed) - sum(_LEFT_COST[m.kind] for m in self.left)


_LEFT_COST = {"number": 0.7, "shape": 0.7, "quoted": 0.5, "path": 0.6, "identifier": 0.4, "name": 0.25, "word": 0.0}


Families = Sequence[frozenset[str]]
"""The choices that options of the repository have: words that stand for the same kind of thing."""


def choice_families(programs: Iterable[EntryPoint]) -> Families:
    """Every set of choices, once, of at least two words."""
    return sorted({frozenset(o.choices) for p in programs for o in p.options if o.choices and len(o.choices) > 1}, key=sorted)


def known_values(option: Option, documented: Iterable[str], families: Families = ()) -> dict[str, str]:
    """Words that the option is known to take, squeezed -> as spelled.

    They are its choices, its documented values, its default, and, if a documented value is one of another option's choices,
    those choices.
    """
    values = [*(option.choices or ()), *documented]
    if {"device", "accelerator"}.intersection(name_words(option.name)) and option.type not in ("int", "float"):
        values.extend(("cpu", "cuda", "mps"))
    if not option.choices:
        seen = frozenset(values)
        values.extend(sorted({v for family in families if family & seen for v in family}))
        values.extend(default_strings(option))
    return {
        squeeze(v): v
        for v in reversed(values)
        if squeeze(v) and not re.fullmatch(r"[-+\d.,e]+|true|false|none", v, re.IGNORECASE) and "$" not in v and len(v) < 80
    }


def fill(
    program: EntryPoint,
    commands: Sequence[Command],
    request: Request,
    around: Surroundings,
    used: frozenset[int] = frozenset(),
    families: Families = (),
    bindings: Sequence[Binding] = (),
) -> Fill:
    """Assign the request's mentions to the program's options.

    `used` holds token positions that already named the program itself (its folder, its heading): they need no place. What
    `bindings` says in so many signs is settled first.
    """
    result = Fill(bound(program, bindings))
    settled = {p for placed in result.placed for p in placed.positions}
    given = {placed.option.name for placed in result.placed}
    options = [o for o in program.options if o.action != "help" and o.name not in given]
    valued = [o for o in options if o.takes_value]
    documented: dict[str, list[str]] = {}
    for command in commands:
        for name, values in documented_values(program, command).items():
            documented.setdefault(name, []).extend(values)
    known = {o.name: known_values(o, documented.get(o.name, ()), families) for o in valued}
    spellings = {squeeze(alias) for o in program.options for alias in o.aliases}
    settled |= {m.position for m in request.mentions if m.kind == "identifier" and squeeze(m.value) in spellings}  # an option's own name
    candidates = [c for c in _candidates(known, request) if c.mention.position not in settled]
    examples = {o.name: _examples(o, documented.get(o.name, ())) for o in valued}
    taken = set(used) | settled
    if candidates and valued:
        for option, candidate, strength, first in _assign(valued, candidates, around, examples):
            values, positions = _values(option, candidate, request, examples[option.name])
            if taken.intersection(positions) - used:
                continue
            taken.update(positions)
            result.placed.append(Placed(option, values, strength, mention_words(request, candidate.mention, first), positions))
    result.placed.extend(Placed(o, (), 0.5, request.span(min(at), max(at)), at) for o, at in wished_flags(options, program, request, taken))
    result.left = [m for m in request.mentions if m.position not in taken]
    return result


def bound(program: EntryPoint, bindings: Sequence[Binding]) -> list[Placed]:
    """The bindings that name an option of the program: exactly, by an unambiguous prefix, or without its dashes."""
    found: dict[str, Placed] = {}
    for binding in bindings:
        option = find_option(program, binding.name) or next(
            (o for o in program.options if any(squeeze(a) == squeeze(binding.name) for a in o.aliases)), None
        )
        if option is None or option.action == "help" or (option.takes_value and not binding.value):
            continue
        values = (binding.value,) if option.takes_value else ()
        positions = binding.positions if option.takes_value else binding.positions[:1]
        found[option.name] = Placed(option, values, 1.1, binding.words if values else binding.name, positions)
    return list(found.values())


def _candidates(values: Mapping[str, Mapping[str, str]], request: Request) -> list[Candidate]:
    """The request's mentions, and its words that some option is known to take. `values`: option name -> squeezed -> as spelled."""
    known: dict[tuple[int, int], dict[str, str]] = {}
    for name, spellings in values.items():
        for squeezed, spelled in spellings.items():
            span = request.grams.get(squeezed)
            if span and len(squeezed) > 1:
                known.setdefault(span, {})[name] = spelled
    found = [Candidate(m, known.pop((m.position, m.position), {})) for m in request.mentions]
    for (first, last), names in known.items():
        words = request.span(first, last)
        found.append(Candidate(Mention(words, "name", last, words), names))
    return found


def _assign(
    options: Sequence[Option], candidates: Sequence[Candidate], around: Surroundings, examples: Mapping[str, tuple[str, ...]]
) -> list[tuple[Option, Candidate, float, int]]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    scores = np.zeros((len(candidates), len(options)))
    firsts = np.full(scores.shape, -1)
    for i, candidate in enumerate(candidates):
        for j, option in enumerate(options):
            scores[i, j], firsts[i, j] = score(option, candidate, around, examples[option.name])
    rows, columns = linear_sum_assignment(-np.maximum(scores - THRESHOLD, 0.0))
    pairs = [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if scores[i, j] >= THRESHOLD]
    pairs.sort(key=lambda p: -scores[p])
    return [(options[j], candidates[i], float(scores[i, j]), int(firsts[i, j])) for i, j in pairs]


def default_strings(option: Option) -> list[str]:
    """The strings of a default: itself, or the members of a list."""
    return re.findall(r"""['"]([^'"]+)['"]""", option.default or "") if re.match(r"""['"\[(]""", option.default or "") else []


def _examples(option: Option, documented: Iterable[str]) -> tuple[str, ...]:
    values = (re.sub(r"\$\{?\w+\}?/?", "", v) for v in (*documented, *default_strings(option)))
    return tuple(dict.fromkeys(v for v in values if v))


def _values(option: Option, candidate: Candidate, request: Request, examples: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The values to give, and where they stand. An option of several values takes the whole run of numbers."""
    mention = candidate.mention
    spelled = candidate.known.get(option.name)
    if spelled is not None:
        return (spelled,), (mention.position,)
    if mention.kind == "number" and "," in mention.words and any("," in e for e in examples):
        return (mention.words,), (mention.position,)  # a list of numbers, not a thousand
    if mention.kind == "shape" and option.nargs:
        return tuple(re.findall(r"[^\s,()\[\]]+", mention.value)), (mention.position,)
    if mention.kind == "number" and option.nargs and option.nargs != "?":
        run = _number_run(mention, request)
        return tuple(m.value for m in run), tuple(m.position for m in run)
    return (mention.value,), (mention.position,)


_JOINERS = frozenset({"to", "and", "by", "x", "-"})


def _number_run(mention: Mention, request: Request) -> list[Mention]:
    """The numbers written in one go with this one: `0.1 0.2`, `256, 128 and 64`, `0 to 0.5`."""
    numbers = {m.position: m for m in request.mentions if m.kind == "number"}
    run = [mention]
    for step in (1, -1):
        at = mention.position
        while True:
            following = at + step
            while 0 <= following < len(request.tokens) and (
                request.tokens[following].kind == "comma" or request.tokens[following].text.lower() in _JOINERS
            ):
                following += step
            if following not in numbers:
                break
            run.append(numbers[following])
            at = following
    return sorted(run, key=lambda m: m.position)
