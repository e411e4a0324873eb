"""Does a value fit an option's type, choices and bounds?"""

import ast
import operator
import re
from collections.abc import Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.click_words import is_boolean
from ml_agent.verify.findings import Finding
from ml_agent.verify.reading import Given, finding

_BOOLEAN_WORDS = frozenset("true false t f yes no y n on off 1 0 none".split())
_FALSE_WORDS = frozenset("false f no n off 0".split())
_BOUNDS = re.compile(r"(?:(-?[\d.e+]+)(<=?))?x(?:(<=?|>=?)(-?[\d.e+]+))?")
_UNTYPED = frozenset(("fire", "hydra", "assign"))
"""Styles in which a value may be anything that Python or YAML can write: a type is then only what the program is likely to want."""
_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def check_value(entry: EntryPoint, given: Given, value: str, *, sure: bool = True) -> Finding | None:
    """A finding if the value does not fit the option's type or choices."""
    option = given.option
    name = option.name
    sure = sure and (option.selects or option.type == "group" or entry.flag_style not in _UNTYPED)
    if option.action == "flag" and entry.flag_style == "fire":
        return None
    if entry.kind == "assignments" and option.type is not None:
        return _same_type(entry, given, value, sure=not entry.open_ended)
    if option.choices and not _chosen(option, value):
        near = _nearest_choice(option.choices, value)
        listed = ", ".join(option.choices[:12]) + (", ..." if len(option.choices) > 12 else "")
        return finding(
            entry,
            "value",
            f"`{name}` takes one of {listed}, not {value!r}",
            given.place,
            option.source,
            near and _replaced(given, value, near),
            sure=sure,
        )
    if option.type in ("int", "float") and not _converts(value, option.type):
        whole = option.type == "int" and _converts(value, "float") and float(value).is_integer()
        suggestion = _replaced(given, value, str(int(float(value)))) if whole else None
        article = "an int" if option.type == "int" else "a float"
        return finding(entry, "value", f"`{name}` takes {article}, not {value!r}", given.place, option.source, suggestion, sure=sure)
    if option.bounds and not _within(value, option.bounds):
        return finding(entry, "value", f"`{name}` must be in {option.bounds}, not {value}", given.place, option.source, sure=sure)
    if option.type == "string_to_bool" or (option.type == "bool" and entry.flag_style == "click"):
        return None if is_boolean(value) else _not_boolean(entry, given, value, sure=sure)
    if option.type == "bool" and value.lower() in _FALSE_WORDS and entry.flag_style == "gnu":
        return finding(
            entry, "value", f"`{name}` takes any text as true, {value!r} too (type=bool)", given.place, option.source, sure=False
        )
    if option.type and option.type != "bool" and "bool" in option.type.lower() and value.lower() not in _BOOLEAN_WORDS:
        return finding(entry, "value", f"`{name}` takes a boolean, not {value!r}", given.place, option.source, sure=False)
    return None


def _same_type(entry: EntryPoint, given: Given, value: str, *, sure: bool) -> Finding | None:
    """A finding if a value, taken as Python, is of another type than the one that it replaces."""
    try:
        kind = type(ast.literal_eval(value)).__name__
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        kind = "str"
    option = given.option
    if kind == option.type:
        return None
    message = f"`{option.name}` must stay of type {option.type}, and {value!r} is of type {kind}"
    suggestion = _replaced(given, value, f"{value}.0") if (kind, option.type) == ("int", "float") else None
    return finding(entry, "value", message, given.place, option.source, suggestion, sure=sure)


def _not_boolean(entry: EntryPoint, given: Given, value: str, *, sure: bool) -> Finding:
    return finding(entry, "value", f"`{given.option.name}` takes a boolean, not {value!r}", given.place, given.option.source, sure=sure)


def _within(value: str, bounds: str) -> bool:
    match = _BOUNDS.fullmatch(bounds)
    if match is None or not _converts(value, "float"):
        return True
    number = float(value)
    return (not match[1] or _COMPARE[match[2]](float(match[1]), number)) and (not match[4] or _COMPARE[match[3]](number, float(match[4])))


def _converts(value: str, kind: str) -> bool:
    try:
        int(value) if kind == "int" else float(value)
    except ValueError:
        return False
    return True


def _chosen(option: Option, value: str) -> bool:
    choices = option.choices or ()
    if value in choices:
        return True
    if option.type in ("int", "float"):
        kind = int if option.type == "int" else float
        return _converts(value, option.type) and any(_converts(c, option.type) and kind(c) == kind(value) for c in choices)
    return bool(option.type) and option.type != "str" and value.lower() in {c.lower() for c in choices}  # a converter may fold case


def _nearest_choice(choices: Sequence[str], value: str) -> str | None:
    from rapidfuzz import fuzz, process, utils

    best = process.extractOne(value, choices, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=50)
    return best[0] if best else None


def _replaced(given: Given, value: str, by: str) -> str:
    head, found, _ = given.place.rpartition(value)
    return head + by + given.place[len(head) + len(found) :] if found else by
