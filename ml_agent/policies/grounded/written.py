"""How a value of the request is written for an option: a run of values, a list in one word, a share, the spelling of its kin."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.devices import device_values
from ml_agent.policies.grounded.fitting import Candidate
from ml_agent.policies.grounded.kinds import in_style_of
from ml_agent.policies.grounded.request import Request
from ml_agent.repo.entrypoints import Option


def values_for(
    option: Option, candidate: Candidate, request: Request, examples: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The values to give, and where they stand. An option of several values takes the whole run of them."""
    mention = candidate.mention
    spelled = candidate.known.get(option.name) or candidate.spoken.get(option.name)
    if spelled is None and (devices := device_values(option, mention, request, examples)):
        return devices
    if takes_several(option):
        if mention.kind == "shape":
            return mention.parts, (mention.position,)
        run = request.run(mention)
        if len(run) > 1 and (spelled is None or option.choices is None or all(m.value in option.choices for m in run)):
            return tuple(m.value for m in run), tuple(m.position for m in run)
    elif (style := _list_style(examples)) and len(run := request.run(mention)) > 1:
        return (style.format(",".join(m.value for m in run)),), tuple(m.position for m in run)
    if spelled is not None:
        return (spelled,), (mention.position,)
    if mention.kind == "number" and "," in mention.words and any("," in e for e in examples):
        return (mention.words,), (mention.position,)  # a list of numbers, not a thousand
    if mention.fraction and _is_share(option, examples):
        return (mention.fraction,), (mention.position,)
    if mention.kind in ("identifier", "name"):
        return (in_style_of(mention.value, examples),), (mention.position,)
    return (mention.value,), (mention.position,)


def _list_style(examples: Sequence[str]) -> str:
    """How a list is written in one word, by the documented values: `a,b` or `[a,b]`; empty if they are no lists."""
    for example in examples:
        if re.fullmatch(r"\[[^\[\]\s]*,[^\[\]\s]*\]", example):
            return "[{}]"
        if re.fullmatch(r"[\w.-]+(?:,[\w.-]+)+", example):
            return "{}"
    return ""


def takes_several(option: Option) -> bool:
    return (bool(option.nargs) and option.nargs not in ("?", "1")) or option.action == "append"


def _is_share(option: Option, examples: Sequence[str]) -> bool:
    """Whether a percentage is given to the option as a part of one."""
    numbers = [e for e in (option.default or "", *examples) if re.fullmatch(r"\d*\.?\d+(?:e-?\d+)?", e)]
    return all(float(n) <= 1 for n in numbers) if numbers else option.type == "float"
