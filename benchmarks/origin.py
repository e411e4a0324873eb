"""Where a run's suite was read from, so that going on with the run need not read it again: large rows take longer than all the rest."""

import hashlib
import json
from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.benchmarks.runs import SETTINGS, Run
from ml_agent.benchmarks.suites import SUITES
from ml_agent.errors import UsageError


def origin_of(name: str, data: str | None, split: str) -> str:
    """What the suite depends on, as 64 hexadecimal digits: name, split, the content of the file of rows, and the code that reads them.

    Empty if the rows are in no file, or the suite is another distribution's.
    """
    total = hashlib.sha256(json.dumps([name, split]).encode())
    if data is None or name not in SUITES:  # what another's suite depends on is not known
        return ""
    try:
        with open(data, "rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
        own = Path(__file__).parent
        for path in sorted([own / "base.py", *(own / "suites").glob("*.py"), *(own / "scorers").glob("*.py")]):
            total.update(hashlib.sha256(path.read_bytes()).digest())
    except OSError:
        return ""
    return total.hexdigest()


def stored_suite(folder: Path, origin: str) -> Suite | None:
    """The suite of the run in `folder`, if there is one and its suite was read from there; None otherwise."""
    try:
        begun = json.loads((folder / SETTINGS).read_bytes())["begun"]
        return Run(folder).suite if origin and begun["origin"] == origin else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, UsageError):
        return None  # whatever is wrong is said when the run is gone on with
