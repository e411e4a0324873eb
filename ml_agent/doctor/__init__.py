"""What works on this machine, what does not, and what to do about it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ml_agent.doctor.check import Check, Found, Given, Probe
from ml_agent.errors import InfrastructureError

__all__ = ["Check", "Diagnosis", "diagnose"]

_NEEDED = {"docker": ("docker engine", "docker sandbox"), "bubblewrap": ("bubblewrap",)}
"""Sandbox -> the checks that are about it; the last one starts it, and its value says whether it started."""
_ORDER = (
    *("ml-agent", "packages", "grammars", "interpreter", "docker engine", "docker sandbox", "bubblewrap", "control groups", "gpu"),
    *("cache folder", "state folder", "left-overs", "runs"),
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All checks, in the order to be shown."""

    checks: tuple[Check, ...]
    sandbox: str | None
    """The one that `auto` takes here and that runs the interpreter; None if nothing can be run."""

    @property
    def ok(self) -> bool:
        """No check ended with an error: what is found can be run."""
        return all(check.status != "error" for check in self.checks)


def diagnose(repository: Path, python: str | None = None) -> Diagnosis:
    """Try all that a run in the folder `repository` would need, with the interpreter `python` if it is given. Nothing is left behind.

    Each check has a time limit of its own, so that this ends within a minute whatever hangs. It works in forks of this process, which
    should have no other threads: what these hold at that moment is never let go in a fork.
    """
    from ml_agent.doctor.looking import look

    first, second, third = _stages()
    given = Given(repository, python, Path("/dev/null"))
    given = replace(given, found=look(first, given))
    with _scratch() as folder:  # only now: making one removes what killed runs have left, which the first stage counts
        for probes in (second, third):
            given = replace(given, scratch=folder)
            given = replace(given, found={**given.found, **look(probes, given)})
    found = dict(given.found)
    sandbox, found["runs"] = _verdict(found)
    if sandbox is not None:
        for names in _NEEDED.values():
            for number, name in enumerate(name for name in names if found[name].status == "error"):
                why = f"; not needed here, as {sandbox} works" if number == 0 else ""
                found[name] = replace(found[name], status="warning", detail=f"{found[name].detail}{why}")
    return Diagnosis(tuple(found[name].named(name) for name in _ORDER), sandbox)


def _stages() -> tuple[list[Probe], list[Probe], list[Probe]]:
    """What can be looked at side by side: nothing that stands in the way of another's measuring or cleaning up."""
    from ml_agent.doctor import engine, folders, installation, leftovers, machine, sandboxes

    return (
        [
            Probe("ml-agent", installation.look_at_itself, 5),
            Probe("packages", installation.look_at_packages, 30),
            Probe("grammars", installation.look_at_grammars, 15),
            Probe("interpreter", machine.look_at_interpreter, 30),
            Probe("docker engine", engine.look_at_engine, 8),
            Probe("control groups", machine.look_at_control_groups, 8),
            Probe("cache folder", folders.look_at_cache, 8),
            Probe("state folder", folders.look_at_state, 8),
            Probe("left-overs", leftovers.look_at_leftovers, 8),
        ],
        [Probe("docker sandbox", sandboxes.look_at_docker, 20), Probe("bubblewrap", sandboxes.look_at_bubblewrap, 15)],
        [Probe("gpu", sandboxes.look_at_gpus, 20)],
    )


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder where those for runs are, which are gone again at the end; one that is not there if none can be made."""
    from ml_agent.sandbox.scratch import Scratch, wanted_parent

    try:
        wanted, parent = wanted_parent(), None
    except ImportError:  # `packages` says so
        wanted = parent = Path(tempfile.gettempdir())
    missing = [place for place in (wanted, *wanted.parents) if not place.exists()]
    try:
        try:
            scratch = Scratch(parent=parent)
        except InfrastructureError:  # `cache folder` says so
            yield wanted / "none"
            return
        try:
            yield scratch.folder
        finally:
            scratch.remove()
    finally:
        for place in missing:
            with suppress(OSError):  # somebody else may have begun to use it
                place.rmdir()


def _verdict(found: dict[str, Found]) -> tuple[str | None, Found]:
    """What `--sandbox auto` takes: the first that starts. The sandbox that works so, and what a user gets of it."""
    from ml_agent.sandbox import AUTO

    interpreter = found["interpreter"]
    starting = {name: found[_NEEDED[name][-1]] for name in AUTO if found[_NEEDED[name][-1]].value}
    working = [name for name, start in starting.items() if start.status != "error"]
    nothing = "answers are found and checked, but nothing is run"
    if not starting:
        todo = f"do what {' or '.join(f'`{_NEEDED[name][0]}`' for name in reversed(AUTO))} says: one of them is enough"
        return None, Found("error", f"no sandbox starts here: {nothing}", todo)
    chosen = next(iter(starting))
    if interpreter.status == "error":
        return None, Found("error", f"--sandbox auto takes {chosen}, but there is no interpreter: {nothing}", "do what `interpreter` says")
    if chosen not in working:
        other = f"give --sandbox {working[0]}, or " if working else ""
        todo = f"{other}do what `{_NEEDED[chosen][-1]}` says"
        return None, Found("error", f"--sandbox auto takes {chosen}, which starts, but the interpreter does not run there", todo)
    python = interpreter.value
    kept = "without the network, home folder and secrets"
    said = f"--sandbox auto takes {chosen}: answers are run by Python {python.version} on a private copy, {kept}"
    return chosen, Found("ok", said)
