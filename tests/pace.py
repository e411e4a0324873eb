"""Limits of time that mean the same on a slow machine as on a fast one."""

import json
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

REFERENCE = 0.6
"""Milliseconds that `work` takes on the machine that the limits were written on."""


def work(clock: Callable[[], float] = time.perf_counter) -> float:
    """Milliseconds for something that depends on nothing but the machine."""
    began, total = clock(), 0
    for number in range(20_000):
        total += number
    json.loads(json.dumps({"texts": ["abc"] * 2_000}))
    return 1_000 * (clock() - began)


def slowness(clock: Callable[[], float] = time.perf_counter) -> float:
    """How many times slower than that machine this one is just now, 1 where it is not."""
    return max(1.0, statistics.median(work(clock) for _ in range(50)) / REFERENCE)


@contextmanager
def within(seconds: float, clock: Callable[[], float] = time.perf_counter) -> Iterator[None]:
    """Fails where its body takes longer than `seconds` of that machine's time."""
    began = clock()
    yield
    took = clock() - began
    if took >= seconds:
        limit = seconds * max(slowness(clock), slowness(clock))
        assert took < limit, f"took {took:.2f} s, at most {limit:.2f} s are allowed"
