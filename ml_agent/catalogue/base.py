"""A repository that may be the one a task is about."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

NAME_CHARACTERS = 200
TEXT_CHARACTERS = 1_000
"""Of a description; what is more is cut."""
TOPICS = 30


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a catalogue says of a repository. At least one of `url` and `path` is there."""

    name: str
    url: str = ""
    """To clone from."""
    path: Path | None = None
    """A folder with a checkout, on this machine."""
    description: str = ""
    topics: tuple[str, ...] = ()
    stars: int | None = None
    """None if the catalogue does not say."""
    commit: str = ""
    """The one to clone; empty for the default branch's head."""
    source: str = ""
    """Where it stands: an address, or file:line."""
    score: float | None = None
    """By words (BM25): comparable within one ranking only. None if a model ranked it."""
    why: str = ""
    """Why it stands where it does, in a few words."""

    @property
    def text(self) -> str:
        """All that it says about itself; the name counts twice."""
        return " ".join((self.name, self.name, self.description, *self.topics))

    def to_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return asdict(self) | {"path": str(self.path) if self.path else None, "topics": list(self.topics)}


def one_line(text: str, most: int = TEXT_CHARACTERS) -> str:
    """`text` on one line, cut."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"
