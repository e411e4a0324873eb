"""How a value of the request is written for an option: a run of values, a list in one word, a share, the spelling of its kin."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.devices import device_values
from ml_agent.policies.grounded.fitting import Candidate
from ml_agent.policies.grounded.kinds import in_style_of
from ml_agent.policies.grounded.lists import ListStyle, glued_numbers, list_style, one_side, takes_range
from ml_agent.policies.grounded.numeric import whole_number
from ml_agent.policies.grounded.quantities import exponent
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.settings import SEVERAL
from ml_agent.repo.entrypoints import Option

_ARTICLES = frozenset({"the", "a", "an", "both", "its"})
_IN_LISTS = _ARTICLES | {"and", "or", "as", "well", "plus"}
_AGAINST = frozenset("against versus vs by to".split())
_MOST = 100
"""Numbers of a range that are written one by one."""
_BETWEEN = 4
"""Tokens between two values of one list, at most."""


def values_for(
    option: Option, candidate: Candidate, request: Request, examples: tuple[str, ...], candidates: Sequence[Candidate] = ()
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The values to give, and where they stand. An option of several values takes the whole run of them.

    `candidates`: all of the request; those that the option is known to take make a run as well.
    """
    mention = candidate.mention
    spelled = candidate.known.get(option.name) or candidate.spoken.get(option.name)
    if spelled is None and (devices := device_values(option, mention, request, examples)):
        return devices
    style = None if takes_several(option) else list_style(option, examples)
    if (style or takes_several(option)) and (listed := _listed(option, candidate, spelled, request, examples, candidates)):
        values, positions = listed
        if takes_range(option) and (spanned := _range(values, positions, request)):
            return ((f"{values[0]}-{values[1]}",) if style else spanned), positions
        text = request.span(positions[0], positions[-1])
        if style and takes_range(option) and re.fullmatch(r"\d+(?:[-,:]\d+)+", text):
            return (text,), positions
        return ((style.written(values),) if style else values), positions
    return (_single(option, mention, examples, style) if spelled is None else spelled,), (mention.position,)


def _range(values: Sequence[str], positions: Sequence[int], request: Request) -> tuple[str, ...]:
    """All whole numbers from the first to the second, where the request says that they are ends: `3 to 5`. Empty if it does not."""
    between = request.tokens[positions[0] + 1].text.lower() if len(positions) == 2 and positions[1] - positions[0] == 2 else ""
    if between not in ("to", "through") or not all(v.isdigit() for v in values):
        return ()
    first, last = map(int, values)
    return tuple(map(str, range(first, last + 1))) if first < last <= first + _MOST else ()


def _listed(
    option: Option, candidate: Candidate, spelled: str | None, request: Request, examples: tuple[str, ...], candidates: Sequence[Candidate]
) -> tuple[tuple[str, ...], tuple[int, ...]] | None:
    """The members of a list, and where they stand, for an option that takes one; None if the value stands alone."""
    mention = candidate.mention
    known = _known_beside(option, candidate, request, candidates)
    if len(known) > 1:
        return tuple(dict.fromkeys(c.known[option.name] for c in known)), tuple(c.mention.position for c in known)
    if glued := glued_numbers(mention.words, option, examples):
        return glued, (mention.position,)
    run = _one_side(mention, request) if option.nargs in SEVERAL else request.run(mention)
    if takes_several(option):
        if mention.kind == "shape":
            return mention.parts, (mention.position,)
        if spelled is not None and option.choices is not None and not all(m.value in option.choices for m in run):
            return None
    return (tuple(m.value for m in run), tuple(m.position for m in run)) if len(run) > 1 else None


