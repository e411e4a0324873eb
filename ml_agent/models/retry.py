"""The one place where a request to a model is made again."""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ml_agent.errors import InfrastructureError
from ml_agent.models.failures import BadReply, ContextOverflow, Transient, Unsupported, judge

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """Counts requests."""

    requests: int = 0


@dataclass(frozen=True, slots=True)
class RetryRule:
    """How often, and how long."""

    tries: int = 5
    first_wait: float = 0.5
    """Seconds before the second try, about: each wait is twice the last, and drawn from the upper half of that."""
    longest_wait: float = 30.0
    request_seconds: float = 300.0
    """Of one request, from its start to its last byte."""
    seconds: float = 600.0
    """Of all tries together, with their waits."""


async def persist(request: Callable[[], Awaitable[T]], *, rule: RetryRule, seconds: float, provider: str, name: str, tally: Tally) -> T:
    """What `request` returns within the smaller of `seconds` and the rule's.

    Raises ContextOverflow, Unsupported and BadReply as they are, and InfrastructureError, which starts with `name`, for all other failures.
    """
    from tenacity import AsyncRetrying, retry_if_exception_type

    start, before = time.monotonic(), tally.requests
    deadline = start + min(seconds, rule.seconds)

    async def once() -> T:
        tally.requests += 1
        left = deadline - time.monotonic()
        allowed = min(left, rule.request_seconds)
        try:
            async with asyncio.timeout(allowed if math.isfinite(allowed) else None) as timer:
                return await request()
        except Exception as error:
            if isinstance(error, TimeoutError) and timer.expired():
                raise Transient(f"gave no reply within {allowed:.3g} s", advice="allow more time, or choose a faster model") from error
            judged = judge(error, provider)
            if judged is error:
                raise
            raise judged from error

    def stop(state: "RetryCallState") -> bool:
        failed = state.outcome.exception() if state.outcome else None
        most = min(rule.tries, (failed.tries if isinstance(failed, Transient) else None) or rule.tries)
        return state.attempt_number >= most or time.monotonic() + state.upcoming_sleep >= deadline

    def pause(state: "RetryCallState") -> float:
        failed = state.outcome.exception() if state.outcome else None
        backoff = min(rule.longest_wait, rule.first_wait * 2 ** (state.attempt_number - 1)) * random.uniform(0.5, 1.0)  # noqa: S311
        asked = failed.retry_after if isinstance(failed, Transient) else None
        return max(float(backoff), asked or 0.0)

    retrying = AsyncRetrying(retry=retry_if_exception_type(Transient), stop=stop, wait=pause, sleep=asyncio.sleep, reraise=True)
    try:
        return await retrying(once)
    except (ContextOverflow, Unsupported, BadReply):
        raise
    except InfrastructureError as error:
        raise InfrastructureError(f"{name}: {error}") from error.__cause__
    except Transient as error:
        spent = time.monotonic() - start
        advice = error.advice
        if error.retry_after is not None and time.monotonic() + error.retry_after >= deadline:
            advice = f"it asks to wait {error.retry_after:.0f} s, which is more than is left"
        tries = tally.requests - before
        how_often = f"{tries} tries in {spent:.1f} s" if tries > 1 else f"1 try in {spent:.1f} s"
        raise InfrastructureError(f"{name}: {error.what} ({how_often}); {advice}") from error.__cause__
