"""The writing side of a run's folder: one writer at a time, each file whole or not there. What it looks like: see runs.py."""

import fcntl
import json
import os
import platform
import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ml_agent.benchmarks import runs
from ml_agent.benchmarks.base import Attempt, Suite
from ml_agent.benchmarks.codec import attempt_to_json, suite_lines
from ml_agent.benchmarks.files import write_whole
from ml_agent.benchmarks.runner.options import check_same
from ml_agent.errors import InfrastructureError, UsageError

_LOCK, _WORK, _SUPERSEDED = "lock", "work", "superseded"


class RunFolder:
    """Opened for a run that is new, or that goes on; a context manager that holds the folder's lock.

    Raises UsageError if another runner has it, if it holds something else, or if a run was begun in it with other settings;
    InfrastructureError if it cannot be written.
    """

    def __init__(self, folder: Path, suite: Suite, settings: Mapping[str, Any], origin: str = "") -> None:
        self.folder = folder.absolute()
        self._suite, self._settings, self._origin = suite, settings, origin
        self._made: set[str] = set()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from error
        self._check_content()
        self._lock = self._locked()
        try:
            self._begin()
        except BaseException:
            os.close(self._lock)
            raise

    def _check_content(self) -> None:
        try:
            names = set(os.listdir(self.folder))
        except OSError as error:
            raise UsageError(f"cannot read the folder {self.folder}: {error.strerror}") from error
        if runs.SETTINGS not in names and any(name not in (_LOCK, _WORK, runs.SUITE) for name in names):
            raise UsageError(f"{self.folder} is not empty and holds no run: give a new folder as --out")

    def _locked(self) -> int:
        try:
            lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise UsageError(f"cannot write to the folder {self.folder}: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise UsageError(f"another runner is at work in {self.folder}: wait for it, or give another folder as --out") from None
        return lock

    def _begin(self) -> None:
        try:
            shutil.rmtree(self.work, ignore_errors=True)
            self.work.mkdir(exist_ok=True)
        except OSError as error:
            raise InfrastructureError(f"cannot make {self.work}: {error.strerror}") from error
        if (self.folder / runs.SETTINGS).exists():
            check_same(runs.read_settings(self.folder), self._settings)
            if not (self.folder / runs.SUITE).exists():
                raise UsageError(f"{self.folder / runs.SUITE} is gone: give another folder as --out")
            return
        write_whole(self.folder / runs.SUITE, suite_lines(self._suite), temporary=self.work / runs.SUITE)
        time = datetime.now(UTC).isoformat(timespec="seconds")
        begun = {"time": time, "machine": platform.machine(), "python": platform.python_version(), "origin": self._origin}
        text = json.dumps({"schema": runs.SCHEMA, "settings": dict(self._settings), "begun": begun}, indent=1)
        write_whole(self.folder / runs.SETTINGS, [text, "\n"], temporary=self.work / runs.SETTINGS)

    @property
    def work(self) -> Path:
        """For drafts, and for the trajectories that are being written; emptied when a runner begins and when it ends."""
        return self.folder / _WORK

    def has(self, sample: str, attempt: int) -> bool:
        return os.path.exists(self._path(runs.ATTEMPTS, sample, attempt, ".json"))

    def _path(self, kind: str, sample: str, attempt: int, ending: str) -> str:
        name = runs.stem(self._settings["suite_hash"], sample, self._settings["policy_digest"], attempt)
        return f"{self.folder}/{kind}/{name}{ending}"

    def write(self, attempt: Attempt, trajectory: Path | None) -> None:
        """Record an attempt, once. Its trajectory first: a file of an attempt never speaks of one that is not there."""
        path = self._path(runs.ATTEMPTS, attempt.sample, attempt.attempt, ".json")
        if os.path.exists(path):
            raise RuntimeError(f"{path} is there already")
        value = attempt_to_json(attempt)
        if trajectory is not None:
            kept = self._path(runs.TRAJECTORIES, attempt.sample, attempt.attempt, ".jsonl")
            self._make(os.path.dirname(kept))
            try:
                trajectory.replace(kept)
            except OSError as error:
                raise InfrastructureError(f"cannot write {kept}: {error.strerror}") from error
            value["trajectory"] = os.path.relpath(kept, self.folder)
        self._make(os.path.dirname(path))
        whole = {"schema": runs.SCHEMA, "suite": self._settings["suite_hash"], "policy": self._settings["policy_digest"], "attempt": value}
        write_whole(Path(path), [json.dumps(whole), "\n"], temporary=self.work / "attempt")

    def supersede(self, sample: str, attempt: int) -> None:
        """Put an attempt's record aside, so that it is made anew."""
        path = Path(self._path(runs.ATTEMPTS, sample, attempt, ".json"))
        number, aside = 0, self.folder / _SUPERSEDED
        try:
            aside.mkdir(exist_ok=True)
            while os.path.lexists(target := aside / f"{path.name}.{number}"):
                number += 1
            path.replace(target)
        except OSError as error:
            raise InfrastructureError(f"cannot put {path} aside: {error.strerror}") from error

    def _make(self, folder: str) -> None:
        if folder not in self._made:
            try:
                os.makedirs(folder, exist_ok=True)
            except OSError as error:
                raise InfrastructureError(f"cannot make {folder}: {error.strerror}") from error
            self._made.add(folder)

    def close(self) -> None:
        """Give the folder free; safe to call twice."""
        lock, self._lock = self._lock, -1
        if lock >= 0:
            shutil.rmtree(self.work, ignore_errors=True)
            with suppress(OSError):
                os.close(lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
