import json
from pathlib import Path

import pytest

from ml_agent.benchmarks.impossible.__main__ import main

ROW = {
    "github_id": 5, "github": "https://example.org/someone/weaver", "repo_id": 5, "id": 1, "path": "loom", "arguments": "{'rows': '7'}",
    "instruction": "Weave 7 rows.", "oracle": "", "type": "Bash Script", "prefix_code": "", "output": "python weave.py --rows 7",
}  # fmt: skip
PROGRAM = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--rows', type=int)\np.parse_args()\n"


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    program = tmp_path / "repos" / "weaver" / "loom" / "weave.py"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM)
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    outputs = ["python weave.py --rows 7", "python weave.py --colour red", "cd loom && python weave.py --rows 9"]
    (tmp_path / "outputs.jsonl").write_text(json.dumps({"github_id": 5, "id": 1, "output": outputs}) + "\n")
    return [str(tmp_path / "rows.jsonl"), str(tmp_path / "outputs.jsonl"), "--repos", str(tmp_path / "repos")]


def test_the_figures(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "0 of 1 ground truths are refused" in out
    assert "| outputs | accepts | 1 | 0 | 0 | 0.0 % |" in out
    assert "| outputs | rejects | 2 | 1 | 2 | 100.0 % |" in out  # one is refused, of the other review says that 7 is nowhere


def test_bad_input(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "outputs.jsonl").write_text("nonsense\n")
    assert main(arguments) == 2
    assert capsys.readouterr().err
