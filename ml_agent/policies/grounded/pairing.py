"""Which value of the request belongs to which option: log odds, by weights that are fitted on tasks of other repositories.

A conditional logit (McFadden 1974): each value chooses one of the program's options, or none. What it goes by are `FEATURES`: the score
that the rules of `fitting` give, what that is made of, and what kind of option it is. `python -m ml_agent.benchmarks.pairs` fits the
weights and tells how well they do on repositories that were left out.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ml_agent.policies.grounded.affinity import Near, Surroundings
from ml_agent.policies.grounded.customs import by_custom
from ml_agent.policies.grounded.devices import is_elsewhere
from ml_agent.policies.grounded.fitting import Candidate, Places, fits, named_after, score
from ml_agent.policies.grounded.kinds import alike_named, file_kind, likeness, takes_kind
from ml_agent.policies.grounded.knowledge import is_distinctive
from ml_agent.policies.grounded.letters import words_of
from ml_agent.policies.grounded.lists import list_style
from ml_agent.policies.grounded.naming import agrees, named
from ml_agent.policies.grounded.numeric import as_number, compared, is_choice, is_numeric
from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.settings import claim
from ml_agent.policies.grounded.suited import suited_by
from ml_agent.policies.grounded.verbatim import explained_exactly, longer_names, naming
from ml_agent.policies.grounded.weights import CLASSES, KINDS, Weights, alone, read_weights
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import split_identifier, stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEATURES = (
    "score score_some score_fair score_good named named_fit agrees helped fit custom like same known spoken elsewhere takes_kind "
    "named_after alike explained explained_help named_explained beside beside_help phrase phrase_help silent near behind "
    "open open_fit present documented examples required positional order assigned default numeric_default int float str untyped "
    "choices among_choices several words magnitude numbers fractions no_numbers explained_exactly"
).split()
LEAST = {"number": -2.5, "shape": -2.5, "path": -2.0, "quoted": -2.0, "identifier": -2.0, "name": -2.0, "word": -2.0}
"""Log odds that a pair needs that no rule speaks for, by the kind of value. Far below zero, for a value that is left out is surely
wrong, and one at a wrong option seldom more so; names may be meant for nothing."""
Opinions = Mapping[tuple[str, int], float]
"""What is added to the log odds of pairs, an option's name with the position of a value; -inf where it is no pair."""
_WORDS = frozenset({"identifier", "name", "word"})
"""Kinds of mentions that are values only if a rule speaks for it: the request has many others of them."""
FAIR, SURE = 0.22, 0.4
"""Scores by the rules: from the first on a pair may be guessed, from the second on the rules speak for it."""
_MARGIN = 0.05
_SEVERAL = 3
"""Numbers that make a list, and no two values."""
_PHRASED = 1.0
_CLOSE, _PHRASE, _REACH = 0.5, 3, 6
_RANDOM = frozenset(map(stem, ("random", "reproducible", "reproducibility", "reproduce", "deterministic", "generator", "rng")))
_NOT_SUITED = 1.5
"""What an option loses of its log odds for a file that another one is called after, and for a place if it takes words."""
_FAR, _MOST_EXAMPLES = 12, 5


@dataclass(frozen=True, slots=True)
class Weighed:
    """All pairs of some candidates (rows) with some options (columns)."""

    options: Sequence[Option]
    candidates: Sequence[Candidate]
    features: "NDArray[Any]"
    """[pairs, len(FEATURES)]"""
    pairs: tuple[Sequence[int], Sequence[int]]
    """Row and column of each pair. What cannot be a pair is left out."""
    scores: "NDArray[Any]"
    """[candidates, options], by `fitting.score`; 0 for what cannot be a pair."""
    firsts: "NDArray[Any]"
    """The same shape: the farthest token that names the option, or -1."""
    odds: "NDArray[Any]"
    """The same shape: natural logarithms; -inf for what cannot be a pair."""
    places: Places

    def stands_out(self, row: int, column: int) -> bool:
        """Whether no other option comes near it by the score of the rules."""
        others = [score for j, score in enumerate(self.scores[row]) if j != column]
        return not others or bool(self.scores[row, column] - max(others) >= _MARGIN)


@cache
def fitted() -> Weights:
    """The weights of this release."""
    return read_weights("pair_weights.json", FEATURES)


@cache
def by_rules() -> Weights:
    """Those with which only the score of the rules counts, and how much of the words in front names the option: for parameters of Python
    functions, of which nothing was learnt.
    """
    least = dict.fromkeys(KINDS, FAIR) | dict.fromkeys(("name", "word"), SURE)
    weights = alone("score", FEATURES, least, LEAST)
    weights.features[0, FEATURES.index("phrase")] = _PHRASED
    return weights


