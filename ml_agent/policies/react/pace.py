"""How many more replies of the model the limits of a run allow."""

import math
from collections import deque

from ml_agent.limits import Remaining
from ml_agent.models.messages import Reply

_MEASURED = 3
"""Replies whose cost, at the most, the next one is taken to have."""


class Pace:
    """Measures what replies cost. One instance a run."""

    def __init__(self) -> None:
        self._costs: deque[tuple[float, float, float]] = deque(maxlen=_MEASURED)

    def hear(self, reply: Reply) -> None:
        self._costs.append((reply.seconds, reply.usage.total, reply.money or 0.0))

    def replies(self, remaining: Remaining) -> float:
        """So many, about, are left, the one for this step included; below 1 if the next may not come in time."""
        left = remaining.steps + 1
        resources = (remaining.seconds, remaining.tokens, remaining.money)
        for resource, costs in zip(resources, zip(*self._costs, strict=True), strict=False):
            left = min(left, resource / max(costs) if max(costs) > 0 else math.inf)
        return left
