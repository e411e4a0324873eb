import json
import subprocess
import sys

import pytest

from ml_agent.errors import ToolError
from ml_agent.workspace import Workspace
from tests.tools.support import call

COMMANDS = """\
import argparse

parser = argparse.ArgumentParser(prog="git")
commands = parser.add_subparsers()
add = commands.add_parser("add", aliases=["a"], help="add a file")
add.add_argument("--force", action="store_true", help="whatever is there")
parser.parse_args()
"""


def test_as_its_own_help(workspace: Workspace) -> None:
    seen = call(workspace, "show_usage", program="examples/train.py")
    assert seen.data == json.loads(json.dumps(seen.data))
    own = subprocess.run(
        [sys.executable, "train.py", "--help"], cwd=workspace.repository / "examples", capture_output=True, text=True, check=True
    ).stdout
    for words in ("usage: train.py", "--lr LR", "--optimizer {sgd,adam}", "learning rate", "Train a line."):
        assert words in own
        assert words in seen.text
    assert (seen.data["path"], seen.data["kind"], seen.data["run"]) == ("examples/train.py", "argparse", ["python", "examples/train.py"])
    assert seen.data["usage"] == seen.text
    assert call(workspace, "show_usage", program="train").data == seen.data


def test_sub_commands(workspace: Workspace) -> None:
    (workspace.repository / "git.py").write_text(COMMANDS)
    assert call(workspace, "show_usage", program="git.py").data["commands"] == ["add"]
    seen = call(workspace, "show_usage", program="git.py", command="a")
    assert seen.data["command"] == "add"
    assert "--force" in seen.text
    with pytest.raises(ToolError, match=r"git\.py has no sub-command push; there are add"):
        call(workspace, "show_usage", program="git.py", command="push")


def test_there_is_none(workspace: Workspace) -> None:
    with pytest.raises(ToolError, match=r"no such program: trian\.py; nearest: examples/train\.py"):
        call(workspace, "show_usage", program="trian.py")
    with pytest.raises(ToolError, match="no such program"):
        call(workspace, "show_usage", program="../../etc/passwd")


def test_it_is_not_run(workspace: Workspace) -> None:
    (workspace.repository / "examples" / "train.py").write_text(
        "open('ran', 'w')\nimport argparse\nargparse.ArgumentParser().parse_args()\n"
    )
    call(workspace, "show_usage", program="examples/train.py")
    assert not list(workspace.repository.rglob("ran"))
