"""What is no error though it looks like one: the launcher gives it, the user adds it, an old Python takes it."""

from pathlib import Path

import pytest

from tests.verify.support import bash, errors, found, repository
from tests.verify.test_hydra_words import PROGRAM

RANKED = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, required=True)
parser.add_argument("--lr", type=float)
args = parser.parse_args()
"""


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("python -m torch.distributed.launch --nproc_per_node 2 train.py", []),
        ("python -m torch.distributed.launch --nproc_per_node=2 --use_env train.py", ["missing"]),
        ("deepspeed --num_gpus 2 train.py", []),
        ("deepspeed --no_local_rank train.py", ["missing"]),
        ("torchrun --nproc_per_node 2 train.py", ["missing"]),
        ("python train.py", ["missing"]),
        ("python -m torch.distributed.launch train.py --learning", ["option"]),
    ],
)
def test_a_launcher_gives_the_rank(tmp_path: Path, start: str, expected: list[str]) -> None:
    assert errors(bash(repository(tmp_path, {"train.py": RANKED}), start)) == expected


@pytest.mark.parametrize(
    ("readme", "severity"),
    [
        ("Run `python train.py data=finches` on your own data.", "warning"),
        ("Write `conf/data/finches.yaml` first.", "warning"),
        ("About finches and data.", "error"),
        ("Run `python train.py data=finches2 other=finches`.", "error"),
    ],
)
def test_a_group_for_which_the_user_writes_the_file(tmp_path: Path, readme: str, severity: str) -> None:
    files = {
        "train.py": PROGRAM,
        "conf/config.yaml": "defaults:\n  - data: birds\n  - _self_\nseed: 1\n",
        "conf/data/birds.yaml": "name: birds\n",
        "conf/data/owls.yaml": "name: owls\n",
        "README.md": f"# Train\n\n{readme}\n",
    }
    check = bash(repository(tmp_path, files), "python train.py data=finches")
    assert [(kind, how) for kind, how, _ in found(check)] == [("value", severity)]


def test_a_program_for_an_old_python_is_a_warning(tmp_path: Path) -> None:
    files = {"old.py": RANKED.replace(", required=True", "") + 'print "rate", args.lr\n', "broken.py": RANKED + "x = (\n"}
    index = repository(tmp_path, files)
    check = bash(index, "python old.py --lr 0.1")
    assert found(check) == [("program", "warning", None)]
    assert "old Python" in check.findings[0].message
    assert check.findings[0].source == "old.py:7"
    assert errors(bash(index, "python old.py --rate 0.1")) == ["option"]  # its options are known
    assert all("old Python" not in f.message for f in bash(index, "python broken.py").findings)
