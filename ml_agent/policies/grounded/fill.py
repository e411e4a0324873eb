"""Filling in: which value of the request goes to which option of a program.

An assignment problem: mentions x options, scored by names, help, types, choices, known values and word distance.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ml_agent.policies.grounded.affinity import Surroundings, mention_words, name_words
from ml_agent.policies.grounded.arguments import documented_values
from ml_agent.policies.grounded.flags import wished_flags
from ml_agent.policies.grounded.kinds import extension, file_kind, likeness, takes_kind
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.policies.grounded.vocabulary import EVERYDAY_VALUES, PATH_WORDS
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import STOPWORDS

THRESHOLD = 0.4
"""An assignment below it is a guess and is not made."""


_PLACES = frozenset("file path dir directory folder out output save ckpt checkpoint config".split())
"""Words of an option's name that make a bare number an unlikely value."""

_COUNTS = frozenset("n nb nr num number count".split())


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


_LEFT_COST = {"number": 0.7, "shape": 0.7, "quoted": 0.5, "path": 0.6, "identifier": 0.4, "name": 0.25}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A stretch of the request that may be a value, with the options that know it."""

    mention: Mention
    known: dict[str, str]
    """Option name -> the value as that option spells it."""

    @property
    def elsewhere(self) -> bool:
        return bool(self.known)


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
) -> Fill:
    """Assign the request's mentions to the program's options.

    `used` holds token positions that already named the program itself (its folder, its heading): they need no place.
    """
    options = [o for o in program.options if o.action != "help"]
    valued = [o for o in options if o.takes_value]
    documented: dict[str, list[str]] = {}
    for command in commands:
        for name, values in documented_values(program, command).items():
            documented.setdefault(name, []).extend(values)
    known = {o.name: known_values(o, documented.get(o.name, ()), families) for o in valued}
    candidates = _candidates(known, request)
    examples = {o.name: _examples(o, documented.get(o.name, ())) for o in valued}
    result = Fill()
    taken: set[int] = set(used)
    if candidates and valued:
        for option, candidate, score, first in _assign(valued, candidates, around, examples):
            values, positions = _values(option, candidate, request, examples[option.name])
            if taken.intersection(positions) - set(used):
                continue
            taken.update(positions)
            result.placed.append(Placed(option, values, score, mention_words(request, candidate.mention, first), positions))
    result.placed.extend(Placed(o, (), 0.5, request.span(min(at), max(at)), at) for o, at in wished_flags(options, program, request, taken))
    result.left = [m for m in request.mentions if m.position not in taken]
    return result


def _candidates(values: Mapping[str, Mapping[str, str]], request: Request) -> list[_Candidate]:
    """The request's mentions, and its words that some option is known to take. `values`: option name -> squeezed -> as spelled."""
    known: dict[tuple[int, int], dict[str, str]] = {}
    for name, spellings in values.items():
        for squeezed, spelled in spellings.items():
            span = request.grams.get(squeezed)
            if span and len(squeezed) > 1:
                known.setdefault(span, {})[name] = spelled
    found = [_Candidate(m, known.pop((m.position, m.position), {})) for m in request.mentions]
    for (first, last), names in known.items():
        words = request.span(first, last)
        found.append(_Candidate(Mention(words, "name", last, words), names))
    return found


def _assign(
    options: Sequence[Option], candidates: Sequence[_Candidate], around: Surroundings, examples: Mapping[str, tuple[str, ...]]
) -> list[tuple[Option, _Candidate, float, int]]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    scores = np.zeros((len(candidates), len(options)))
    firsts = np.full(scores.shape, -1)
    for i, candidate in enumerate(candidates):
        for j, option in enumerate(options):
            scores[i, j], firsts[i, j] = _score(option, candidate, around, examples[option.name])
    rows, columns = linear_sum_assignment(-np.maximum(scores - THRESHOLD, 0.0))
    pairs = [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if scores[i, j] >= THRESHOLD]
    pairs.sort(key=lambda p: -scores[p])
    return [(options[j], candidates[i], float(scores[i, j]), int(firsts[i, j])) for i, j in pairs]