def weigh(
    options: Sequence[Option],
    candidates: Sequence[Candidate],
    around: Surroundings,
    examples: Mapping[str, tuple[str, ...]],
    places: Places,
    opinions: Opinions = MappingProxyType({}),
    weights: Weights | None = None,
) -> Weighed:
    """`examples`: what is documented for each option, by its name. `weights`: those of this release, if not given."""
    import numpy as np

    shape = (len(candidates), len(options))
    scores, firsts, odds, added = np.zeros(shape), np.full(shape, -1), np.full(shape, -np.inf), np.zeros(shape)
    rows, columns, described = [], [], []
    ordinals = {o.name: k for k, o in enumerate(o for o in options if o.positional)}
    names = {at for c in candidates for at in naming(options, c.known, around.beside(c.mention.position))}
    for i, candidate in enumerate(candidates):
        if candidate.mention.kind in _WORDS and candidate.mention.position in names:
            continue
        said, at = said_around(candidate, around, options), candidate.mention.position
        longer = longer_names(options, at, around.beside(at), around.request)
        suited = suited_by(options, candidate.mention, examples, around.request.stems)
        for j, option in enumerate(options):
            share = claim(option, candidate.mention.kind, known=option.name in candidate.known)
            added[i, j] = opinions.get((option.name, at), 0.0) - (_NOT_SUITED if suited and option.name not in suited else 0.0)
            if not share or not _may_take(option, candidate) or added[i, j] == -math.inf or _wants_more(option, candidate, around):
                continue
            if option.name in longer or is_elsewhere(option, candidate.mention, around.request) or _is_unspoken(option, candidate, around):
                continue
            found, first = score(option, candidate, around, examples[option.name], places)
            fit = fits(option, candidate.mention, examples[option.name])
            if found == 0.0 and (fit == 0.0 or candidate.mention.kind in _WORDS):
                continue
            if candidate.spoken and found < SURE:
                continue  # it is not even said
            scores[i, j], firsts[i, j] = found * share, first
            rows.append(i)
            columns.append(j)
            described.append(
                describe(option, candidate, said, around, examples[option.name], places, found * share, fit, ordinals.get(option.name))
            )
    scalar = [not (o.nargs or list_style(o, examples[o.name])) for o in options]
    features = np.array(described).reshape(-1, len(FEATURES))
    if described:
        odds[rows, columns] = log_odds(features, [candidates[i].mention.kind for i in rows], weights or fitted()) + added[rows, columns]
        odds[_members(candidates, scores, scalar, around)] = -np.inf
    return Weighed(options, candidates, features, (rows, columns), scores, firsts, odds, places)


def _members(candidates: Sequence[Candidate], scores: "NDArray[Any]", scalar: Sequence[bool], around: Surroundings) -> "NDArray[Any]":
    """[candidates, options]: what cannot be a pair, for the value is one of a list of three or more, which another option takes."""
    import numpy as np

    runs = [around.request.run_at(c.mention.position) for c in candidates]
    lists = ~np.array(scalar, dtype=bool)
    found = np.zeros(scores.shape, dtype=bool)
    for run in {run for run in runs if len(run) >= _SEVERAL and run[0].kind == "number"}:
        rows = [i for i, other in enumerate(runs) if other == run]
        if scores[rows][:, lists].max(initial=0.0) >= FAIR:
            found[rows] = ~lists
    return found


def _may_take(option: Option, candidate: Candidate) -> bool:
    """Whether it is one of the choices, if there are."""
    spelled = option.name in candidate.known or option.name in candidate.spoken
    return not option.choices or spelled or is_choice(option, candidate.mention.value)


_INTERNAL = re.compile(r"(?:^|\.)_[a-z]+_$")


def _is_unspoken(option: Option, candidate: Candidate, around: Surroundings) -> bool:
    """Where hydra reads its configuration from, what is its own in there (`model._target_`), and what draws random numbers: nobody means
    that who says nothing of it.
    """
    if option.assigned and _INTERNAL.search(option.name):
        return True
    if candidate.mention.kind == "number" and words_of(option)[-1:] == ("seed",):
        return "seed" not in around.request.stems and not _RANDOM & around.request.stems
    if option.name not in ("--config-path", "--config-name", "--config-dir"):
        return False
    return file_kind(candidate.mention.value) != "config" and not {"config", stem("configuration")} & around.request.stems


def _wants_more(option: Option, candidate: Candidate, around: Surroundings) -> bool:
    """Whether the program refuses so few numbers: `nargs=2`, and one is said."""
    wanted = option.fixed_count
    return wanted is not None and candidate.mention.kind == "number" and len(around.request.run(candidate.mention)) < wanted


