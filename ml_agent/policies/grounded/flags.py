"""Flags: options without a value that the request wishes for in words."""

import re
from collections.abc import Collection, Sequence

from ml_agent.policies.grounded.affinity import name_words
from ml_agent.policies.grounded.request import Request
from ml_agent.policies.grounded.vocabulary import WEAK
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import stem

_WISHES = frozenset("use using with enable enabled enabling without in flag option turn activate mode".split())
_SWITCHED_ON = frozenset({"on", "enabled", "switched", "turned"})
_DENIALS = frozenset("without no not disable disabling skip don't never".split())


def wished_flags(
    options: Sequence[Option], program: EntryPoint, request: Request, taken: Collection[int]
) -> list[tuple[Option, tuple[int, ...]]]:
    """Flags whose whole name is said, and not only because the program itself is called so, with the positions of the words.

    `without X` sets `--no-X`, never `--X`.
    """
    found: list[tuple[Option, tuple[int, ...]]] = []
    own = {stem(w) for w in name_words(program.path)}
    positions: dict[str, list[int]] = {}
    for word, position in request.words:
        positions.setdefault(word, []).append(position)
    for option in options:
        name = option.name.lstrip("-")
        denies = name.startswith(("no-", "no_", "without", "disable"))
        words = [stem(w) for w in name_words(option.name) if w not in WEAK]
        if option.action != "flag" or not words or not all(w in positions for w in words) or own.issuperset(words):
            continue
        first = positions[words[0]][0]
        spots = tuple(min(positions[w], key=lambda p: abs(p - first)) for w in words)
        if max(spots) - min(spots) > len(words) + 1 or any(p in taken for p in spots):
            continue
        before = _before(request, request.tokens[min(spots)].start)
        behind = {t.text.lower() for t in request.tokens[max(spots) + 1 : max(spots) + 2]}
        if len(words) == 1 and not before & _WISHES and not behind & _SWITCHED_ON:
            continue
        if bool(before & _DENIALS) == denies:
            found.append((option, spots))
    return found


def denied(option: Option, request: Request) -> bool:
    """Does the request say that it wants a flag not set: `no confusion matrix`, `without augmentation`?"""
    words = {stem(w) for w in name_words(option.name) if w not in WEAK}
    spots = [(word, position) for word, position in request.words if word in words]
    if not words or {w for w, _ in spots} != words:
        return False
    return bool(_before(request, request.tokens[min(p for _, p in spots)].start) & _DENIALS)


def _before(request: Request, start: int) -> set[str]:
    """The three words before a place, of its own sentence; `don't` is one word."""
    near = re.split(r"[.!?;:]\s", request.text[max(0, start - 60) : start])[-1]
    return set(re.findall(r"[\w']+", near.lower().replace("\u2019", "'"))[-3:])
