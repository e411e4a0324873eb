from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.index import RepoIndex
from ml_agent.verify.placeholders import is_placeholder, quote_unquoted
from tests.verify.support import bash, errors, found, python, repository

TRAIN = """
import argparse
p = argparse.ArgumentParser()
p.add_argument('--lr', type=float)
p.add_argument('--data')
p.add_argument('--mode', choices=['a', 'b'])
p.parse_args()
"""


@pytest.fixture
def index(tmp_path: Path) -> RepoIndex:
    readme = "export CORPUS_DIR=/data\n"
    return repository(tmp_path, {"train.py": TRAIN, "README.md": readme, "your_data/x.txt": "", "run.sh": "python train.py $1\n"})


@pytest.mark.parametrize(
    "word",
    [
        "'<path>'", "'</path/to/x>'", "/path/to/imagenet", "path/to/x.pth", "[imagenet-folder]", "{your_dir}", "/data/{dataset_name}/x",
        "YOUR_KEY", "your_image.jpg", "...", "…", "/data/...", "xxx", "XXX.pth", "'<your key>'", "'[PATH TO DATA]'", "$UNSET", "${UNSET}/x",
    ],
)  # fmt: skip
def test_words_that_stand_for_something(index: RepoIndex, word: str) -> None:
    check = bash(index, f"python train.py --data {word}")
    assert found(check) == [("placeholder", "warning", None)]
    assert check.findings[0].place == word
    assert "is a placeholder" in check.findings[0].message
    assert [f.kind for f in bash(index, f"python train.py --data={word}").findings] == ["placeholder"]


@pytest.mark.parametrize(
    "word",
    [
        "'<pad>'", "'a <path> in a sentence'", "your_data", "$CORPUS_DIR", "$HOME/x", "$SLURM_JOB_ID", "$1", "{1..3}", "'{\"a\": 1}'",
        "'{epoch:02d}'", "[1,2]", "..", "../x", "./x", "exxon", "pathto", "yours", "a{b,c}d", "$(pwd)", "'[conv1]'", "${UNSET:-x}",
    ],
)  # fmt: skip
def test_words_that_are_meant(index: RepoIndex, word: str) -> None:
    assert "placeholder" not in [f.kind for f in bash(index, f"python train.py --data {word}").findings]


@pytest.mark.parametrize(
    "code",
    ["X=$(date); python train.py --data $X", "read X; python train.py --data $X", "for X in $(ls); do python train.py --data $X; done"],
)
def test_a_variable_that_the_answer_sets(index: RepoIndex, code: str) -> None:
    assert bash(index, code).findings == ()


@pytest.mark.parametrize(
    "code", ["python train.py --data <path>", "python train.py --data <path> --lr 1", "python train.py --data=<path> > log"]
)
def test_without_quotes_a_shell_opens_a_file(index: RepoIndex, code: str) -> None:
    check = bash(index, code)
    assert [(f.kind, f.severity, f.place) for f in check.findings] == [("placeholder", "error", "<path>")]


def test_the_rest_is_judged_too(index: RepoIndex) -> None:
    assert errors(bash(index, "python train.py --data <path> --rl 1")) == ["placeholder", "option"]
    assert errors(bash(index, "python train.py --lr <value> --mode <mode>")) == ["placeholder", "placeholder"]
    assert errors(bash(index, "cd <folder> && python train.py")) == ["placeholder"]


@pytest.mark.parametrize(
    "code",
    [
        "python train.py < in.txt > out.txt", "python train.py <in.txt >out.txt", "cat <<EOF\n<path>\nEOF\npython train.py",
        "python train.py --data '<pad>'  # not <path>", "diff <(python train.py) <(ls)", "python train.py 2>&1 | tee log",
    ],
)  # fmt: skip
def test_redirects_are_none(index: RepoIndex, code: str) -> None:
    assert "placeholder" not in [f.kind for f in bash(index, code).findings]


def test_in_python(index: RepoIndex) -> None:
    words = "['--data', '/path/to/x', '{name}', '<your-token>', 'a your_b c', 'your_data']"
    check = python(index, f"import train\ntrain.p.parse_args({words})")
    assert {(f.kind, f.place) for f in check.findings} == {("placeholder", "/path/to/x"), ("placeholder", "<your-token>")}


@given(st.text(alphabet="<>{}[]./-_ path your xxx…'\"#\\\n=", max_size=400))
@settings(max_examples=300, deadline=500)
def test_never_slow_and_never_raises(text: str) -> None:
    is_placeholder(text)
    quoted, found_ones = quote_unquoted(text)
    assert quoted.replace("'", "") == text.replace("'", "")
    assert all(one in text for one in found_ones)
