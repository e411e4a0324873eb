"""Python's garbage collector held off while much is made that holds no circles: it would look at all of it again and again."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
_MANY = 20_000
"""New objects of which some may be circles."""


@contextmanager
def paused() -> Iterator[None]:
    """No collection of circles inside, unless another thread asks for it. What is not part of a circle is freed as ever."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def seldom(things: Iterable[T]) -> Iterator[T]:
    """Each of the things. Circles are looked for between two of them alone, among what is new, once there is much of it."""
    with paused():
        for thing in things:
            yield thing
            if gc.get_count()[0] > _MANY:
                gc.collect(0)
