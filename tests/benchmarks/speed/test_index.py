"""The benchmark of the index runs, on a tree that is small, and shows what it measured beside its goals."""

import os
import sys
from pathlib import Path

import pytest

from ml_agent.benchmarks.speed import index


def test_a_small_tree_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        text = (
            f"def count_{number}(tokens):\n    return tokens + {number}\n\n\nclass Pod{number}:\n    def stream(self):\n        return 1\n"
        )
        (tmp_path / "tree").mkdir(exist_ok=True)
        (tmp_path / "tree" / f"m{number}.py").write_text(text)
    monkeypatch.setattr(sys, "argv", ["index", str(tmp_path / "tree"), "--runs", "1"])
    index.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("12 Python files")
    for name in (index.RAW, index.COLD, index.WARM, index.CHANGED, "memory", "symbol query", "BM25 query", "embedding", "hybrid query"):
        assert sum(line.startswith(name) for line in lines) == 1, name
    assert not (tmp_path / "tree/m6.py").read_text().count("added"), "the tree itself is left as it is"


def test_memory_is_that_of_all_processes() -> None:
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; x = bytearray(60 << 20); time.sleep(0.5)'])"
    seconds, peak = index.run(child)
    assert seconds > 0.5
    assert peak > 60
    assert index.resident(os.getpid()) > 10
