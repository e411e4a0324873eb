"""Makes checks side by side, each in a process of its own: one that hangs, crashes or cannot be ended costs no other."""

import multiprocessing
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait

from ml_agent.doctor.check import Found, Given, Probe
from ml_agent.errors import Cancelled, MlAgentError, SandboxUnavailable
from ml_agent.interrupts import cancellable

_GRACE = 3.0
"""Seconds to clean up for a check that is ended."""


def look(probes: Sequence[Probe], given: Given) -> dict[str, Found]:
    """What each probe found, by name. Whatever way this ends, no process of it is left."""
    running: list[_Running] = []
    try:
        for probe in probes:
            running.append(_Running(probe, given))
        while waiting := [one for one in running if one.found is None]:
            patience = min(one.deadline for one in waiting) - time.monotonic()
            wait([one.pipe for one in waiting], max(0.0, patience))
            for one in waiting:
                one.read()
    finally:
        _end(running)
    return {one.probe.name: one.found for one in running if one.found is not None}


class _Running:
    """A probe at work."""

    def __init__(self, probe: Probe, given: Given) -> None:
        self.probe, self._doing = probe, ""
        self.found: Found | None = None
        # A fork needs no start of its own, and what was found before it need not be sent.
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(probe, given, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.deadline = time.monotonic() + probe.seconds

    def read(self) -> None:
        """Take in what it has said so far, its end and its time included."""
        try:
            while self.found is None and self.pipe.poll():
                said = self.pipe.recv()
                if isinstance(said, Found):
                    self.found = said
                else:
                    self._doing = f" while {said}"
        except EOFError:
            self.process.join(_GRACE)
            code = self.process.exitcode
            how = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
            self.found = Found("error", f"this check ended with {how}{self._doing}", "this may be a damaged package: install it again")
        if self.found is None and time.monotonic() >= self.deadline:
            said = f"no result within {self.probe.seconds:g} seconds{self._doing}"
            self.found = Found("error", said, "see whether the machine, its disk or the Docker engine hangs, and try again")


def _end(running: Sequence[_Running]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        alive = [one.process for one in running if one.process.is_alive()]
        for process in alive:
            with suppress(ProcessLookupError):
                os.kill(process.pid or 0, number)
        deadline = time.monotonic() + _GRACE
        for process in alive:
            process.join(max(0.0, deadline - time.monotonic()))
    for one in running:
        one.pipe.close()


def _work(probe: Probe, given: Given, pipe: Connection) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # what libraries print is no part of the result
        os.dup2(null, descriptor)
    try:
        with cancellable():
            found = _careful(probe, replace(given, say=pipe.send))
    except (Cancelled, KeyboardInterrupt):
        return
    with suppress(BrokenPipeError):
        pipe.send(found)


def _careful(probe: Probe, given: Given) -> Found:
    try:
        return probe.look(given)
    except SandboxUnavailable as error:
        return Found("error", error.why, error.remedy or None)
    except ImportError as error:
        return Found("error", f"a package cannot be imported: {error}", "do what `packages` says")
    except MlAgentError as error:
        return Found("error", str(error))
    except Exception as error:  # noqa: BLE001 - the other checks are worth as much
        return Found("error", f"this check failed: {type(error).__name__}: {error}", "this is a fault of ml-agent, please report it")
