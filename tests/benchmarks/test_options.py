"""Which options of a ground truth are known to its program, on rows of our own."""

import json
from pathlib import Path

import pytest

from ml_agent.benchmarks.options import main

PROGRAM = """\
import argparse
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--wings", type=int)
parser.add_argument("-n", "--nests")
parser.parse_args()
"""
COMPUTED = (
    "import argparse\nimport names\nparser = argparse.ArgumentParser()\nparser.add_argument(names.first())\nprint(parser.parse_args())\n"
)


def row(number: int, output: str, instruction: str, arguments: dict[str, str], kind: str = "Bash Script") -> str:
    return json.dumps({
        "github_id": 1, "github": "https://example.org/a/birds", "repo_id": 1, "id": number, "path": "./tools", "arguments": str(arguments),
        "instruction": instruction, "oracle": "", "type": kind, "output": output, "prefix_code": "",
    })  # fmt: skip


def test_known_unknown_and_not_read_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "repos/birds/tools").mkdir(parents=True)
    (tmp_path / "repos/birds/tools/fly.py").write_text(PROGRAM)
    (tmp_path / "repos/birds/tools/computed.py").write_text(COMPUTED)
    (tmp_path / "rows.jsonl").write_text(
        "\n".join(
            [
                row(1, "python fly.py --wings 2 -n 5 --tail long", "Fly with 2 wings and a long tail.", {"wings": "2", "tail": "long"}),
                row(2, "python computed.py --height 40", "At a height of 40.", {"height": "40"}),
                row(3, "python gone.py --wings 2", "With 2 wings.", {"wings": "2"}),
                row(4, "import birds", "A program.", {}, "Python Code"),
            ]
        )
    )
    assert main([str(tmp_path / "rows.jsonl"), "--repos", str(tmp_path / "repos"), "-v"]) == 0
    shown = capsys.readouterr().out
    assert "3 bash rows, 0 of which" in shown
    assert "asks for            1 of    4 known (25.0 %), with those said not to be read 50.0 %" in shown
    assert "2 of    5 known (40.0 %)" in shown
    assert "fly.py: --tail long  [not known: tools/fly.py defines no such option]" in shown
    assert "computed.py: --height 40  [not read, and said" in shown
    assert "gone.py: --wings 2  [not known: there is no tools/gone.py in the repository]" in shown
    assert main([str(tmp_path / "none.jsonl"), "--repos", str(tmp_path / "repos")]) == 2
