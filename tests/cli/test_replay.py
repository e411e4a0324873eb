"""`ml-agent replay` as a user meets it."""

import json
from pathlib import Path

from tests.commandline import ml_agent, one_line, scripted, submit

ANSWER = "python train.py --dataset blobs --model softmax --epochs 2"


def test_the_same_and_another(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, ("file_tree", {}), submit(ANSWER))
    solved = ml_agent("solve", "--repo", smoke, "--task", "train it", "--policy", policy, "--no-run", "--json")
    record = Path(json.loads(solved.stdout)["trajectory"])
    before = record.read_bytes()
    done = ml_agent("replay", record)
    assert (done.returncode, done.stdout, done.stderr) == (0, "the same: 2 steps\n", "")
    assert json.loads(ml_agent("replay", record, "--json").stdout) == {"steps": 2, "exchanges": 0}

    scripted(tmp_path, ("file_tree", {}), submit("python evaluate.py\x1b[31m"))
    done = ml_agent("replay", record)
    assert done.returncode == 2
    assert "departs at step 2: the argument code of submit was" in one_line(done)
    assert "\x1b" not in done.stderr

    strange = tmp_path / "strange.jsonl"
    strange.write_bytes(before.replace(b"train it", b"train me"))
    scripted(tmp_path, ("file_tree", {}), submit(ANSWER))
    done = ml_agent("replay", strange)
    assert done.returncode == 2
    assert "is not of a solve of yours on this machine" in one_line(done)
    assert ml_agent("replay", strange, "--trust").stdout == "the same: 2 steps\n"
    assert record.read_bytes() == before


def test_what_is_no_trajectory(smoke: Path, tmp_path: Path) -> None:
    for path in (smoke / "README.md", smoke, tmp_path / "nowhere"):
        done = ml_agent("replay", path)
        assert done.returncode == 2
        one_line(done)
