"""Python's garbage collector held off while much is made that holds no circles: it would look at all of it again and again."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
