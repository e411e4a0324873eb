"""What a check says, and what it is given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Status = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor."""

    name: str
    status: Status
    """`ok`; `warning`: works with less, or is not needed here; `error`: keeps ml-agent from running what it finds."""
    detail: str
    """What was found, in a line."""
    remedy: str | None = None
    """What to do about it, in a line; None if there is nothing to do."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a probe found: a Check without its name, and what other probes can use."""

    status: Status
    detail: str
    remedy: str | None = None
    value: Any = None

    def named(self, name: str) -> Check:
        return Check(name, self.status, self.detail, self.remedy)


@dataclass(frozen=True, slots=True)
class Given:
    """What a probe is told."""

    repository: Path
    python: str | None
    scratch: Path
    """A folder for its use, removed afterwards; it may not be there."""
    found: Mapping[str, Found] = field(default_factory=dict)
    """What the probes before it have found, by name."""
    say: Callable[[str], None] = lambda _: None
    """Told what is done next; it is named should that be the last."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A check that is to be made. `look` may raise anything; after `seconds` it is ended."""

    name: str
    look: Callable[[Given], Found]
    seconds: float
