"""The best pairs of values and options over all, by their odds; and what comes next if one of them is wrong."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from ml_agent.policies.grounded.fitting import Candidate
from ml_agent.policies.grounded.pairing import FAIR, LEAST, SURE, Weighed
from ml_agent.repo.entrypoints import Option

if TYPE_CHECKING:
    from numpy.typing import NDArray

Values = tuple[tuple[str, ...], tuple[int, ...]]
"""What an option is given, and the positions where that stands in the request."""
RULED, HINTED, SILENT = -4.0, -3.0, -1.0
"""Log odds that a pair needs (see LEAST) that the rules speak for; that they say something of; and, at least, that they say nothing of:
an option that nothing in the request points to is seldom meant."""
INSTEAD = {"number": -1.5, "shape": -1.5, "path": -1.0, "quoted": -1.0, "identifier": 0.0, "name": 0.0, "word": 0.0}
"""The same, where it takes the place of a documented value, which may be meant."""
_LATER = 1e-4
"""What a value loses to those before it: of equals, the first is chosen. And, at most, what an option loses to those before it, the first
value the most: of equals, the first value is of the first option, and the second of the second."""
_TIE = 0.05
"""Where no rule speaks for a pair, and another option is as likely, it is not chosen."""


def best_pairs(weighed: Weighed, without: Collection[int] = ()) -> list[tuple[int, int]]:
    """Row and column of the best pairs over all, each option and each candidate once, the surest first.

    `without`: rows in which no pair is made.
    """
    gained = worth(weighed)
    gained[list(without)] = -math.inf
    pairs = [pair for pair in assignment(gained) if not _is_tie(weighed, *pair)]
    return sorted(pairs, key=lambda pair: -weighed.odds[pair])


def with_values(
    weighed: Weighed, values_of: Callable[[Option, Candidate], Values], taken: Collection[int] = ()
) -> list[tuple[int, int, Values]]:
    """The best pairs over all with their values. One that another pair takes along in its list makes no pair of its own: the option
    that it would have had is free for the others. `taken`: positions of which nothing may be used.
    """
    along: set[int] = set()
    while True:
        found: list[tuple[int, int, Values]] = []
        pairs, gone = best_pairs(weighed, along), set(taken)
        for row, column in pairs:
            values = values_of(weighed.options[column], weighed.candidates[row])
            if gone.isdisjoint(values[1]):
                gone.update(values[1])
                found.append((row, column, values))
        more = {row for row, _ in pairs if weighed.candidates[row].mention.position in gone.difference(taken)} - {row for row, *_ in found}
        if not more:
            return found
        along |= more


def worth(weighed: Weighed) -> "NDArray[Any]":
    """[candidates, options]: what each pair adds, log(1 + odds); -inf if its log odds are below what it needs.

    So an unlikely pair adds next to nothing, and is no reason to give up a likely one; and which option it is does not depend on what
    each needs: one with a documented value is meant as often as another.
    """
    import numpy as np

    kinds = [c.mention.kind for c in weighed.candidates]
    plain = np.array([[(INSTEAD if o.name in weighed.places.present else LEAST)[kind] for o in weighed.options] for kind in kinds])
    scores = weighed.scores
    needed = np.select([scores >= SURE, scores >= FAIR, scores == 0.0], [RULED, HINTED, np.maximum(plain, SILENT)], plain)
    rows, columns = weighed.odds.shape
    crossed = np.linspace(1.0, 0.0, rows, endpoint=False)[:, None] * np.linspace(0.0, 1.0, columns, endpoint=False)[None, :]
    gained = np.round(np.logaddexp(0.0, weighed.odds), 2) - _LATER * (np.arange(rows)[:, None] + crossed)
    found: NDArray[Any] = np.where(weighed.odds >= needed, gained, -np.inf)
    for column, option in enumerate(weighed.options):
        found[_said_beside_another(weighed, column, option), column] = -np.inf
    return found


def _said_beside_another(weighed: Weighed, column: int, option: Option) -> list[int]:
    """The rows of an option's default where another of its choices is said as well: `weave it, and dye it`."""
    if not option.choices:
        return []
    usual, spelled = (option.default or "").strip("'\""), {k: c.known.get(option.name) for k, c in enumerate(weighed.candidates)}
    others = [weighed.scores[k, column] for k, word in spelled.items() if word not in (None, usual)]
    return [k for k, word in spelled.items() if word == usual and weighed.scores[k, column] <= max(others, default=-1.0)]


def assignment(odds: "NDArray[Any]") -> list[tuple[int, int]]:
    """Row and column of the pairs that are worth most together, each row and column once; none below 0."""
    import lap  # scipy's takes 0.3 s to import
    import numpy as np

    if not odds.size:
        return []  # of a table without rows and columns, lap 0.5.13 frees what it never had: the process ends
    _, column_of, _ = lap.lapjv(-np.maximum(odds, 0.0), extend_cost=True)
    return [(i, int(j)) for i, j in enumerate(column_of) if j >= 0 and odds[i, j] >= 0.0]


def _is_tie(weighed: Weighed, row: int, column: int) -> bool:
    others = [odds for j, odds in enumerate(weighed.odds[row]) if j != column]
    return weighed.scores[row, column] < SURE and bool(others) and max(others) > weighed.odds[row, column] - _TIE


def next_best(weighed: Weighed) -> Sequence[tuple[float, tuple[str, int]]]:
    """Each pair of the best assignment, an option's name with the position of a value, and what all pairs together are worth less
    without it; the least missed first."""
    odds = worth(weighed)
    pairs = assignment(odds)
    whole = _total(odds, pairs)
    found = []
    for row, column in pairs:
        without = odds.copy()
        without[row, column] = -math.inf
        lost = whole - _total(without, assignment(without))
        found.append((lost, (weighed.options[column].name, weighed.candidates[row].mention.position)))
    return sorted(found)


def forced(weighed: Weighed, left: Collection[int], given: Collection[str]) -> list[tuple[str, int]]:
    """The likeliest pairs, unlikely as they are, of values that no pair was made of: an option's name with the position of a value.

    `left`: positions of the values. `given`: names of the options that have values.
    """
    import numpy as np

    rows = [row for row, c in enumerate(weighed.candidates) if c.mention.position in left]
    columns = [column for column, option in enumerate(weighed.options) if option.name not in given]
    odds = weighed.odds[np.ix_(rows, columns)]
    lowest = odds[np.isfinite(odds)].min(initial=0.0)
    pairs = assignment(np.where(np.isfinite(odds), odds - lowest, -np.inf))
    return [(weighed.options[columns[j]].name, weighed.candidates[rows[i]].mention.position) for i, j in pairs]


def _total(odds: "NDArray[Any]", pairs: Sequence[tuple[int, int]]) -> float:
    return float(sum(odds[pair] for pair in pairs))
