"""The measuring command measures a tree that it is given."""

import subprocess
import sys
from pathlib import Path

from ml_agent.benchmarks.speed.retrieval import copied, installed


def test_every_figure_is_there(smoke: Path) -> None:
    command = [sys.executable, "-m", "ml_agent.benchmarks.speed.retrieval", str(smoke), "--vectors", "40", "--embed", "10"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=55)
    assert done.returncode == 0, done.stderr
    files, *lines = done.stdout.splitlines()
    assert int(files.split()[0]) == len(list(smoke.rglob("*.py")))
    figures = {line[:44].strip(): float(line[44:].split()[0]) for line in lines}
    expected = {
        "symbols",
        "pieces",
        "BM25",
        "query by BM25, warm",
        "embedding",
        "hybrid query, warm",
        "memory",
        "40 vectors at random into the store",
    }
    assert expected <= set(figures)
    assert all(figure >= 0 for figure in figures.values())
    assert 0 < figures["query by BM25, warm"] < figures["hybrid query, warm"]


def test_installed_packages_are_copied(tmp_path: Path) -> None:
    (folder,) = installed(["numpy", "no_such_package"])
    assert folder.name == "numpy"
    assert copied([Path(__file__).parent], tmp_path) == len(list(Path(__file__).parent.glob("*.py")))
