"""Numbers of a snippet that no word stands beside: those that a call takes in their order, and the only one that is left."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.literals import SAMPLERS, Literal
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.slots import Placed
from ml_agent.repo.lexical import stem

BEHIND = 10
"""Words behind what a call is called in which its numbers stand."""


def place_in_order(literals: Sequence[Literal], mentions: Sequence[Mention], request: Request) -> list[Placed]:
    """The numbers that a call takes without names, where the request says the call's name and as many numbers behind it.

    `ring_lattice(1000, 20, 0.05)`, `a ring lattice of 300 nodes, 8 neighbours and probability 0.2`.
    """
    found: list[Placed] = []
    numbers = [m for m in mentions if m.kind == "number"]
    calls: dict[tuple[int, str], list[Literal]] = {}
    for literal in literals:
        if literal.kind == "number" and literal.bare and literal.names:
            calls.setdefault((literal.bare, literal.names[-1]), []).append(literal)
    for (_, name), places in calls.items():
        words = {stem(w) for w in name_words(name) if len(w) > 2} - _COMMON
        if len(words) < 2 or len(places) < 2 or name in SAMPLERS:
            continue
        at = [position for word, position in request.words if word in words]
        if {word for word, _ in request.words if word in words} != words:
            continue
        behind = [m for m in numbers if max(at) < m.position]
        run = _close(behind, max(at))[: len(places)]
        if len(run) == len(places):
            found += [(m, x, 0.8) for m, x in zip(run, places, strict=True)]
    return found


_COMMON = frozenset(map(stem, ("graph", "make", "create", "build", "get", "generate")))


def _close(numbers: Sequence[Mention], at: int) -> list[Mention]:
    found: list[Mention] = []
    for mention in numbers:
        if mention.position - at > BEHIND:
            break
        found.append(mention)
        at = mention.position
    return found


def place_last(literals: Sequence[Literal], left: Sequence[Mention]) -> list[Placed]:
    """The only number that the request says and that has no place, in the only one of the snippet that it can replace; so with the only
    name in quotes, and the only one that stands for a parameter."""
    numbers = [m for m in left if m.kind == "number"]
    places = [x for x in literals if x.kind == "number" and x.names and x.names[0] != "index" and x.text not in ("0", "1", "-1")]
    found = _only(numbers, [x for x in places if x.call not in SAMPLERS])
    if found and ("." in found[0].value or "e" in found[0].value) != ("." in found[1].text) and not found[1].part_of(found[0]):
        found = None
    names = [m for m in left if m.kind == "quoted" and _NAME.fullmatch(m.value)]
    texts = [x for x in literals if x.kind == "string" and _NAME.fullmatch(x.text) and x.named and x.call]
    named = _only(names, [x for x in texts if all(x.call != m.value for m in names)])
    placed = [(*found, 0.5)] if found else []
    return [*placed, *([(*named, _GUESS)] if named else [])]


_GUESS = -0.3
"""What it costs to leave a name out: to guess its place says nothing for the snippet."""
_NAME = re.compile(r"[A-Za-z][\w-]*")


def _only(mentions: Sequence[Mention], places: Sequence[Literal]) -> tuple[Mention, Literal] | None:
    return (mentions[0], places[0]) if len(mentions) == 1 and len({(x.text, x.names) for x in places}) == 1 else None
