"""Placeholders inside documented values, `<OUT DIR>/config.yaml` or `train:root=<DATA>`: each stands for the same wherever it stands."""

import re
from collections import Counter
from collections.abc import Sequence

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.arguments import parse_arguments
from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.swaps import Swap, barred
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.lexical import split_identifier

_HOLE = re.compile(r"<[A-Za-z_/][\w /.-]*>|(?<!\$)\{[A-Za-z_][\w /.-]*\}")
_EMPTY = frozenset("path to the your my of a an in".split())
"""Words of a placeholder that do not say for what it stands."""
_NAMED = 0.3
"""How well words around a value have to name a placeholder."""


def template_swaps(command: Command, request: Request, around: Surroundings) -> list[Swap]:
    """The places that the request gives for placeholders that are parts of values, or that stand in several arguments."""
    holes = _holes(command.arguments)
    places = [m for m in request.mentions if m.kind in ("path", "quoted") and " " not in m.value and not extension(m.value)]
    pairs = sorted(((around.score(_words(h), m.position)[0], -k, h, m) for k, h in enumerate(holes) for m in places), key=lambda p: p[:2])
    found: dict[str, Mention] = {}
    for score, _, hole, mention in reversed(pairs):
        alone = len(holes) == len(places) == 1
        if (score >= _NAMED or alone) and hole not in found and mention not in found.values():
            found[hole] = mention
    return [Swap(hole, mention) for hole, mention in found.items()]


def filled_by(swaps: Sequence[Swap], program: EntryPoint, command: Command, request: Request) -> frozenset[tuple[str, int]]:
    """Options that swaps settle, each with every position of the request but those of files of the kind."""
    old = {s.old for s in swaps}
    items = parse_arguments(program, command.arguments, command.source) if old else []
    filled = [i for i in items if i.option and i.values and all(any(o in v for o in old) for v in i.values)]
    return barred({i.option.name: extension(i.values[0]) for i in filled if i.option}, request)


def _holes(arguments: Sequence[str]) -> list[str]:
    found = [(hole, word) for word in arguments for hole in _HOLE.findall(word)]
    inside = {hole for hole, word in found if word.rpartition("=")[2] != hole}
    count = Counter(hole for hole, _ in found)
    return [hole for hole in count if hole in inside or count[hole] > 1]


def _words(hole: str) -> tuple[str, ...]:
    words = split_identifier(hole)
    return tuple(w for w in words if w not in _EMPTY) or tuple(words)
