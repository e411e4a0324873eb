"""Notices a model that goes round in a circle."""

import json
import re
from collections import deque

from ml_agent.trajectory import Observation, ToolCall

TOLD = 3
"""A call that was made so often lately, with the same result each time, is told to the model."""
STUCK = 6
"""So often, and it is not asked any further."""
_LATELY = 12
"""Calls that count, whatever lies between: a circle may have several."""
_FRACTION = re.compile(r"\d+\.\d+")
"""The seconds that something took, in a result that is the same otherwise."""


class Repeats:
    """Counts equal calls. One instance a run."""

    def __init__(self) -> None:
        self.times = 0
        """So often lately was the last call made, with the same result."""
        self._lately: deque[tuple[str, str]] = deque(maxlen=_LATELY)

    def note(self, call: ToolCall, observation: Observation) -> None:
        """Take in a call and what it brought back."""
        made = json.dumps([call.tool, dict(call.arguments)], sort_keys=True, default=str)
        result = _FRACTION.sub("", observation.text)
        self._lately.append((made, result))
        self.times = self._lately.count((made, result))
