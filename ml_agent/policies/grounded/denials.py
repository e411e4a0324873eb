"""Options with a value that the request wants off: `no memory` is 0 for `--mem_len`, `without any transform` a choice `None`."""

import re
from collections.abc import Collection, Sequence

from ml_agent.policies.grounded.flags import Wish, takes_truth
from ml_agent.policies.grounded.knowledge import default_strings
from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.request import Request
from ml_agent.policies.grounded.vocabulary import EVERYDAY_VALUES, GENERIC, PLAIN_NAMES, WEAK
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import stem

_DENIES = frozenset(
    "no without never omit omits omitting skip skips disable disables disabling dispense dispenses dispensing forgo forgoes avoid".split()
)
_BETWEEN = frozenset("the a an any all of with its use using".split())
"""Words between a denial and what is denied."""
_REACH = 8
"""Tokens between what is denied and the word that denies it, at most."""
_OFF = re.compile(
    r"[\s,]*(?:and\s+[\w-]+\s*)?(?:(?:both|all|is|are|be|being|shall|should|must)\s+){0,3}(?:(?:switched|turned|set|left)\s+)?(?:off|disabled)\b"
)
_AMOUNTS = frozenset("len length size rate ratio prob probability weight alpha factor coef coefficient step steps num n max".split())
"""Words of an option's name that say how much there is of what the others name."""
_COUNTED_FROM_ZERO = frozenset(
    "seed gpu gpus device devices cuda id ids rank port index idx worker workers thread threads epoch epochs verbose verbosity "
    "version".split()
)
"""Words in the names of options of which 0 is one as good as others, or nothing that is switched off."""
_NONE = re.compile(r"(?i)none|null")


def denied_values(options: Sequence[Option], request: Request, taken: Collection[int]) -> list[Wish]:
    """The options of which the request denies what they are about, each with the value that says so: a choice `None`, else 0."""
    found: list[Wish] = []
    places = _near_denials(request)
    for option in options if places else ():
        value = _value_of_none(option)
        spots = _denied_at(_content(option), places, request) if value else ()
        if value and not spots:  # `without mixup` is the none of --augmentation, which is mixup
            spots = next((at for usual in default_strings(option) if (at := _denied_at([usual.lower()], places, request))), ())
        if spots and not any(spot in taken for spot in spots):
            found.append(Wish(option, (value,), spots))
    return found


def _value_of_none(option: Option) -> str:
    """What the option takes for `nothing of it`; empty if that is not known."""
    if not option.takes_value or option.positional or takes_truth(option):
        return ""
    named = next((v for v in (*(option.choices or ()), *option.compared) if _NONE.fullmatch(v)), "")
    numeric = option.type in ("int", "float") or (option.type is None and re.fullmatch(r"\d+\.?\d*", option.default or ""))
    if named or not numeric or option.nargs or option.choices or not _COUNTED_FROM_ZERO.isdisjoint(name_words(option.name)):
        return named
    return "0"


def _content(option: Option) -> list[str]:
    """The words of its name that say what it is about."""
    return [w for w in name_words(option.name) if w not in WEAK | _AMOUNTS]


def _near_denials(request: Request) -> list[int]:
    """The tokens behind a word that denies, and in front of an `off`."""
    found: set[int] = set()
    for at, token in enumerate(request.tokens):
        if token.text.lower() in _DENIES:
            found.update(range(at + 1, at + 2 + _REACH))
        elif token.text.lower() in ("off", "disabled"):
            found.update(range(at - _REACH, at))
    return sorted(at for at in found if 0 <= at < len(request.tokens))


def _denied_at(words: Sequence[str], places: Sequence[int], request: Request) -> tuple[int, ...]:
    """Where all the words are said, and denied, beside each other."""
    if not words or all(w in GENERIC or w in PLAIN_NAMES or w in EVERYDAY_VALUES for w in words):
        return ()
    for start in places:
        spots = range(start, start + len(words))
        if spots[-1] >= len(request.tokens):
            break
        if all(_says(request.tokens[at].text, word) for at, word in zip(spots, words, strict=True)) and _is_denied(spots, request):
            return tuple(spots)
    return ()


def _says(said: str, word: str) -> bool:
    """The word itself, its plural, or what it is short for."""
    whole = said.lower()
    own = any(phrase == (stem(whole),) for phrase in phrases_for(word))
    return own or (len(word) > 2 and whole.startswith(word) and whole.isalpha())


def _is_denied(spots: range, request: Request) -> bool:
    at = spots[0] - 1
    while at >= 0 and request.tokens[at].text.lower() in _BETWEEN:
        at -= 1
    before = at >= 0 and request.tokens[at].text.lower() in _DENIES
    return before or _OFF.match(request.text, request.tokens[spots[-1]].end) is not None
