"""Programs that are started without an interpreter. What is expected is what bash does."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from tests.verify.support import bash, errors, found, repository

TRAIN = "#!/usr/bin/env python3\nimport argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float)\np.parse_args()\n"
FILES = {
    "train.py": TRAIN,
    "plain.py": "print('x')\n",
    "run.sh": "echo run\n",
    "tools/run.sh": "#!/bin/bash\necho run\n",
    "-x.py": "print('x')\n",
}


@pytest.fixture
def index(tmp_path: Path) -> RepoIndex:
    made = repository(tmp_path / "project", FILES)
    for path in ("train.py", "plain.py"):
        (tmp_path / "project" / path).chmod(0o755)
    return made


@pytest.mark.parametrize(
    ("code", "suggestion"),
    [
        ("train.py --lr 1", "python train.py"),
        ("run.sh", "bash run.sh"),
        ("nohup train.py --lr 1", "python train.py"),
        ("cd tools && run.sh", "bash run.sh"),
        ("./run.sh", "bash ./run.sh"),
        ("tools/run.sh", "bash tools/run.sh"),
        ("./plain.py", "python ./plain.py"),
        ("python -x.py", "python ./-x.py"),
    ],
)
def test_what_a_shell_cannot_start(index: RepoIndex, code: str, suggestion: str) -> None:
    check = bash(index, code)
    assert found(check)[0] == ("program", "error", suggestion)
    assert check.findings[0].place in code
    if shutil.which("bash") and "python -x" not in code:
        run = subprocess.run(["bash", "-c", code], cwd=index.root, capture_output=True, check=False, timeout=20)
        assert run.returncode != 0


@pytest.mark.parametrize(
    "code",
    [
        "./train.py --lr 1",
        "python train.py",
        "bash run.sh",
        "source run.sh",
        "chmod +x run.sh && ./run.sh",
        "chmod -R +x tools; ./tools/run.sh",
        "uv run plain.py",
        "sbatch run.sh",
        "export PATH=$PWD:$PATH; train.py --lr 1",
        "python -u plain.py",
    ],
)
def test_what_it_can(index: RepoIndex, code: str) -> None:
    assert bash(index, code).findings == ()


def test_options_are_judged_all_the_same(index: RepoIndex) -> None:
    assert errors(bash(index, "train.py --rl 1")) == ["program", "option"]
