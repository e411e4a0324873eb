"""Places in a ranking: best first, equal scores share a place, what has no score comes last and has none."""

from collections.abc import Sequence
from dataclasses import dataclass

_SAME = 1e-9
"""Scores closer than this are equal: they are fractions of small whole numbers, summed up in some order."""


@dataclass(frozen=True, slots=True)
class Place:
    index: int
    """In what was ranked."""
    place: int | None
    """1 is the best; None without a score."""
    tied: bool = False

    @property
    def text(self) -> str:
        """`1`, `2=` where it is shared, `n/a`."""
        return "n/a" if self.place is None else f"{self.place}{'=' if self.tied else ''}"


def places(scores: Sequence[float | None]) -> list[Place]:
    """In the order of the ranking; what is equal stays in the order given. A NaN counts as no score."""
    known = [(score, index) for index, score in enumerate(scores) if score is not None and score == score]
    known.sort(key=lambda one: -one[0])
    groups: list[list[tuple[float, int]]] = []
    for one in known:
        if groups and groups[-1][0][0] - one[0] <= _SAME:
            groups[-1].append(one)
        else:
            groups.append([one])
    ranked, place = [], 1
    for group in groups:
        ranked += [Place(index, place, len(group) > 1) for index in sorted(index for _, index in group)]
        place += len(group)
    seen = {one.index for one in ranked}
    return ranked + [Place(index, None) for index in range(len(scores)) if index not in seen]
