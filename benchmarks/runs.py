"""A run's folder, as it is read: settings, suite, and one file for each attempt. The runner alone writes it.

settings.json     what it was made with; the run exists once this does
suite.jsonl       the samples, whole, so that it can be scored again without anything else
attempts/ab/KEY-HASH.N.json      the n-th attempt at a sample, immutable
trajectories/ab/KEY-HASH.N.jsonl
lock, work/       of the runner
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

from ml_agent.benchmarks.base import Attempt, Sample, Suite
from ml_agent.benchmarks.codec import attempt_from_json, suite_from_lines
from ml_agent.benchmarks.selection import choose
from ml_agent.errors import UsageError
from ml_agent.inputs import read_regular

SCHEMA = 1
ATTEMPT_BYTES = 20_000_000
SUITE_BYTES = 2_000_000_000
MAX_ATTEMPTS = 1_000
"""At each sample."""
_NEEDED = {"suite_hash": str, "policy_digest": str, "attempts": int, "ranked": bool, "only": str}
SETTINGS, SUITE, ATTEMPTS, TRAJECTORIES = "settings.json", "suite.jsonl", "attempts", "trajectories"


def stem(suite: str, sample: str, policy: str, attempt: int) -> str:
    """Where an attempt's files stand below their folders, without the ending.

    By the whole of (suite hash, sample, policy digest, attempt); the key is in it for people, as far as a file's name can hold it.
    """
    name = hashlib.sha256(json.dumps([suite, sample, policy]).encode()).hexdigest()
    return f"{name[:2]}/{re.sub(r'[^A-Za-z0-9_-]+', '_', sample)[:60]}-{name[2:26]}.{attempt}"


class Run:
    """Reads a run's folder; holds its suite, and of the attempts nothing. Raises UsageError if it is none, or damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings: Mapping[str, Any] = read_settings(folder)

    @cached_property
    def suite(self) -> Suite:
        """As the run was made with it, its hash checked."""
        path = self.folder / SUITE
        try:
            with _lines(path) as lines:
                suite = suite_from_lines(lines)
        except ValueError as error:
            raise UsageError(f"{path}: {error}") from error
        if suite.hash != self.settings["suite_hash"]:
            raise UsageError(f"{self.folder / SUITE} is not the suite that the run's settings name")
        return suite

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        """Those that the run is over, in the order of the suite."""
        return choose(self.suite, self.settings["only"], int(self.settings.get("sample", 0)))

    @property
    def attempts_each(self) -> int:
        return int(self.settings["attempts"])

    @property
    def ranked(self) -> bool:
        """Whether attempts are ranked alternatives; else they are independent."""
        return bool(self.settings["ranked"])

    def stem(self, sample: str, attempt: int) -> str:
        return stem(self.settings["suite_hash"], sample, self.settings["policy_digest"], attempt)

    def attempt(self, sample: str, attempt: int) -> Attempt | None:
        """None if it is not made yet. Raises UsageError if its file is damaged, or not of this run."""
        path = self.folder / ATTEMPTS / f"{self.stem(sample, attempt)}.json"
        if not os.path.lexists(path):
            return None
        data = read_regular(path, ATTEMPT_BYTES)
        try:
            value = json.loads(data)
            whose = (value["schema"], value["suite"], value["policy"])
            found = attempt_from_json(value["attempt"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(f"{path} is no attempt: {error}") from error
        expected = (SCHEMA, self.settings["suite_hash"], self.settings["policy_digest"], sample, attempt)
        if (*whose, found.sample, found.attempt) != expected:
            raise UsageError(f"{path} does not belong here: it is of another run")
        return found

    def attempts_at(self, sample: str) -> list[Attempt]:
        """The attempts that were made at a sample, in order."""
        found = (self.attempt(sample, number) for number in range(self.attempts_each))
        return [attempt for attempt in found if attempt is not None]

    def attempts(self) -> Iterator[Attempt]:
        """All that were made, in the order of the suite, one at a time."""
        for sample in self.samples:
            yield from self.attempts_at(sample.key)


def read_settings(folder: Path) -> dict[str, Any]:
    """Raises UsageError if there is no run in the folder, or one of another version."""
    path = folder / SETTINGS
    if not path.is_file():
        raise UsageError(f"{folder} is no run: `ml-agent bench run --out` makes one")
    try:
        value = json.loads(read_regular(path, ATTEMPT_BYTES))
        settings = dict(value["settings"])
        if value["schema"] != SCHEMA:
            raise UsageError(f"{path} has schema {value['schema']!r}; this version reads {SCHEMA}")
        for name, kind in _NEEDED.items():
            if type(settings[name]) is not kind:
                raise TypeError(f"{name} is {settings[name]!r:.40}")
        if not 1 <= settings["attempts"] <= MAX_ATTEMPTS:
            raise ValueError(f"{settings['attempts']} attempts")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{path} holds no settings of a run: {error}") from error
    return settings


def _lines(path: Path) -> TextIO:
    """A text file to be read line by line. Never waits for a pipe; what is no text is read with replacements. Raises UsageError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size > SUITE_BYTES:
        os.close(descriptor)
        raise UsageError(f"cannot read {path}: it is no regular file, or larger than {SUITE_BYTES:,} bytes")
    return open(descriptor, encoding="utf-8", errors="replace")