def log_odds(features: "NDArray[Any]", kinds: Sequence[str], weights: Weights) -> "NDArray[Any]":
    """Of each pair against no option at all. `kinds`: of the pairs' mentions."""
    import numpy as np

    each = weights.features[0] + weights.features[[1 + CLASSES[kind] for kind in kinds]]
    odds: NDArray[Any] = np.einsum("pf,pf->p", features, each) - np.array([weights.bias[kind] for kind in kinds])
    return odds


@dataclass(frozen=True, slots=True)
class Said:
    """What stands around one value, whatever option it is for."""

    near: Sequence[Near]
    total: float
    """Sum of the factors of `near`."""
    next_to: frozenset[str]
    phrase: Sequence[str]
    """Stems in front of it, the nearest first."""
    ordinal: int | None
    """How many files and names stand before it, if it is one."""
    explained: frozenset[str]
    """Names of the options whose help stands beside it as it is."""


def said_around(candidate: Candidate, around: Surroundings, options: Sequence[Option]) -> Said:
    at = candidate.mention.position
    near = [n for n in around.near(at) if n.factor > _CLOSE]
    before = {n.stem: None for n in sorted(near, key=lambda n: (at - n.position, n.stem)) if 0 < at - n.position <= _REACH}
    files = [m.position for m in around.request.mentions if m.kind in ("path", "quoted", "identifier")]
    return Said(
        near,
        sum(n.factor for n in near) or 1.0,
        frozenset(n.stem for n in near if abs(n.position - at) == 1),
        list(before)[:_PHRASE],
        files.index(at) if at in files else None,
        explained_exactly(options, around.beside(at)),
    )


def describe(
    option: Option,
    candidate: Candidate,
    said: Said,
    around: Surroundings,
    examples: tuple[str, ...],
    places: Places,
    found: float,
    fit: float,
    ordinal: int | None,
) -> list[float]:
    """The values of FEATURES."""
    mention = candidate.mention
    at, value = mention.position, mention.value
    words = words_of(option)
    affinity, first = named(option, at, around)
    spelled = candidate.known.get(option.name)
    kind = file_kind(value)
    named_by, helped_by = _stems_of(words), _stems_of_help(option.help)
    near, total, next_to, phrase = said.near, said.total, said.next_to, said.phrase
    explained = sum(n.factor for n in near if n.stem in named_by) / total
    magnitude, numbers, fractions = compared(value, option, examples)
    is_number = as_number(value) is not None
    return [
        found, found > 0, found >= FAIR, found >= SURE,
        affinity, affinity * fit, first >= 0 and agrees(option, around.request.tokens[first].text),
        around.help_score(option.help, at) if option.help else 0.0, fit,
        0.0 if candidate.spoken else by_custom(option, mention, around), likeness(value, examples), value in examples,
        0.0 if spelled is None else 2.0 if is_distinctive(spelled) else 1.0, option.name in candidate.spoken,
        bool(candidate.known) and spelled is None, bool(kind) and takes_kind(words, kind or ""), named_after(option, mention),
        any(alike_named(value, e) for e in examples),
        explained, sum(n.factor for n in near if n.stem in helped_by) / total, explained * affinity,
        not next_to.isdisjoint(named_by), not next_to.isdisjoint(helped_by),
        sum(w in named_by for w in phrase) / len(phrase) if phrase else 0.0,
        sum(w in named_by or w in helped_by for w in phrase) / len(phrase) if phrase else 0.0,
        not near, 1.0 / (1.0 + min(_FAR, abs(first - at) if first >= 0 else _FAR + 1)), first > at,
        option.name in places.open, fit * (option.name in places.open), option.name in places.present, bool(examples),
        min(_MOST_EXAMPLES, len(examples)), option.required, option.positional,
        ordinal is not None and said.ordinal == ordinal, option.assigned,
        option.default not in (None, "None"), is_numeric(option.default), option.type == "int", option.type == "float",
        option.type == "str", option.type is None, bool(option.choices), is_choice(option, value),
        bool(option.nargs), len(_last(words, option)), magnitude, numbers, fractions, is_number and bool(examples) and not numbers,
        option.name in said.explained,
    ]  # fmt: skip


def _last(words: Sequence[str], option: Option) -> Sequence[str]:
    """Without those of the section that a setting is in."""
    return name_words(option.name.rpartition(".")[2]) if "." in option.name and not option.positional else words


@cache
def _stems_of(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(s for word in words for phrase in phrases_for(word) for s in phrase)


@cache
def _stems_of_help(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in split_identifier(text))
