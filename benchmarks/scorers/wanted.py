"""Which values a task asks for, and when two values are the same."""

import re
from collections.abc import Sequence

from ml_agent.benchmarks.base import Sample

_SHORT = 2
"""Values up to this length are too short for one to be found within another."""


def same(one: str, other: str) -> bool:
    """As a program takes them: the same number, the same path, the same name whatever its case."""
    one, other = one.strip("'\""), other.strip("'\"")
    if _path(one) == _path(other):
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return one.lower() == other.lower() and one[:1].isalpha()


def _path(text: str) -> str:
    return text.rstrip("/").removeprefix("./")


def is_asked(sample: Sample, values: Sequence[str]) -> bool:
    """Whether the task asks for one of these values of the ground truth: it is in the row's arguments, or a word of the instruction."""
    wanted = [str(value).lower() for value in sample.arguments.values()]
    instruction = sample.instruction.lower()
    for value in (value.lower().strip("'\"") for value in values):
        if not value:
            continue
        if any(value == one or same(value, one) or _within(value, one) or _within(one, value) for one in wanted):
            return True
        if len(value) > 1 and re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", instruction):
            return True
    return False


def _within(part: str, whole: str) -> bool:
    return len(part) > _SHORT and part in whole
