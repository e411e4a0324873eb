"""Words that a request gives as a name, right behind what the option is called: `the suffix cf`, `experiment name: hop`."""

import re
from collections.abc import Collection, Iterator, Sequence

from ml_agent.policies.grounded.enumerated import listed_from
from ml_agent.policies.grounded.knowledge import may_name
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Request
from ml_agent.policies.grounded.verbatim import spellings_of
from ml_agent.policies.grounded.written import takes_several
from ml_agent.repo.entrypoints import Option

_NAMES = frozenset("name suffix prefix postfix tag id label title alias project group comment note".split())
"""Last words of the names of options that take a name of one's own."""
_LINKS = frozenset("of : = is be should shall must will to as".split())
_WORD = re.compile(r"[A-Za-z][\w-]*[\w]")
_GOES_ON = frozenset("and or with for on in at to from into then but so of by under , . ; )".split())
"""What may follow such a name."""


def names_behind(
    options: Sequence[Option], request: Request, taken: Collection[int]
) -> Iterator[tuple[Option, tuple[str, ...], tuple[int, ...]]]:
    """Each option with the words that are its names, and the tokens that say them. One that takes several has all that are listed,
    whatever they are; another one a name of one's own. `taken`: tokens that have their place.
    """
    used = set(taken)
    for option in options:
        words = name_words(option.name)
        if option.positional or option.choices or option.type not in (None, "str") or not words:
            continue
        several = takes_several(option)
        if not several and words[-1] not in _NAMES:
            continue
        places = sorted({p for name in spellings_of(option) for p in _behind(name, words, request)})
        if several:
            found = next((names for p in places if len(names := listed_from(p, request)) > 1 and _are_names(names, request)), [])
        else:
            found = [p for p in places if _ends(p, request)][:1]
        if found and used.isdisjoint(found):
            used.update(found)
            yield option, tuple(request.tokens[at].text for at in found), tuple(found)


def _are_names(places: Sequence[int], request: Request) -> bool:
    return all(_WORD.fullmatch(request.tokens[at].text) and may_name(request.tokens[at]) for at in places)


def _ends(at: int, request: Request) -> bool:
    """Whether it may be a name, and the clause goes on with something else."""
    behind = request.tokens[at + 1 : at + 2]
    return _are_names([at], request) and all(t.kind in ("stop", "comma") or t.text.lower() in _GOES_ON for t in behind)


def _behind(name: Sequence[str], words: Collection[str], request: Request) -> Iterator[int]:
    """The token behind each place where all of the name is said. `words`: of the option's name, little ones too."""
    tokens = request.tokens
    for start in range(len(tokens) - len(name)):
        if [t.stem for t in tokens[start : start + len(name)]] != list(name):
            continue
        at = start + len(name)
        while at < len(tokens) and (tokens[at].text.lower() in _LINKS or tokens[at].text.lower() in words):
            at += 1
        if at < len(tokens):
            yield at
