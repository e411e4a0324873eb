"""How numbers suit options: by the option's type, its default, and what it is called."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from ml_agent.policies.grounded.kinds import truth_in_digits
from ml_agent.policies.grounded.letters import words_of
from ml_agent.repo.entrypoints import Option

_ORDERS = 3.0
"""Orders of magnitude between two numbers that are told apart, at most."""
_PLACES = frozenset("file path dir directory folder out output save ckpt checkpoint config".split())
"""Words of an option's name that make a bare number an unlikely value."""
_WORDY = frozenset("name token tokenizer type strategy format mode text prompt url key language".split())
"""Words in the names of options that take words."""
_YES_OR_NO = re.compile(r"^\W*(?:whether|if)\b|\b[01] ?(?:or|/) ?[01]\b", re.IGNORECASE)
"""In the help of an option of which 1 and 0 are all that it takes; `0: none, 1: text, 2: both` has more."""


_COUNTS = frozenset((word,) for word in "nb nr num number".split())
"""First words of the names of options that say how many, and so take no fraction."""


def number_fits(option: Option, value: str) -> float:
    """How well a number suits an option, 0 to 1."""
    if option.choices:
        return 1.0 if is_choice(option, value) else 0.0
    if truth_in_digits(option) and _YES_OR_NO.search(option.help) and value not in ("0", "1"):
        return 0.0
    if words_of(option)[:1] in _COUNTS and option.type is None and "." not in (option.default or "") and not whole_number(value):
        return 0.0
    if option.type == "int":
        return 1.0 if whole_number(value) else 0.0
    if option.type == "float" or is_numeric(option.default):
        return 1.0
    if not _WORDY.isdisjoint(words_of(option)) and not re.search(r"\d", option.default or ""):
        return 0.2
    if option.type == "str" and option.default in (None, "None"):
        return 0.5
    if option.default and re.fullmatch(r"""['"][A-Za-z_./\\~].*['"]""", option.default):
        return 0.35
    counted = bool(option.default and re.fullmatch(r"""['"]?[\d.,\s-]+['"]?""", option.default))  # --fan-out 10,25 is no place
    return 0.2 if _PLACES.intersection(words_of(option)) and not counted else 0.85


def is_choice(option: Option, value: str) -> bool:
    """Whether it is one of the choices, as the option's type reads them: 24 of `choices=[6.0, 24.0]`."""
    choices = option.choices or ()
    number = as_number(value) if option.type in ("int", "float") else None
    return value in choices or (number is not None and any(as_number(choice) == number for choice in choices))


def whole_number(value: str) -> str:
    """The digits of a whole number, `1000000` of `1e6`; empty if it is none."""
    if re.fullmatch(r"-?\d+", value):
        return value
    if not re.fullmatch(r"\d{1,3}(?:\.\d{1,9})?[eE]\+?\d{1,2}", value):
        return ""
    number = Decimal(value)
    return f"{number:.0f}" if number == number.to_integral_value() else ""


def is_numeric(default: str | None) -> bool:
    return bool(default and re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", default))


def compared(value: str, option: Option, examples: Sequence[str]) -> tuple[float, bool, bool]:
    """How many orders of magnitude a number is from the nearest one that is known for the option, whether any is, and whether one of
    them has a fraction and the other has none."""
    number = as_number(value)
    known = [n for n in map(as_number, (option.default or "", *examples)) if n is not None]
    if number is None or not known:
        return 0.0, False, False
    apart = min(abs(math.log10(abs(number / n))) if number and n else 0.0 if number == n else 2.0 for n in known)
    return min(_ORDERS, apart), True, number.is_integer() == any(not n.is_integer() for n in known)


def as_number(text: str) -> float | None:
    """What a text says as a number that can be compared: neither endless nor next to nothing."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == 0.0 or 1e-100 < abs(number) < 1e100 else None
