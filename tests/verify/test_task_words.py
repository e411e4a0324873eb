"""Commands of make beside the real one; tox, nox and papermill by what their files say."""

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.verify.support import bash, errors, found, repository

MAKEFILE = """
EPOCHS ?= 10
DATA := cora

.PHONY: all train test
all: train

## Train it.
train: out/model
\techo $(EPOCHS)

out/model:
\tmkdir -p out

test clean:  ## remove or test
\techo $@
"""


WORDS = """
train
test clean
train EPOCHS=3
trian
-j 2 train
-n push
README.md
-C sub all
-C sub train
--silent out/model
"""


@pytest.mark.parametrize("words", WORDS.splitlines())
def test_make(tmp_path: Path, words: str) -> None:
    if shutil.which("make") is None:
        pytest.skip("no make here")
    index = repository(tmp_path, {"Makefile": MAKEFILE, "sub/Makefile": "all:\n\techo 1\n", "README.md": "x"})
    real = subprocess.run(["make", "-n", *shlex.split(words)], cwd=tmp_path, capture_output=True, timeout=20, check=False)
    assert (errors(bash(index, f"make {words}")) == []) == (real.returncode == 0)


def test_what_would_be_right(tmp_path: Path) -> None:
    index = repository(tmp_path, {"Makefile": MAKEFILE})
    assert found(bash(index, "make trian")) == [("value", "error", "train")]
    assert found(bash(index, "make train EPOCH=3")) == [("option", "warning", "EPOCHS=3")]
    assert bash(index, "make train").findings == ()
    assert found(bash(repository(tmp_path, {"Makefile": MAKEFILE + "include more.mk\n"}), "make trian")) == [("value", "warning", "train")]


def test_nox_and_tox(tmp_path: Path) -> None:
    nox = 'import nox\n@nox.session(python=["3.11"])\ndef tests(session): ...\n@nox.session(name="lint-it")\ndef lint(session): ...\n'
    tox = "[tox]\nenvlist = py{38,39}-{cpu,gpu}, docs\n[testenv:lint]\ncommands = ruff\n"
    index = repository(tmp_path, {"noxfile.py": nox, "tox.ini": tox})
    assert (
        bash(index, "nox -s tests-3.11 lint-it && tox -e py39-gpu,docs && tox -e py310-cpu && tox -e lint && nox -s tests").findings == ()
    )
    assert found(bash(index, "nox -s test")) == [("value", "error", "tests")]
    assert found(bash(index, "tox -e doc")) == [("value", "warning", "docs")]


def test_papermill(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": ["epochs = 3\n", "lr: float = 0.1"]}
    index = repository(tmp_path, {"train.ipynb": json.dumps({"cells": [cell], "nbformat": 4})})
    assert bash(index, "papermill train.ipynb out.ipynb -p epochs 4 -p lr 3").findings == ()
    assert found(bash(index, "papermill train.ipynb out.ipynb -p epoch 4")) == [("option", "warning", "epochs")]
    assert found(bash(index, "papermill trian.ipynb out.ipynb")) == [("program", "error", "train.ipynb")]
