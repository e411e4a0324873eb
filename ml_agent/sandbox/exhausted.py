"""What a run had too little of, told from the last words of a failed program: memory, disk or processes."""

import re
from typing import Literal

from ml_agent.sandbox.last_words import LastWords

Exhausted = Literal["time", "memory", "disk", "processes"]

_KINDS: dict[Exhausted, re.Pattern[str]] = {
    # The disk first: "cannot allocate" is said of it as well.
    "disk": re.compile(r"no space left on device|\[errno (?:28|122)\]|disk quota exceeded|disk is full|\benospc\b", re.IGNORECASE),
    "processes": re.compile(
        r"can't start new thread|(?:cannot|can't) fork|fork: (?:retry: )?resource temporarily unavailable|pthread_create failed"
        r"|\[errno 11\] resource temporarily unavailable",
        re.IGNORECASE,
    ),
    "memory": re.compile(
        r"\bmemoryerror\b|out of memory|\bbad_alloc\b|(?:can't|cannot|could not|failed to|unable to) allocate"
        r"|outofmemoryerror|resourceexhaustederror",
        re.IGNORECASE,
    ),
}


def find_exhausted(words: LastWords | None, line: str) -> Exhausted | None:
    """Which of them, from the last words or, where there are none that are known, the last line."""
    said = words.line if words is not None else line
    return next((name for name, pattern in _KINDS.items() if pattern.search(said)), None)
