"""Which value of the request takes the place of which literal of a snippet: log odds, as `pairing` has them for options.

A literal is described as an option of its name, whose help is the comment beside it and whose one example is what it says; and by what
only literals have. The weights are fitted by `python -m ml_agent.benchmarks.pairs --language python`.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.assigning import RULE, best_of, called, is_result, rule
from ml_agent.policies.grounded.fitting import Candidate, Places, fits, score
from ml_agent.policies.grounded.kinds import file_kind, same_scheme
from ml_agent.policies.grounded.literals import FROM_HUB, SAMPLERS, Literal
from ml_agent.policies.grounded.pairing import FEATURES, describe, log_odds, said_around
from ml_agent.policies.grounded.request import Mention, squeeze
from ml_agent.policies.grounded.slots import Placed
from ml_agent.policies.grounded.weights import KINDS, Weights, alone, read_weights
from ml_agent.repo.entrypoints import Option

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OWN = (
    "rule rule_speaks suits equal called has_name has_call sampler from_hub names_model in_list same_file one_file hub_name slash "
    "slash_there space space_there long_there said_above said_behind index constant"
).split()
_AMONG = "apart only_place only_value only_both places repeated position".split()
LITERAL_FEATURES = (*FEATURES, *_OWN, *_AMONG)
LEAST, RULED = -1.5, -3.0
"""Log odds that a pair needs: one that no rule speaks for, and one that they do."""
_LONG = 3
"""Words from which on a literal is a text."""


@dataclass(frozen=True, slots=True)
class WeighedLiterals:
    """All pairs of some values (rows) with some literals (columns)."""

    mentions: Sequence[Mention]
    literals: Sequence[Literal]
    features: "NDArray[Any]"
    """[pairs, len(LITERAL_FEATURES)]"""
    pairs: tuple[Sequence[int], Sequence[int]]
    """Row and column of each pair."""
    odds: "NDArray[Any]"
    """[mentions, literals], natural logarithms; -inf for what cannot be a pair."""
    rules: "NDArray[Any]"
    """The same shape: what the rules say, 0 to 1."""


@cache
def fitted() -> Weights:
    """The weights of this release."""
    return read_weights("literal_weights.json", LITERAL_FEATURES)


@cache
def by_rules() -> Weights:
    """Those with which only the rules count."""
    return alone("rule", LITERAL_FEATURES, dict.fromkeys(KINDS, RULE), dict.fromkeys(KINDS, LEAST))


def likeliest(weighed: WeighedLiterals) -> list[Placed]:
    """The best pairs over all by their odds."""
    import numpy as np

    if not len(weighed.features):
        return []
    return best_of(weighed.mentions, weighed.literals, weighed.odds - np.where(weighed.rules >= RULE, RULED, LEAST), weighed.rules)


def weigh_literals(
    mentions: Sequence[Mention],
    literals: Sequence[Literal],
    around: Surroundings,
    weights: Weights | None = None,
    barred: Collection[tuple[int, int]] = (),
) -> WeighedLiterals:
    """All pairs that can be. `weights`: those of this release, if not given. `barred`: a value's position with a literal's start."""
    import numpy as np

    shape = (len(mentions), len(literals))
    rules, odds = np.zeros(shape), np.full(shape, -np.inf)
    among, options = _Among(mentions, literals), [_as_option(x) for x in literals]
    rows, columns, described = [], [], []
    schemed = {j for j, x in enumerate(literals) if x.kind == "string" and any(_of_scheme(m, x) for m in mentions)}
    for i, mention in enumerate(mentions):
        candidate = Candidate(mention, {})
        said = said_around(candidate, around, options)
        for j, literal in enumerate(literals):
            suits = literal.suits(mention)
            if not _may_stand(mention, literal, suits) or is_result(mention, literal, around):
                continue
            if mention.kind == "path" and j in schemed and not same_scheme(literal.text, mention.value.rpartition("/")[2]):
                continue
            if (mention.position, literal.start) in barred:
                continue
            rules[i, j] = rule(mention, literal, around, suits)
            option, example = options[j], (literal.text,)
            found, _ = score(option, candidate, around, example)
            base = describe(option, candidate, said, around, example, Places(), found, fits(option, mention, example), None)
            own = _own(mention, literal, around, suits, float(rules[i, j]))
            rows.append(i)
            columns.append(j)
            described.append([float(value) for value in (*base, *own, *among.features(mention, i, j))])
    features = np.array(described).reshape(-1, len(LITERAL_FEATURES))
    if described:
        odds[rows, columns] = log_odds(features, [mentions[i].kind for i in rows], weights or fitted())
    return WeighedLiterals(mentions, literals, features, (rows, columns), odds, rules)


def _of_scheme(mention: Mention, literal: Literal) -> bool:
    """A name made as the one that stands there, which no folder takes the place of: `owl-base-v1` of `wren-base`."""
    return mention.kind in ("identifier", "quoted") and same_scheme(literal.text, mention.value)


def _may_stand(mention: Mention, literal: Literal, suits: float) -> bool:
    if literal.kind == "string":
        return mention.kind not in ("number", "shape")
    return suits > 0.0


def _as_option(literal: Literal) -> Option:
    name = f"--{literal.names[0] if literal.names else literal.call or 'value'}"
    try:
        kind = "float" if not float(literal.text).is_integer() or "." in literal.text else "int"
    except (ValueError, OverflowError):
        kind = "str"
    default = repr(literal.text) if literal.kind == "string" else literal.text
    return Option(name, (name,), type=kind, default=default, help=literal.comment or literal.above, source="")


def _own(mention: Mention, literal: Literal, around: Surroundings, suits: float, ruled: float) -> tuple[float, ...]:
    """The values of _OWN."""
    mine, there = file_kind(mention.value), file_kind(literal.text)
    at = mention.position
    return (
        ruled, ruled >= RULE, suits, squeeze(mention.value) == squeeze(literal.text), called(literal, mention, around),
        bool(literal.names), bool(literal.call), literal.call in SAMPLERS, bool(FROM_HUB.search(literal.call.lower())), literal.names_model,
        literal.texts != (0, 0), mine is not None and mine == there, (mine is None) != (there is None), mention.may_be_hub_name,
        "/" in mention.value, "/" in literal.text, " " in mention.value, " " in literal.text, len(literal.text.split()) > _LONG,
        around.help_score(literal.above, at) if literal.above else 0.0, around.help_score(literal.comment, at) if literal.comment else 0.0,
        literal.names[:1] == ("index",), bool(literal.names) and literal.names[0].isupper(),
    )  # fmt: skip


class _Among:
    """Where values and literals stand among the others of their kind."""

    def __init__(self, mentions: Sequence[Mention], literals: Sequence[Literal]) -> None:
        self._literals = literals
        self._kinds, self._alike = Counter(x.kind for x in literals), Counter(m.kind for m in mentions)
        self._names = Counter(x.names for x in literals)
        self._before, self._ahead = _ordinals([m.kind for m in mentions]), _ordinals([x.kind for x in literals])

    def features(self, mention: Mention, row: int, column: int) -> tuple[float, ...]:
        """The values of _AMONG."""
        literal = self._literals[column]
        places, values = self._kinds[literal.kind], self._alike[mention.kind]
        apart = abs(self._ahead[column] / max(1, places - 1) - self._before[row] / max(1, values - 1))
        repeated, position = self._names[literal.names] > 1, column / len(self._literals)
        return (apart, places == 1, values == 1, places == values == 1, math.log1p(places), repeated, position)


def _ordinals(kinds: Sequence[str]) -> list[int]:
    """How many of its kind stand before each."""
    seen: Counter[str] = Counter()
    found = []
    for kind in kinds:
        found.append(seen[kind])
        seen[kind] += 1
    return found
