import json
from pathlib import Path

import pytest

from ml_agent.benchmarks.pairs.__main__ import main
from ml_agent.policies.grounded.pairing import FEATURES
from ml_agent.policies.grounded.replacing import LITERAL_FEATURES

PROGRAM = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--rows', type=int)\np.add_argument('--threads', type=int)\n"
    "p.add_argument('--out')\np.parse_args()\n"
)
TASKS = (
    ("Weave 7 rows into a/cloth.txt.", "python weave.py --rows 7 --out a/cloth.txt", "{'rows': '7', 'out': 'a/cloth.txt'}"),
    ("Weave with 2 threads.", "python weave.py --threads 2", "{'threads': '2'}"),
)


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    rows = []
    for k, name in enumerate(("weaver", "spinner")):
        repository = tmp_path / "repos" / name
        repository.mkdir(parents=True)
        (repository / "weave.py").write_text(PROGRAM)
        rows += [
            {"github_id": k, "github": f"https://example.org/someone/{name}", "repo_id": k, "id": at, "path": ".", "arguments": asked,
             "instruction": text, "oracle": "", "type": "Bash Script", "prefix_code": "", "output": output}
            for at, (text, output, asked) in enumerate(TASKS)
        ]  # fmt: skip
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [f"ml-bench:{tmp_path / 'repos'}", "--data", str(tmp_path / "rows.jsonl")]


def test_weights_are_fitted_and_written(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "weights.json"
    assert main([*arguments, "--out", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in said] == ["rules", "fitted, each repository left out"]
    assert "values 6/6 100.0 %, tasks 4/4 100.0 %" in said[0]
    data = json.loads(out.read_text())
    assert len(data["features"]) == 4
    assert data["features"][0].keys() <= set(FEATURES)
    assert data["features"][0]["score"] > 0


def test_those_of_literals(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("weaver", "spinner"):
        repository = tmp_path / "repos" / name
        (repository / "loom.py").write_text("class Loom:\n    def __init__(self, rows=1): ...\n    def weave(self, path): ...\n")
        (repository / "README.md").write_text("```python\nfrom loom import Loom\nLoom(rows=7).weave('a.png')\n```\n")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    told = {"type": "Python Code", "instruction": "Write Python code that weaves 9 rows with the Loom into b.png."}
    told |= {"output": "from loom import Loom\nLoom(rows=9).weave('b.png')", "arguments": "{'rows': '9'}"}
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row | told) + "\n" for row in rows))
    out = tmp_path / "weights.json"
    assert main([*arguments, "--language", "python", "--out", str(out)]) == 0
    assert "values 8/8 100.0 %, tasks 4/4 100.0 %" in capsys.readouterr().out
    data = json.loads(out.read_text())
    assert data["bias"]["number"] != 0
    assert all(row.keys() <= set(LITERAL_FEATURES) for row in data["features"])


def test_nothing_to_learn_from(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "repos" / "weaver" / "weave.py").unlink()
    assert main(arguments) == 2
    assert "two repositories" in capsys.readouterr().err
    assert main([arguments[0], "--data", str(tmp_path / "none.jsonl")]) == 2
