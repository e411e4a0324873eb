"""Figures in words, and foreign text made fit for a page."""

import re
from collections import Counter
from collections.abc import Sequence

from ml_agent.benchmarks.report.model import Figures, Rate, ScoredRun

_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters, and those that hide, break lines or turn the direction of text; not the newline, the tab and the joiners."""
_MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_STACKED = re.compile(f"({_MARKS}{{4}}){_MARKS}+")
"""More marks on one letter than any script has: they would climb over the lines around it."""
_COLOURS = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_NO_VALUE = "n/a"
_LABEL = 60
"""Characters of a policy's or a model's name."""


def shown(text: str) -> str:
    """`text` with what a page would obey instead of show written as an escape."""
    text = _OBEYED.sub(lambda found: found[0].encode("unicode_escape", "backslashreplace").decode("ascii"), text.replace("\r\n", "\n"))
    return _STACKED.sub(r"\1", text)


def line(text: str, limit: int = 300) -> str:
    """`text` in one line of at most `limit` characters."""
    flat = " ".join(text[: 4 * limit].split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def cut(text: str, limit: int) -> str:
    """`text` whole, or its first two thirds and its end with a line between them that says how much is left out."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]}\n… {len(text) - head - tail:,} characters left out …\n{text[-tail:]}"


def terminal(text: str) -> str:
    """Output as a terminal leaves it: without colours, and of a line that was written over, what stands at last."""
    lines = _COLOURS.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(one.rstrip("\r").rpartition("\r")[2] for one in lines)


def percent(value: float | None) -> str:
    """`0.3356` as `33.6 %`; None as `n/a`."""
    return _NO_VALUE if value is None else f"{100 * value:.1f}\u00a0%"


def interval(rate: Rate) -> str:
    """`[28.1, 39.0]` in per cent; empty if there is none."""
    return "" if rate.low is None or rate.high is None else f"[{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def points(value: float | None) -> str:
    """A difference of shares: `0.051` as `+5.1`, in percentage points."""
    return _NO_VALUE if value is None else f"{100 * value:+.1f}".replace("-", "−")


def points_interval(low: float | None, high: float | None) -> str:
    """`[+1.2, +9.0]`; empty if there is none."""
    return "" if low is None or high is None else f"[{points(low)}, {points(high)}]"


def p_value(value: float | None) -> str:
    """`0.034`, `< 0.001`."""
    return _NO_VALUE if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def money(value: float | None) -> str:
    """US dollars; an unknown price is not 0."""
    if value is None:
        return "unknown"
    return "$0" if value == 0 else f"${value:,.2f}" if value >= 0.01 else "< $0.01"


def tokens(figures: Figures) -> str:
    """Tokens of a run; where neither they nor the money were counted they are unknown."""
    return "unknown" if figures.money is None and not figures.tokens else f"{figures.tokens:,}"


def duration(seconds: float) -> str:
    """`0.8 s`, `75 s`, `42 min`, `3.1 h`; 0 is time that nobody took."""
    if seconds == 0:
        return "unknown"
    if seconds < 10:
        return f"{seconds:.1f}\u00a0s"
    if seconds < 120:
        return f"{seconds:.0f}\u00a0s"
    return f"{seconds / 60:.0f}\u00a0min" if seconds < 7200 else f"{seconds / 3600:.1f}\u00a0h"


def labels(runs: Sequence[ScoredRun]) -> list[str]:
    """A name for each run, no two alike: the policy, and where that is not enough the model, the setting, the digest, a number."""
    parts = [[line(run.policy, _LABEL)] for run in runs]
    for more in ("model", "setting", "digest"):
        counted = Counter(map(tuple, parts))
        for run, part in zip(runs, parts, strict=True):
            if counted[tuple(part)] > 1 and (value := getattr(run, more)):
                part.append(value[:8] if more == "digest" else line(value, _LABEL))
    names = [" · ".join(part) for part in parts]
    used = Counter(names)
    for index, name in enumerate(names):
        number = 1
        while used[names[index]] > 1:
            used[names[index]] -= 1
            names[index] = f"{name} ({number})"
            used[names[index]] += 1
            number += 1
    return names
