"""Command lines whose program takes its words in ways of its own."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.verify.support import bash, errors, found, repository

CLI = """
import argparse
def main():
    p = argparse.ArgumentParser()
    p.add_argument('audio', nargs='+')
    p.add_argument('--model')
    p.parse_args()
"""
PARSER = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float)\n"


@pytest.mark.parametrize(
    "text",
    [
        "exec(open('configurator.py').read())",
        "import sys, other\nother.run(sys.argv)",
        "import plac\nplac.call(print)",
        "from cleo.application import Application\nApplication().run()",
        "from fast_cli import parse\nprint(**parse())",
    ],
)
def test_options_that_are_not_known_are_said_once_not_to_be_checked(tmp_path: Path, text: str) -> None:
    index = repository(tmp_path, {"train.py": f"if __name__ == '__main__':\n    pass\n{text}\n"})
    check = bash(index, "python train.py --lr=3 --nope 4 x")
    assert found(check) == [("option", "warning", None)]
    assert "the options of `train.py` are not known here" in check.findings[0].message
    assert bash(index, "python train.py").findings == ()
    assert bash(index, "python train.py --help").findings == ()


def test_an_installed_command_of_click(tmp_path: Path) -> None:
    code = "import click\n@click.group()\ndef cli(): ...\n@cli.command()\n@click.option('--size', type=int)\ndef go(size): ...\n"
    files = {"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    lab = lab.cli:cli\n", "lab/__init__.py": "", "lab/cli.py": code}
    index = repository(tmp_path, files)
    assert bash(index, "lab go --size 3").findings == ()
    assert found(bash(index, "lab go --sise 3")) == [("option", "error", "--size")]
    assert errors(bash(index, "lab run")) == ["value"]


def test_streamlit_takes_words_of_its_own(tmp_path: Path) -> None:
    index = repository(tmp_path, {"app.py": PARSER + "p.parse_args()\n"})
    assert bash(index, "streamlit run app.py --server.port 80").findings == ()
    assert errors(bash(index, "streamlit run app.py --server.port 80 -- --rl 1")) == ["option"]


def test_an_installed_command(tmp_path: Path) -> None:
    files = {"pyproject.toml": '[project.scripts]\nlisten = "pkg.cli:main"\n', "pkg/__init__.py": "", "pkg/cli.py": CLI}
    index = repository(tmp_path, files)
    assert bash(index, "listen a.flac --model x").findings == ()
    assert found(bash(index, "CUDA_VISIBLE_DEVICES=0 listen a.flac --modle x")) == [("option", "error", "--model")]
    assert errors(bash(index, "listen --model x")) == ["missing"]
    assert [f.kind for f in bash(index, "speak a.flac").findings] == ["nothing"]


@pytest.mark.parametrize(
    ("parse", "severity"),
    [
        ("p.parse_args()", "error"),
        ("p.parse_known_args()", "warning"),
        ("print(p.parse_known_args()[0] if known else p.parse_args())", "error"),
        ("c = argparse.ArgumentParser()\nc.add_argument('--config')\n_, rest = c.parse_known_args()\np.parse_args(rest)", "error"),
    ],
)
def test_who_minds_unknown_options(tmp_path: Path, parse: str, severity: str) -> None:
    index = repository(tmp_path, {"train.py": f"{PARSER}{parse}\n"})
    assert found(bash(index, "python train.py --lrr 3")) == [("option", severity, "--lr")]
    assert errors(bash(index, "python train.py --lr fast")) == ["value"]


def test_sub_commands(tmp_path: Path) -> None:
    text = """
import argparse
p = argparse.ArgumentParser()
sub = p.add_subparsers(dest='command')
sub.add_parser('train').add_argument('--lr', required=True)
sub.add_parser('eval').add_argument('--model', required=True)
p.parse_args()
"""
    index = repository(tmp_path, {"main.py": text})
    assert bash(index, "python main.py eval --model x").findings == ()
    assert errors(bash(index, "python main.py eval --lr 1")) == ["option", "missing"]
    assert found(bash(index, "python main.py evl --lr 1")) == [("value", "error", "eval")]


@pytest.mark.parametrize(("text", "expected"), [("A=$1\n", "warning"), ("set -eu\nA=$1\n", "error"), (": ${1:?which}\n", "error")])
def test_a_word_that_a_script_needs(tmp_path: Path, text: str, expected: str) -> None:
    index = repository(tmp_path, {"run.sh": text})
    assert found(bash(index, "bash run.sh")) == [("missing", expected, None)]
    assert bash(index, "bash run.sh a").findings == ()


def test_a_script_that_hands_its_words_on(tmp_path: Path) -> None:
    index = repository(tmp_path, {"run.sh": 'N=$1\nshift\npython train.py "$@"\n', "train.py": PARSER + "p.parse_args()\n"})
    assert bash(index, "bash run.sh 4 --data-dir /d --model resnet50").findings == ()


def test_siblings_are_nearest(tmp_path: Path) -> None:
    files = {"a/train.py": PARSER, "b/trains.py": PARSER, "x.py": PARSER + "p.add_argument('--config')\np.parse_args()\n"}
    index = repository(tmp_path, {**files, "a/base_large.yaml": "", "b/base_larger.yaml": ""})
    assert bash(index, "python a/trian.py --lr 1").findings[0].suggestion == "cd a && python train.py"
    assert bash(index, "python b/trian.py --lr 1").findings[0].suggestion == "cd b && python trains.py"
    assert bash(index, "python x.py --config a/base_larger.yaml").findings[0].suggestion == "a/base_large.yaml"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user, to whom a file is closed")
@pytest.mark.parametrize("name", ["train.py", "run.sh"])
def test_a_program_that_cannot_be_read(name: str) -> None:
    folder = tempfile.mkdtemp()  # below a folder that others may enter
    try:
        Path(folder).chmod(0o755)
        index = repository(Path(folder), {name: PARSER})
        (Path(folder) / name).chmod(0)
        os.seteuid(65534)
        check = bash(index, f"{'bash' if name.endswith('.sh') else 'python'} {name} --lr 1")
    finally:
        os.seteuid(0)
        shutil.rmtree(folder)
    assert found(check) == [("option", "warning", None)]
    assert f"`{name}` could not be read, so its options were not checked" in check.findings[0].message