def _score(option: Option, candidate: _Candidate, around: Surroundings, examples: tuple[str, ...]) -> tuple[float, int]:
    mention = candidate.mention
    fit = _fits(option, mention, examples)
    spelled = candidate.known.get(option.name)
    if fit == 0.0 and spelled is None:
        return 0.0, -1
    affinity, first = around.score(name_words(option.name), mention.position)
    for alias in option.aliases:
        if alias != option.name and len(alias.lstrip("-")) > 1:
            other, at = around.score(name_words(alias), mention.position)
            if other > affinity:
                affinity, first = other, at
    if option.help:
        said = around.help_score(option.help, mention.position)
        affinity = min(1.0, max(affinity + 0.1 * said, said))
    if mention.kind == "number" and first >= 0:
        affinity *= _agreement(option, around.request.tokens[first].text)
    if spelled is not None:
        distinctive = squeeze(spelled) not in EVERYDAY_VALUES and spelled.lower() not in STOPWORDS and len(spelled) > 1
        return (0.7 + 0.4 * affinity, first) if distinctive else (affinity, first)
    if option.choices:
        return (affinity, first) if mention.value in option.choices else (0.0, -1)
    if mention.kind == "name" and affinity < 0.6:
        return 0.0, -1
    if mention.kind in ("name", "identifier") and candidate.elsewhere:
        fit *= 0.75  # another option is known to take this value
    if mention.kind in ("path", "quoted", "identifier") and " " not in mention.value:
        kind = file_kind(mention.value)
        if kind and takes_kind(name_words(option.name), kind):
            affinity = max(affinity, 0.6)
        return max(affinity * fit, 0.75 * likeness(mention.value, examples)), first
    return affinity * fit, first


def _agreement(option: Option, said: str) -> float:
    """`100 epochs` are counted by --n_epochs or --epochs rather than by --epoch, and `epoch 100` is the other way round."""
    words = name_words(option.name)
    counts = bool(_COUNTS.intersection(words)) or words[-1].endswith("s")
    return 1.0 if counts == said.lower().endswith("s") else 0.95


def _fits(option: Option, mention: Mention, examples: tuple[str, ...] = ()) -> float:
    """How well the kind of value suits the option's type, 0 to 1. `examples`: values that are documented for it."""
    if mention.kind == "number":
        return _number_fits(option, mention.value)
    if mention.kind == "shape":
        return (
            0.9 if option.nargs or option.type in (None, "str", "list", "eval", "literal_eval", "ast.literal_eval", "json.loads") else 0.0
        )
    if option.type in ("int", "float", "bool") or _numeric(option.default):
        return 0.0
    pathlike = bool(PATH_WORDS.intersection(name_words(option.name)))
    if examples and bool(extension(mention.value)) != any(extension(e) for e in examples):
        return 0.2 if not extension(mention.value) else 0.5
    if mention.kind == "path":
        return 1.0 if pathlike else 0.75
    return 0.85 if pathlike and mention.kind != "quoted" else 1.0


def _number_fits(option: Option, value: str) -> float:
    if option.choices:
        return 1.0 if value in option.choices else 0.0
    if option.type == "int":
        return 1.0 if re.fullmatch(r"-?\d+", value) else 0.0
    if option.type == "float" or _numeric(option.default):
        return 1.0
    if option.type == "bool":
        return 0.1
    if option.default and re.fullmatch(r"""['"][A-Za-z_./\\~].*['"]""", option.default):
        return 0.35
    return 0.2 if _PLACES.intersection(name_words(option.name)) else 0.9


def default_strings(option: Option) -> list[str]:
    """The strings of a default: itself, or the members of a list."""
    return re.findall(r"""['"]([^'"]+)['"]""", option.default or "") if re.match(r"""['"\[(]""", option.default or "") else []


def _examples(option: Option, documented: Iterable[str]) -> tuple[str, ...]:
    values = (re.sub(r"\$\{?\w+\}?/?", "", v) for v in (*documented, *default_strings(option)))
    return tuple(dict.fromkeys(v for v in values if v))


def _numeric(default: str | None) -> bool:
    return bool(default and re.fullmatch(r"-?[\d.]+(?:[eE][-+]?\d+)?", default))


def _values(option: Option, candidate: _Candidate, request: Request, examples: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
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