def _single(option: Option, mention: Mention, examples: tuple[str, ...], style: ListStyle | None) -> str:
    """How a value that stands alone is written; `style`: of the lists that the option takes in one word."""
    if mention.kind == "number" and "," in mention.words and any("," in e for e in examples):
        return mention.words  # a list of numbers, not a thousand
    if mention.kind == "number" and (power := exponent(mention.words, option.name)):
        return power
    unit = re.search(r"[A-Za-z]+$", mention.words) if mention.kind == "number" else None
    if unit and any(re.fullmatch(rf"[\d.]+{unit.group()}", e, re.IGNORECASE) for e in examples):
        return mention.words  # `320k`, as its values are written
    if mention.fraction and mention.words[-1:] == "%" and any(re.fullmatch(r"[\d.]+%", e) for e in examples):
        return mention.words
    if mention.fraction and _is_share(option, examples):
        return mention.fraction
    if mention.kind == "shape":
        written = style.written(mention.parts) if style else mention.value
        return one_side(option, mention.parts) or _shape(mention.parts, examples) or written
    if mention.kind == "number" and style and style.opening == "[":
        return style.written([mention.value])
    if mention.kind in ("identifier", "name"):
        return in_style_of(mention.value, examples)
    if mention.kind == "number" and option.type == "int":
        return whole_number(mention.value) or mention.value
    return mention.value


def _one_side(mention: Mention, request: Request) -> Sequence[Mention]:
    """`a.txt and b.txt against c.txt`: what is set against others makes no list with them."""
    run = request.run(mention)
    if mention.kind == "number":
        return run
    sides: list[list[Mention]] = [[]]
    for one in run:
        if sides[-1] and _AGAINST.intersection(t.text.lower() for t in request.tokens[sides[-1][-1].position + 1 : one.position]):
            sides.append([])
        sides[-1].append(one)
    return next((side for side in sides if mention in side), [mention])


def _known_beside(option: Option, candidate: Candidate, request: Request, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Values that the option is known to take, in one list with this one: `the depth, the dropout and the batch size`."""
    known = sorted((c for c in candidates if option.name in c.known), key=lambda c: c.mention.position)
    if candidate not in known:
        return []
    runs: list[list[Candidate]] = []
    for one in known:
        start = request.tokens[one.mention.position].end - len(one.mention.words)
        between = [t for t in request.tokens if runs and t.start >= _end(runs[-1][-1], request) and t.end <= start]
        goes_on = bool(runs) and 0 < len(between) <= _BETWEEN and all(t.kind == "comma" or t.text.lower() in _IN_LISTS for t in between)
        if goes_on and any(t.text.lower() not in _ARTICLES for t in between):
            runs[-1].append(one)
        else:
            runs.append([one])
    return next(run for run in runs if candidate in run)


def _end(candidate: Candidate, request: Request) -> int:
    return request.tokens[candidate.mention.position].end


def _shape(sides: Sequence[str], examples: Sequence[str]) -> str:
    """As the documented ones are written: `640,640`, `64x64`, `[64,64]`; a single side, where they have one. Empty if none is a shape."""
    for example in examples:
        if written := re.fullmatch(r"([\[(]?)\d+(\s*[,xX]\s*)\d+(?:\2\d+)*([\])]?)", example):
            return written[1] + written[2].join(sides) + written[3]
        if re.fullmatch(r"\d+", example) and len(set(sides)) == 1:
            return sides[0]
    return ""


def takes_several(option: Option) -> bool:
    return (bool(option.nargs) and option.nargs not in ("?", "1")) or option.action == "append"


def _is_share(option: Option, examples: Sequence[str]) -> bool:
    """Whether a percentage is given to the option as a part of one; one that is called so takes it as it is."""
    named = re.search(r"percent|\bpct\b", option.name.replace("_", "-"))
    if named or re.search(r"(?<![\d%])%(?!\()|\bper ?cent", option.help):  # `0.1 = 10%% of them` explains it with one
        return False
    numbers = [e for e in (option.default or "", *examples) if re.fullmatch(r"\d*\.?\d+(?:e-?\d+)?", e)]
    return all(float(n) <= 1 for n in numbers) if numbers else option.type == "float"
