"""Lists of values in the help text of an option: `(adam, sgd or lamb)`, `one of: a, b`, `a | b`, `'a' or 'b'`, `[a] for x, [b] for y`."""

import re
from collections.abc import Iterator

_MAX_TEXT, _MAX_VALUES = 2_000, 100
_BARE = r"[A-Za-z][\w+-]*(?:\.[\w+-]+)*"
_QUOTED = r"""'[^'\s]{1,60}'|"[^"\s]{1,60}"|`[^`\s]{1,60}`"""
_ITEM = rf"(?:{_QUOTED}|{_BARE})"
_SEP = r"(?:\s*[,;]\s*(?:or\s+|and\s+)?|\s*[|/]\s*|\s+(?:or|and)\s+)"
_LIST = re.compile(rf"{_ITEM}(?:{_SEP}{_ITEM})+")
_QUOTED_LIST = re.compile(rf"(?:{_QUOTED})(?:{_SEP}(?:{_QUOTED}))+")
_BARRED = re.compile(rf"(?<![\w/.|-]){_ITEM}(?:\s*\|\s*{_ITEM})+(?![\w/|])")
_BRACKETS = re.compile(r"\(([^()]{3,400})\)|\[([^\[\]]{3,400})\]|\{([^{}]{3,400})\}")
_ALONE = re.compile(r"(?<![\w\]])\[([A-Za-z][\w+.-]*)\](?![\w\[(])")
"""One word in brackets: with others, each is a value, and what stands between says what it means."""
_STRONG = re.compile(
    r"\b(?:(?:one|any) of(?: the following| these)?|(?:choose|select|pick)(?: from| between| one of)?|(?:choices?|options?)(?: are)?)"
    r"\s*[:=]?\s*",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\s*(?:one of|either|choose from|choices|options|e\.g\.,?|i\.e\.,?|for example,?|values|supported|available)\s*[:=]?\s*",
    re.IGNORECASE,
)
"""What stands in front of a list, in a sentence and in brackets."""
_EITHER = re.compile(rf"\beither\s+({_ITEM}(?:{_SEP}{_ITEM})+)(?=\s*(?:[.;,)]|$))", re.IGNORECASE)
_MEMBER = re.compile(rf"({_ITEM})(?:{_SEP}|$)")
_PROSE = frozenset(
    "a an the of to in on at by as is are be it its this that for from with without if but and or not so etc "
    "file files filename directory directories dir dirs folder folders path paths url urls "
    "string strings str int integer float number list".split()
)
"""Words that stand in sentences, or say what kind of thing is given: no values."""


def enumerated(text: str, default: str = "") -> tuple[str, ...]:
    """The values that a help text lists, in its order; none where it is not plain that it is a list of values.

    `default`: the option's own, which shows a list in brackets to be one of values.
    """
    found: dict[str, None] = {}
    for listed in _lists(text[:_MAX_TEXT], default):
        values = _MEMBER.findall(listed)
        if len(set(values)) > 1 and not any(value.lower() in _PROSE for value in values):
            found |= dict.fromkeys(value.strip("'\"`") for value in values)
    alone = dict.fromkeys(_ALONE.findall(text[:_MAX_TEXT]))
    if len(alone) > 1 and not any(value.lower() in _PROSE for value in alone):
        found |= alone
    return tuple(found)[:_MAX_VALUES]


def _lists(text: str, default: str) -> Iterator[str]:
    for match in _BRACKETS.finditer(text):
        inside = match[match.lastindex or 0].strip()
        lead = _LEAD.match(inside)
        listed = _LIST.fullmatch(inside[lead.end() :].rstrip(". ") if lead else inside)
        if listed and (lead or match.lastindex != 1 or _is_choice(listed.group(), default)):
            yield listed.group()
    yield from (match.group() for match in _BARRED.finditer(text))
    yield from (match.group() for match in _QUOTED_LIST.finditer(text))
    yield from (match[1] for match in _EITHER.finditer(text))
    for match in _STRONG.finditer(text):
        if listed := _LIST.match(text, match.end()):
            yield listed.group()


def _is_choice(listed: str, default: str) -> bool:
    """Whether one of the members is to be taken: `a or b`, `a|b`, or one of them is what is taken by default."""
    return bool(re.search(r"\sor\s|\|", listed)) or default in _MEMBER.findall(listed)
