from pathlib import Path

import pytest

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.pairs.labelled import labelled
from ml_agent.benchmarks.scorers.programs import ProgramsOf
from ml_agent.policies.grounded.pairing import FEATURES
from ml_agent.repo.index import RepoIndex
from tests.policies.grounded.support import proposals, write

PROGRAM = (
    "import argparse, os\np = argparse.ArgumentParser()\np.add_argument('nest')\np.add_argument('--rows', type=int)\n"
    "p.add_argument('--threads', type=int)\np.parse_args()\n"
)
SCRIPT = "THREADS=${THREADS:-1}\npython weave.py a --rows $ROWS\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "weaver", {"weave.py": PROGRAM, "weave.sh": SCRIPT, "README.md": "# Weaver\n"})


def right(root: Path, text: str, output: str) -> dict[str, list[str]]:
    """Kind of value -> the options that it belongs to."""
    sample = Sample("1/1", "weaver", text, "bash", output)
    found = labelled(sample, proposals(root, text), ProgramsOf({"weaver": root}))
    assert found is not None
    assert all(c.features.shape == (len(c.options), len(FEATURES)) for c in found.choices)
    return {c.kind: [o for o, ok in zip(c.options, c.right, strict=True) if ok] for c in found.choices}


def test_options_and_positional_arguments(root: Path) -> None:
    found = right(root, "Run weave.py with 70 rows on x/reeds.txt", "python weave.py x/reeds.txt --rows 70")
    assert found == {"number": ["--rows"], "path": ["nest"]}


def test_what_the_ground_truth_does_not_use_belongs_to_none(root: Path) -> None:
    assert right(root, "Run weave.py with 70 rows on x/reeds.txt", "python weave.py x/reeds.txt") == {"number": [], "path": ["nest"]}


def test_variables_of_the_environment(root: Path) -> None:
    assert right(root, "Run the script weave.sh with 70 threads", "THREADS=70 bash weave.sh")["number"] == ["THREADS"]


def test_no_program_is_no_task(root: Path) -> None:
    sample = Sample("1/1", "weaver", "Run weave.py with 70 rows", "bash", "make")
    assert labelled(sample, proposals(root, sample.instruction), ProgramsOf({"weaver": root})) is None
    assert RepoIndex(root).entry_point("weave.py") is not None
