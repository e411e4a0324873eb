"""Made-up repositories of which a catalogue holds the files and what they are asked for."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ml_agent.benchmarks.phrasings.measure import Wanted

Requests = Iterable[tuple[str, tuple[Wanted, ...]]]


@dataclass(frozen=True, slots=True)
class Repository:
    """Its files by path, and requests with what their answers have to hold."""

    files: dict[str, str]
    requests: tuple[tuple[str, tuple[Wanted, ...]], ...]

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def repositories(
    folder: str, tasks: int, seed: int, requests: Callable[[str, dict[str, Any], int, random.Random], Requests]
) -> Iterator[Repository]:
    """One for each catalogue in a folder beside this file; the tasks are shared out evenly.

    `requests` makes them from a catalogue's name, what it holds, their number and a source of choices.
    """
    paths = sorted(Path(__file__).with_name(folder).glob("*.yaml"))
    for number, path in enumerate(paths[:tasks]):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        share = tasks // len(paths) + (number < tasks % len(paths))
        chance = random.Random(seed)  # noqa: S311 - a choice of words
        yield Repository(data["files"], tuple(requests(path.stem, data, share, chance)))
