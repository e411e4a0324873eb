"""Which unit of work is next: samples of a repository stay with the worker that has it in memory."""

import heapq
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.runner.executor import Unit


@dataclass(order=True)
class _Later:
    when: float
    number: int
    unit: Unit = field(compare=False)


_JOIN = 4
"""Units of a repository that another worker has in memory: with fewer left, reading it a second time takes longer than waiting."""


class Schedule:
    """Hands out each attempt at each sample once, unless it is put back.

    `has` says what is done already, by key and attempt. It holds the places of samples only, whatever their number.
    """

    def __init__(
        self,
        samples: Sequence[Sample],
        checkouts: Mapping[str, Path],
        attempts: int,
        has: Callable[[str, int], bool],
        visible: Callable[[Sample], Sample],
    ) -> None:
        self._samples, self._checkouts, self._attempts, self._has, self._visible = samples, checkouts, attempts, has, visible
        self._places: dict[str, deque[int]] = {}
        for place, sample in enumerate(samples):
            self._places.setdefault(sample.repository, deque()).append(place)
        self._next: dict[str, int] = {}
        """The attempt that is next at a repository's first sample."""
        self._later: list[_Later] = []
        self._count = 0

    def next(self, holding: str, others: Collection[str]) -> Unit | None:
        """For a worker that has the repository `holding` in memory, while others have `others`; None if there is nothing now."""
        if self._later and self._later[0].when <= time.monotonic():
            return heapq.heappop(self._later).unit
        while (name := self._chosen(holding, others)) is not None:
            unit = self._take(name)
            if unit is not None:
                return unit
        return None

    def _chosen(self, holding: str, others: Collection[str]) -> str | None:
        """Its own, else the largest that nobody has, else the largest of another."""
        if holding in self._places:
            return holding
        free = [name for name in self._places if name not in others]
        shared = [name for name, places in self._places.items() if len(places) * self._attempts > _JOIN]
        return max(free or shared, key=lambda name: len(self._places[name]), default=None)

    def _take(self, name: str) -> Unit | None:
        """The next unit of a repository; None, and it is out of the list, if there is none."""
        places = self._places[name]
        while places:
            sample, attempt = self._samples[places[0]], self._next.get(name, 0)
            self._next[name] = attempt + 1
            if attempt + 1 >= self._attempts:
                places.popleft()
                self._next[name] = 0
            if not self._has(sample.key, attempt):
                return Unit(self._visible(sample), self._checkouts[name], attempt)
        del self._places[name]
        return None

    def put_back(self, unit: Unit, pause: float) -> None:
        """To be tried once more, in `pause` seconds or later."""
        self._count += 1
        heapq.heappush(self._later, _Later(time.monotonic() + pause, self._count, replace(unit, tries=unit.tries + 1)))

    @property
    def waiting(self) -> float | None:
        """Seconds until a unit that was put back is due; None if there is none."""
        return max(0.0, self._later[0].when - time.monotonic()) if self._later else None
