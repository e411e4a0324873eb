"""Which values a task asks for, and when two values are the same."""

import re
from collections.abc import Sequence

from ml_agent.benchmarks.base import Sample
from ml_agent.repo.settings import Settings, read_settings, read_words

_SHORT = 2
"""Values up to this length are too short for one to be found within another."""


def same_values(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether an option is given the same: one by one, or, of words that are all settings (`a=1 b=2`), in any order."""
    if len(some) != len(others):
        return False
    return all(map(same, some, others)) or (len(some) > 1 and _same_settings(read_words(some), read_words(others)))


def same(one: str, other: str) -> bool:
    """As a program takes them: the same number, the same path, the same name whatever its case, the same settings in any order."""
    return _same_plain(one, other) or _same_settings(read_settings(one), read_settings(other))


def _same_settings(one: Settings | None, other: Settings | None) -> bool:
    """The same names with the same values; a text is no number in a dictionary, and a list has its order."""
    if one is None or other is None or one.values.keys() != other.values.keys():
        return False
    dictionaries = {settings.style.kind in ("json", "python") for settings in (one, other)}
    if len(dictionaries) > 1 or (one.style.kind == "pairs" and not _alike(one, other)):
        return False
    for name, value in one.values.items():
        against = other.values[name]
        if value.many != against.many or len(value.parts) != len(against.parts) or not all(map(_same_plain, value.parts, against.parts)):
            return False
        if True in dictionaries and value.quoted != against.quoted:
            return False
    return True


def _alike(one: Settings, other: Settings) -> bool:
    """Whether two lists of pairs are written with the same signs; a single pair has nothing between it and the next."""
    single = len(one.values) == 1
    return one.style.sign.strip() == other.style.sign.strip() and (single or one.style.separator == other.style.separator)


def _same_plain(one: str, other: str) -> bool:
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
