"""Values that two options of a program may be meant to take, nearly as likely: what a model is asked, and what its word counts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.pairing import Opinions, Weighed
from ml_agent.policies.grounded.request import Mention
from ml_agent.repo.entrypoints import Option

MARGIN, FLOOR = 1.0, -4.0
"""Log odds: a value is contested if its two likeliest options are no farther apart, and the likelier one is no less likely."""
WORD = 1.0
"""Log odds that the options lose that the model does not name. It adds none: whether a value belongs anywhere it is not asked, for a
small model says of nearly each one that it does not."""
OPTIONS, VALUES = 6, 8
"""That are asked of: the likeliest options of a value; values of one request."""
_HELP = 120


@dataclass(frozen=True, slots=True)
class Contested:
    """One value of the request with the options that it may belong to, the likeliest first."""

    mention: Mention
    options: tuple[Option, ...]

    @property
    def asked(self) -> tuple[Option, ...]:
        """The options that a model is asked of."""
        return self.options[:OPTIONS]

    def named(self, option: str) -> Opinions:
        """What it means that the model names one of the options."""
        return {(other.name, self.mention.position): -WORD for other in self.options if other.name != option}


def contested(weighed: Weighed) -> list[Contested]:
    """In the order of the request."""
    found = []
    for candidate, odds in zip(weighed.candidates, weighed.odds, strict=True):
        ranked = sorted((j for j in range(len(odds)) if odds[j] > -math.inf), key=lambda j: -odds[j])
        if len(ranked) > 1 and odds[ranked[0]] > FLOOR and odds[ranked[0]] - odds[ranked[1]] < MARGIN:
            found.append(Contested(candidate.mention, tuple(weighed.options[j] for j in ranked)))
    return sorted(found, key=lambda c: c.mention.position)[:VALUES]


def described(values: Sequence[Contested]) -> list[str]:
    """A line for each option that is asked of: the same for all questions of a task, so that a service reads them once."""
    options = {option.name: option for value in values for option in value.asked}
    return [_line(option) for option in options.values()]


def _line(option: Option) -> str:
    line = f"{option.name}: {' '.join(option.help.split())[:_HELP]}" if option.help else option.name
    if option.choices:
        line += f" (one of {', '.join(option.choices)[:_HELP]})"
    return line if option.default in (None, "None", "") else f"{line} (default {option.default[:_HELP]})"
