"""How a run goes on: a live bar on a terminal, else a plain line now and then; on standard error."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from ml_agent.cli.benchmark.common import dollars
from ml_agent.console import safe, say

if TYPE_CHECKING:
    from ml_agent.benchmarks.runner import Progress

SECONDS = 30.0
"""Between two plain lines."""


@contextmanager
def shown(stream: TextIO | None = None) -> Iterator[Callable[["Progress"], None]]:
    """What is to be told of a run's progress."""
    out = stream if stream is not None else sys.stderr
    if not out.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar
    from rich.table import Column

    line = Column(no_wrap=True, overflow="ellipsis")
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    with Bar(BarColumn(), TextColumn("{task.description}", markup=False, table_column=line), console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None)

        def update(progress: "Progress") -> None:
            done = progress.before + progress.done
            bar.update(task, total=progress.total, completed=done, description=describe(progress))

        yield update


class _Lines:
    """One at the start if there is much to do, then at most one each SECONDS."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, progress: "Progress") -> None:
        if time.monotonic() - self._last >= SECONDS and progress.left:
            self._last = time.monotonic()
            say(describe(progress))


def describe(progress: "Progress") -> str:
    """`37 of 745, 2.1/s, 5m38s left, $0.12, 3 infrastructure, last 1/7`."""
    parts = [f"{progress.before + progress.done} of {progress.total}"]
    if progress.done:
        parts.append(f"{progress.rate:.3g}/s" if progress.rate >= 0.1 else f"{60 * progress.rate:.2g}/min")
        parts.append(f"{span(progress.left / progress.rate)} left")
    if progress.tokens or progress.money is None or progress.money:
        parts.append(dollars(progress.money))
    bad = ((progress.endings[name], name) for name in ("crashed", "killed", "limit", "infrastructure"))
    parts += [f"{count} {name}" for count, name in bad if count]
    if progress.retries:
        parts.append(f"{progress.retries} tried again")
    if progress.last:
        parts.append(f"last {safe(progress.last)[:40]}")
    return ", ".join(parts)


def span(seconds: float) -> str:
    """`45s`, `5m38s`, `2h05m`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}m{rest:02}s" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02}m"
