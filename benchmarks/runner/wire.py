"""What goes between the runner and a worker process: JSON lines. In: the run's options, then units. Out: for each what came of it."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.codec import sample_from_json
from ml_agent.benchmarks.runner.executor import Unit

END_SECONDS = 3.0
"""For a worker to come to an end by itself once its input is closed."""


def unit_line(unit: Unit, trajectory: Path) -> str:
    value = {"sample": asdict(unit.sample), "checkout": str(unit.checkout), "attempt": unit.attempt, "trajectory": str(trajectory)}
    return json.dumps(value) + "\n"


def read_unit(value: Mapping[str, Any]) -> tuple[Unit, Path]:
    """The unit, and the file for its trajectory."""
    return Unit(sample_from_json(value["sample"]), Path(value["checkout"]), value["attempt"]), Path(value["trajectory"])
