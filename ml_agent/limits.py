"""Limits: one object with one deadline, handed to every tool, model and sandbox call."""

import math
import time
from dataclasses import dataclass

from ml_agent.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of a run; `math.inf` where there is no limit."""

    steps: float
    seconds: float
    sandbox_seconds: float
    tokens: float
    money: float


class Limits:
    """How much a run may use, and how much it has used.

    The clock starts with the first call of `start()`; before that the full time remains.
    Money is in US dollars. Every limit may be `math.inf`.
    """

    def __init__(
        self,
        *,
        steps: float = 50,
        seconds: float = 120.0,
        sandbox_seconds: float = math.inf,
        tokens: float = math.inf,
        money: float = math.inf,
    ) -> None:
        for name, value in (
            ("steps", steps),
            ("seconds", seconds),
            ("sandbox_seconds", sandbox_seconds),
            ("tokens", tokens),
            ("money", money),
        ):
            if not value > 0:
                raise ValueError(f"the limit {name} must be above zero, not {value}")
        self.steps, self.seconds, self.sandbox_seconds = steps, seconds, sandbox_seconds
        self.tokens, self.money = tokens, money
        self._used = {"steps": 0.0, "sandbox_seconds": 0.0, "tokens": 0.0, "money": 0.0}
        self._deadline: float | None = None

    def start(self) -> None:
        """Start the clock, once."""
        if self._deadline is None:
            self._deadline = time.monotonic() + self.seconds

    def spend(self, *, steps: float = 0, sandbox_seconds: float = 0, tokens: float = 0, money: float = 0) -> None:
        """Record what was used. Never raises: a thing that is done is done; `check()` stops the next one."""
        for name, value in (("steps", steps), ("sandbox_seconds", sandbox_seconds), ("tokens", tokens), ("money", money)):
            self._used[name] += value

    def used(self, name: str) -> float:
        """What was recorded of steps, sandbox_seconds, tokens or money; it may be more than the limit."""
        return self._used[name]

    def remaining(self) -> Remaining:
        """What is left, never below zero."""
        seconds = self.seconds if self._deadline is None else self._deadline - time.monotonic()
        return Remaining(
            steps=max(0.0, self.steps - self._used["steps"]),
            seconds=max(0.0, seconds),
            sandbox_seconds=max(0.0, self.sandbox_seconds - self._used["sandbox_seconds"]),
            tokens=max(0.0, self.tokens - self._used["tokens"]),
            money=max(0.0, self.money - self._used["money"]),
        )

    def check(self, *names: str) -> None:
        """Raise LimitReached if a limit is spent; `names` narrows it to some of steps, seconds, tokens, money."""
        left = self.remaining()
        for name in names or ("steps", "seconds", "tokens", "money"):
            if getattr(left, name) <= 0:
                limit = getattr(self, name)
                raise LimitReached(name, f"the limit of {limit:g} {name} is spent")

    def run_seconds(self) -> float:
        """How long the next run in the sandbox may take: the smaller of the wall clock's and the sandbox's rest."""
        left = self.remaining()
        return min(left.seconds, left.sandbox_seconds)
