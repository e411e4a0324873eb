"""One event loop in a thread: a request can be waited for anywhere, and is really cancelled when its time is over or the user stops it."""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import wait
from typing import Any, TypeVar

T = TypeVar("T")

_CLEANUP = 2.0
"""Seconds that a cancelled request may take to close its connection."""
_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}
"""By process: after a fork the thread is missing."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end. An exception here, such as that of a signal, cancels it and goes on."""
    future = asyncio.run_coroutine_threadsafe(work, loop())
    try:
        return future.result()
    except BaseException:
        if future.cancel():
            wait([future], _CLEANUP)
        raise


def loop() -> asyncio.AbstractEventLoop:
    """The loop of this process, started when it is first asked for."""
    with _lock:
        running = _loops.get(os.getpid())
        if running is None:
            running = asyncio.new_event_loop()
            threading.Thread(target=running.run_forever, name="ml-agent models", daemon=True).start()
            _loops[os.getpid()] = running
        return running
