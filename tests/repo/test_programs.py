"""A program by what one calls it."""

from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.programs import NoSuchProgram, commands_of, find_command, find_program

PARSER = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr')\n"
COMMANDS = (
    "import argparse\np = argparse.ArgumentParser()\ns = p.add_subparsers()\na = s.add_parser('remote', aliases=['r'])\n"
    "b = a.add_subparsers().add_parser('add')\nb.add_argument('--url')\np.parse_args()\n"
)
FILES = {
    "train.py": PARSER + "p.parse_args()\n",
    "a/eval.py": PARSER + "p.parse_args()\n",
    "b/eval.py": PARSER + "p.parse_args()\n",
    "b/scripts/go.sh": "python train.py $1\n",
    "pkg/__init__.py": "",
    "pkg/cli.py": "import argparse\n\n\ndef main():\n    p = argparse.ArgumentParser()\n    p.add_argument('--lr')\n    p.parse_args()\n",
    "pkg/git.py": COMMANDS,
    "pkg/lib.py": "X = 1\n",
    "pyproject.toml": "[project]\nname = 'pkg'\n[project.scripts]\nlearn = 'pkg.cli:main'\n",
}


@pytest.fixture
def index(tmp_path: Path) -> RepoIndex:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return RepoIndex(tmp_path, embedder=None)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("train.py", "train.py"), ("./train.py", "train.py"), ("train", "train.py"), ("python  train.py", "train.py"),
        ("b/eval.py", "b/eval.py"), ("b/eval", "b/eval.py"), ("go.sh", "b/scripts/go.sh"), ("go", "b/scripts/go.sh"),
        ("learn", "pkg/cli.py"), ("pkg.git", "pkg/git.py"), ("pkg/lib.py", "pkg/lib.py"),
    ],
)  # fmt: skip
def test_by_any_of_its_names(index: RepoIndex, name: str, path: str) -> None:
    assert find_program(index, name).path == path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("eval.py", "eval.py may be any of a/eval.py, b/eval.py: give the path"),
        ("trian.py", "no such program: trian.py; nearest: train.py"),
        ("../train.py", "no such program: ../train.py; nearest: train.py"),
        ("/etc/passwd", "no such program: /etc/passwd"),
        ("rain.py", "no such program: rain.py; nearest: train.py"),
        ("", "no such program: "),
    ],
)
def test_one_line_says_what_would_be_right(index: RepoIndex, name: str, message: str) -> None:
    with pytest.raises(NoSuchProgram) as raised:
        find_program(index, name)
    assert str(raised.value).startswith(message)
    assert "\n" not in str(raised.value)


def test_sub_commands(index: RepoIndex) -> None:
    program = find_program(index, "pkg/git.py")
    assert commands_of(program) == ("remote", "remote add")
    assert [find_command(program, name) for name in ("remote", "r", "remote add", "r add")] == ["remote", "remote", *["remote add"] * 2]
    with pytest.raises(NoSuchProgram, match="has no sub-command push; there are remote, remote add"):
        find_command(program, "push")
    with pytest.raises(NoSuchProgram, match=r"train\.py has no sub-commands"):
        find_command(find_program(index, "train.py"), "push")
