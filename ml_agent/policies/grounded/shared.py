"""One value of the request for two options: `0.1 for both the generator and the discriminator`, `224 by 224` for height and width."""

import re
from collections.abc import Iterator, Sequence

from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.entrypoints import Option

_REACH = 12
"""Tokens between a value and the word that says that it is for two."""
_SIDES = (("width", "height"), ("w", "h"), ("x", "y"))
"""Words that tell the options of two sides apart, as people say the sides of `640x480`."""


def for_both(option: Option, positions: Sequence[int], free: Sequence[Option], request: Request) -> Option | None:
    """The option that takes the same number, where the request says that it is for both, and no other is called alike."""
    if not option.takes_value or not positions or not _says_both(positions, request):
        return None
    alike = [o for o in free if o.takes_value and o.type == option.type and _differ_in_one(option, o)]
    return alike[0] if len(alike) == 1 else None


def _says_both(positions: Sequence[int], request: Request) -> bool:
    first, last = min(positions), max(positions)
    before = request.tokens[max(0, first - _REACH) : first]
    behind = request.tokens[last + 1 : last + 1 + _REACH]
    start = max((k for k, t in enumerate(before, 1) if t.kind in ("stop", "comma", "number")), default=0)
    end = next((k for k, t in enumerate(behind) if t.kind in ("stop", "comma", "number")), len(behind))
    return any(t.text.lower() == "both" for t in (*before[start:], *behind[:end]))


def _differ_in_one(one: Option, other: Option) -> bool:
    """`--generator_lr` and `--critic_lr`, `--dim_1` and `--dim_2`."""
    mine, its = _parts(one), _parts(other)
    return len(mine) == len(its) > 1 and sum(a != b for a, b in zip(mine, its, strict=True)) == 1


def _parts(option: Option) -> list[str]:
    return re.findall(r"[a-z]+|\d+", option.name.lower())


def sides(shape: Mention, free: Sequence[Option], request: Request) -> Iterator[tuple[Option, str]]:
    """The options for the two sides of a shape, each with its own: `--input_width` and `--input_height`, if there is one such pair, or one
    of which the request says more of the name.
    """
    parts = shape.parts
    if len(parts) != 2 or not all(p.isdigit() for p in parts):
        return
    pairs: list[tuple[int, Option, Option]] = []
    for wide, high in _SIDES:
        for one in (o for o in free if o.takes_value and wide in name_words(o.name)):
            others = [w for w in name_words(one.name) if w != wide]
            for other in (o for o in free if o.takes_value and high in name_words(o.name)):
                if others == [w for w in name_words(other.name) if w != high]:
                    pairs.append((sum(w in request.places for w in others), one, other))
    most = max((said for said, _, _ in pairs), default=0)
    best = [(one, other) for said, one, other in pairs if said == most]
    if len(best) == 1:
        yield from zip(best[0], parts, strict=True)
