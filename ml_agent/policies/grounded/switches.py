"""Parameters of Python that are switched on or off, which the request wishes for in words."""

import re
from collections.abc import Iterator

from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.passed_over import is_passed_over
from ml_agent.policies.grounded.request import Request
from ml_agent.policies.grounded.vocabulary import WEAK
from ml_agent.repo.callables import Taken
from ml_agent.repo.lexical import stem

ON_CPU = re.compile(
    r"\b(?:on|use|using|to) (?:the |a |my |its )?cpu\b(?! (?:count|cores?|threads?|offload))|(?<=, )cpu(?=[,;]|\.?(?:\s|$))"
    r"|\bcpu (?:is|will be|would be|will) (?:fine|enough|ok|okay|do|sufficient)\b|\bcpu[- ](?:only|alone)\b"
    r"|(?<!not )\b(?:only|just|nothing but) (?:the |a |my )?cpu\b(?! (?:count|cores?|threads?|offload))"
    r"|\b(?:no|without(?: an?| any)?) gpu\b(?! memory)",
    re.IGNORECASE,
)
_DENIALS = frozenset("without no not disable disabling skip don't don doesn needn shouldn never off leave less free".split())
_FILLING = frozenset("use using is has with do return enable to if be include keep apply add".split()) | WEAK
"""Words of a switch's name that people leave out."""
_FIXED = frozenset("fixed frozen freeze constant".split())
_OPPOSITES = {"verbose": frozenset("quiet quietly silent silently".split()), "learnable": _FIXED, "trainable": _FIXED, "learned": _FIXED}
"""What is switched on -> words that say that it is off."""


def is_switch(taken: Taken) -> bool:
    return taken.default in ("True", "False") or (taken.annotation == "bool")


def switched(taken: Taken, request: Request, used: frozenset[int]) -> tuple[bool, tuple[int, ...]] | None:
    """What the request says of a switch: the value that is not its default, and where it is said."""
    words = [w for w in name_words(taken.name) if w not in _FILLING and len(w) > 1]
    if len(words) == 1 and words[0] in ("cuda", "gpu") and taken.default == "True" and (cpu := ON_CPU.search(request.text)):
        return False, request.between(*cpu.span())
    spots: list[int] = []
    for word in words:
        at = [p for said, p in request.words if p not in used and _alike(stem(word), said)]
        at = at or [p for p in _in_other_words(word, request, alone=len(words) > 1) if p not in used]
        if not at:
            return _opposite(taken, request)
        spots.append(min(at, key=lambda p: abs(p - spots[0])) if spots else at[0])
    if not spots or max(spots) - min(spots) > len(words) + 2:
        return None
    before = [t.text.lower().replace("\u2019", "'") for t in request.tokens[max(0, min(spots) - 4) : min(spots)]]
    for stop in (".", "!", "?", ";", ":", ","):
        if stop in before:
            before = before[len(before) - before[::-1].index(stop) :]
    behind = {t.text.lower() for t in request.tokens[max(spots) + 1 : max(spots) + 3]}
    aside = is_passed_over(request.tokens, min(spots))  # `averaged rather than concatenated`
    wanted = not (aside or set(before) & _DENIALS or behind & {"off", "away", "disabled", "false"})
    return None if str(wanted) == taken.default else (wanted, tuple(spots))


def _in_other_words(word: str, request: Request, *, alone: bool) -> Iterator[int]:
    """Where two words or more say what a name abbreviates: `mixed precision` for amp. `alone`: one is enough, beside other words."""
    for phrase in phrases_for(word):
        for at in range(len(request.tokens) - len(phrase) + 1) if alone or len(phrase) > 1 else ():
            if tuple(t.stem for t in request.tokens[at : at + len(phrase)]) == phrase:
                yield at


def _opposite(taken: Taken, request: Request) -> tuple[bool, tuple[int, ...]] | None:
    """`quietly` switches off what is verbose, `must stay fixed` what is learnable."""
    said = next((_OPPOSITES[w] for w in name_words(taken.name) if w in _OPPOSITES), frozenset())
    at = [i for i, t in enumerate(request.tokens) if t.text.lower() in said] if taken.default == "True" else []
    return (False, (at[0],)) if at else None


def _alike(word: str, said: str) -> bool:
    return word == said or (min(len(word), len(said)) >= 4 and (said.startswith(word) or word.startswith(said)))
