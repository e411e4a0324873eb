"""The labels by hand: which of the published answers hold a part that is impossible in their repository (README.md beside this)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LABELS = Path(__file__).resolve().parent / "labels.jsonl"


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader says of one answer."""

    source: str
    """Name of the file of answers, without its extension."""
    key: str
    """Of the row: `github_id/id`."""
    output: int
    """The answer's place in its row, from 0."""
    kind: str
    """Of the impossible part, as in `Finding.kind`; empty if there is none."""
    why: str
    """`path:line` in the repository that proves it, `answer:line` where the answer itself does."""

    @property
    def impossible(self) -> bool:
        return bool(self.kind)


def read_labels(lines: Iterable[str]) -> dict[tuple[str, str, int], Label]:
    """By source, key and place. Raises ValueError for a line that is none, or contradicts itself, and for one that comes again."""
    found: dict[tuple[str, str, int], Label] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        value = json.loads(line)
        label = Label(value["source"], f"{value['github_id']}/{value['id']}", value["output"], value["kind"], value["why"])
        if label.impossible != value["impossible"] or label.impossible != bool(label.why):
            raise ValueError(f"line {number} of the labels: an impossible answer has a kind and a proof, another has neither")
        if (label.source, label.key, label.output) in found:
            raise ValueError(f"line {number} of the labels: that answer has a label already")
        found[label.source, label.key, label.output] = label
    return found
