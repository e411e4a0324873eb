"""What the answer would be if one value belonged elsewhere: the next best assignments of values to options."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ml_agent.policies.grounded.pairing import Weighed, assignment, worth

if TYPE_CHECKING:
    from numpy.typing import NDArray


def next_best(weighed: Weighed) -> Sequence[tuple[float, tuple[str, int]]]:
    """Each pair of the best assignment, the least missed first: what all pairs together lose without it, in log odds, and the pair, an
    option's name with the position of a value."""
    import numpy as np

    odds = worth(weighed)
    pairs = assignment(odds)
    whole = _total(odds)
    found = []
    for row, column in pairs:
        without = odds.copy()
        without[row, column] = -np.inf
        found.append((whole - _total(without), (weighed.options[column].name, weighed.candidates[row].mention.position)))
    return sorted(found)


def _total(odds: "NDArray[Any]") -> float:
    return float(sum(odds[pair] for pair in assignment(odds)))
