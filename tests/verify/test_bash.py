from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from tests.verify.support import bash, errors, found, repository

TRAIN = """
import argparse
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--lr', type=float, default=0.1)
    parser.add_argument('--dataset', choices=['Cora', 'Citeseer'])
    parser.add_argument('--n-epochs', '-n', type=int)
    parser.add_argument('--config')
    parser.add_argument('--use-cuda', action='store_true')
    print(parser.parse_args())
if __name__ == '__main__':
    main()
"""
OTHER = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument('--width', type=int, required=True)
parser.add_argument('--depth', type=int)
parser.parse_args()
"""
FILES = {
    "examples/gcn/train.py": TRAIN,
    "examples/gcn/configs/a.yaml": "x: 1",
    "examples/gat/train.py": OTHER,
    "examples/gat/my script.py": TRAIN,
    "pkg/__init__.py": "",
    "pkg/fit.py": TRAIN,
    "pkg/sub/__init__.py": "",
    "src/tool/__init__.py": "",
    "src/tool/main.py": TRAIN,
    "top.py": TRAIN,
    "run.sh": "#!/bin/bash\npython top.py --lr $1\n",
}


@pytest.fixture
def index(tmp_path: Path) -> RepoIndex:
    return repository(tmp_path / "project", FILES)


@pytest.mark.parametrize(
    "code",
    [
        "python top.py --lr 0.1",
        "cd examples/gcn && python train.py --dataset Cora --lr=-1 -n5",
        "cd examples && cd gcn\npython -u ./train.py \\\n  --lr 0.1 \\\n  --use-cuda  # a comment --nope",
        "CUDA_VISIBLE_DEVICES=0 python3 examples/gcn/train.py --n-ep 3",
        "torchrun --nproc_per_node=2 top.py --lr 1",
        "python -m torch.distributed.launch --nproc_per_node 2 --master_port 29500 top.py --lr 1",
        "accelerate launch --num_processes 2 top.py --lr 1",
        "python -m pkg.fit --lr 3",
        "PYTHONPATH=src python -m tool.main --lr 3",
        "cd src; python -m tool.main --lr 3",
        "export PYTHONPATH=$PWD/src:$PYTHONPATH && python -m tool.main --lr 3",
        "LR=0.1; python top.py --lr $LR",
        "python top.py --lr $SLURM_JOB_ID $SLURM_ARGS",
        "for d in Cora Citeseer; do python top.py --dataset $d; done",
        "pip install -r requirements.txt && nvidia-smi; wget http://x/y.zip; python top.py",
        "mkdir -p out/logs && cd out/logs && python ../../top.py --lr 1",
        "git clone https://github.com/a/b && cd b && python setup.py --anything && cd .. && python top.py",
        "wget http://x/new.py; python new.py --anything; python top.py",
        "cat > made.py <<'EOF'\nprint(1)\nEOF\npython made.py; python top.py",
        "python 'examples/gat/my script.py' --lr 1",
        "python top.py --help",
        "bash run.sh 0.1",
        "sh ./run.sh 0.1 > log.txt 2>&1 &",
        "source ~/.bashrc; . /opt/conda/etc/profile.d/conda.sh; conda activate x; python top.py",
        "(cd examples/gcn && python train.py) && python top.py",
        "cd examples/gcn && python train.py --config configs/a.yaml",
        "python top.py --config new_settings.yaml",
        "python -m pip install x; python top.py",
        "cd -- examples/gcn; python train.py",
        "nohup python top.py --lr 1 &",
        "python top.py --lr 1 | tee log.txt",
        "if [ -d examples ]; then python top.py; fi",
        "export A=1 B=2; python top.py --lr 1e-4",
    ],
)
def test_no_false_alarm(index: RepoIndex, code: str) -> None:
    assert bash(index, code).findings == ()


@pytest.mark.parametrize(
    ("code", "kind", "suggestion"),
    [
        ("python train.py --dataset Cora --use-cuda", "program", "cd examples/gcn && python train.py"),
        ("python train.py --width 3 --depth 4", "program", "cd examples/gat && python train.py"),
        ("python gcn/train.py --lr 1", "program", "cd examples && python gcn/train.py"),
        ("cd examples/gcn && python top.py", "program", "cd ../.. && python top.py"),
        ("python topp.py", "program", "python top.py"),
        ("python -m pkg.fitt --lr 1", "program", "-m pkg.fit"),
        ("python -m pkg.sub", "program", None),
        ("python -m pkg.nothing", "program", None),
        ("cd examples/gnc && python train.py", "folder", "cd examples/gcn"),
        ("cd project && python top.py", "folder", "cd ."),
        ("cd gat && python train.py --width 1", "folder", "cd examples/gat"),
        ("cd examples && python gat/train.py --depth 1", "missing", "--width WIDTH"),
        ("python top.py --learning_rate 1", "option", None),
        ("python top.py --n_epochs 1", "option", "--n-epochs"),
        ("python top.py --dataset cora", "value", "--dataset Cora"),
        ("python top.py --lr fast", "value", None),
        ("python top.py stray", "positional", None),
        ("python top.py --lr 1 && cd examples/gcn && python train.py --width 1", "option", None),
        ("$ python top.py", "syntax", "python top.py"),
        ("!python top.py", "syntax", "python top.py"),
        ("python top.py --lr <value>", "placeholder", None),
        ("python top.py 'unclosed", "syntax", None),
        ("if true; then python top.py", "syntax", None),
    ],
)
def test_errors(index: RepoIndex, code: str, kind: str, suggestion: str | None) -> None:
    check = bash(index, code)
    first = check.findings[0]
    assert (first.kind, first.severity) == (kind, "error"), check
    assert first.place
    assert first.place in code or kind == "missing"
    if suggestion is not None:
        assert first.suggestion == suggestion


def test_sources_point_to_the_definition(index: RepoIndex) -> None:
    assert [f.source for f in bash(index, "python top.py --lr x --dataset cora").findings] == ["top.py:5", "top.py:6"]
    assert bash(index, "python top.py --nope").findings[0].source == "top.py:4"


def test_the_answers_own_folder(index: RepoIndex) -> None:
    assert bash(index, "python train.py --lr 1", "examples/gcn").findings == ()
    assert bash(index, "python train.py --lr 1", "./examples/gcn/").findings == ()
    assert errors(bash(index, "python train.py", "examples/gnc")) == ["folder"]
    assert bash(index, "python train.py", "gcn").findings[0].suggestion == "examples/gcn"
    assert errors(bash(index, "python ../gat/train.py", "examples/gcn")) == ["missing"]
    for outside in ("/", "..", "/etc", "a/../../.."):
        assert errors(bash(index, "python top.py", outside)) == ["folder"]


def test_warnings_only(index: RepoIndex) -> None:
    assert found(bash(index, "echo hello")) == [("nothing", "warning", None)]
    assert [(k, s) for k, s, _ in found(bash(index, "python -m tool.main --lr 1"))] == [("program", "warning")]
    assert found(bash(index, "cd examples/gcn && python train.py --config configs/b.yaml")) == [("file", "warning", "configs/a.yaml")]
    check = bash(index, "python top.py && cd results && ls")
    assert [(f.kind, f.severity) for f in check.findings] == [("folder", "warning")]
    assert bash(index, "cd .. && ls").ok


def test_markup_like_names_are_only_text(tmp_path: Path) -> None:
    index = repository(tmp_path, {"[link=x]/[/bold].py": TRAIN})
    assert bash(index, "python '[link=x]/[/bold].py' --lr 1").findings == ()
    assert bash(index, "python '[/bold].py' --lr 1").findings[0].suggestion == "cd '[link=x]' && python '[/bold].py'"


def test_a_program_beside_the_missing_one_is_suggested(index: RepoIndex) -> None:
    check = bash(index, "python start.py --lr 1 --dataset Cora", "examples/gcn")
    assert check.findings[0].suggestion == "python train.py"


def test_a_program_that_reads_no_options(tmp_path: Path) -> None:
    index = repository(tmp_path, {"plain.py": "if __name__ == '__main__':\n    print('hello')\n"})
    assert [(f.kind, f.severity, f.place) for f in bash(index, "python plain.py --lr 1 -x 3").findings] == [("option", "error", "--lr")]
    assert bash(index, "python plain.py").findings == ()


def test_without_bash_the_grammar_decides_but_only_warns(index: RepoIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ml_agent.executables.FOLDERS", "/nonexistent")
    check = bash(index, "python top.py 'unclosed")
    assert [(f.kind, f.severity) for f in check.findings if f.kind == "syntax"] == [("syntax", "warning")]


def test_an_option_is_no_command(index: RepoIndex) -> None:
    assert errors(bash(index, "--lr 0.1 --epochs 3")) == ["program"]
    assert "program" in errors(bash(index, "cd examples/gcn && python train.py \\ \n  --lr 0.1"))


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("import numpy\nprint(numpy.ones(3))\n", "error"),  # a library that reads no command line
        ("import quilting\nquilting.run()\n", "warning"),  # who knows
        ("import quilting\nclass Net(quilting.Net):\n    pass\n", "error"),  # it does nothing at all
        ("try:\n    import quilting\nexcept ImportError:\n    quilting = None\n", "error"),
    ],
)
def test_options_of_a_program_that_reads_none(tmp_path: Path, text: str, severity: str) -> None:
    index = repository(tmp_path, {"plain.py": text})
    assert [(f.kind, f.severity) for f in bash(index, "python plain.py --lr 1").findings] == [("option", severity)]
