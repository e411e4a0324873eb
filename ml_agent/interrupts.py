"""Signals that end a run: they become exceptions in the main thread, so that every `finally` is gone through."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ml_agent.errors import Cancelled, LimitReached

_AGAIN = 1.0
"""Seconds after which a deadline's error that was swallowed is raised once more."""


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def cancellable() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP raise Cancelled, once.

    While the run is cleaned up a second signal only says so; a third has its usual effect. Python lets signals be handled in the main
    thread alone, so elsewhere nothing is changed.
    """
    if not _in_main_thread():
        yield
        return
    numbers = [n for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {n: signal.getsignal(n) for n in numbers}

    def first(number: int, frame: FrameType | None) -> None:
        for n in numbers:
            signal.signal(n, second)
        raise Cancelled(signal.Signals(number).name)

    def second(number: int, frame: FrameType | None) -> None:
        for n in numbers:
            signal.signal(n, before[n])
        os.write(2, b"\ncleaning up; once more to quit at once\n")  # sys.stderr may be in the middle of a write

    for n in numbers:
        signal.signal(n, first)
    try:
        yield
    finally:
        for n in numbers:
            signal.signal(n, before[n])


@contextmanager
def deadline(seconds: float, *, grace: float = 0.0) -> Iterator[None]:
    """Raise LimitReached("seconds") in the code inside once it has taken `seconds` of wall clock, and `grace` to end by itself.

    This is for work that looks at no clock itself, such as reading a repository. It can interrupt only the main thread, and gives way to
    a timer that is set already. Code inside that swallows the error gets it again, each second until it ends.
    """
    if not _in_main_thread() or not 0 < seconds < threading.TIMEOUT_MAX or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    raised: list[BaseException] = []

    def stop(number: int, frame: FrameType | None) -> None:
        under_way, depth = sys.exc_info()[1], 0
        while under_way is not None and depth < 100:
            if under_way in raised:  # what it goes through on its way, a `finally` that ends a process perhaps, is not disturbed
                return
            under_way, depth = under_way.__context__, depth + 1
        raised.append(LimitReached("seconds", f"the time limit of {seconds:g} s is over"))
        raise raised[-1]

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds + grace, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
