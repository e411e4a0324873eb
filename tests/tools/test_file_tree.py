from pathlib import Path

import pytest

from ml_agent.errors import ToolError
from ml_agent.sandbox.options import Options
from ml_agent.workspace import Workspace
from tests.tools.support import TRAIN, call


def test_file_tree_goes_to_its_depth(workspace: Workspace) -> None:
    seen = call(workspace, "file_tree", depth=1)
    assert [f["path"] for f in seen.data["files"]] == ["README.md"]
    assert seen.data["folders"] == ["docs", "examples", "lines"]
    assert "examples/  2 files" in seen.text.splitlines()
    deep = call(workspace, "file_tree")
    assert {"path": "examples/train.py", "size": len(TRAIN)} in deep.data["files"]
    inner = call(workspace, "file_tree", folder="examples/", depth=1)
    assert [f["path"] for f in inner.data["files"]] == ["examples/run.sh", "examples/train.py"]


def test_file_tree_says_what_was_skipped(root: Path) -> None:
    (root / "out").symlink_to("/")
    with Workspace(root, Options(sandbox="none")) as workspace:
        seen = call(workspace, "file_tree")
    assert [s["path"] for s in seen.data["skipped"]] == ["out"]
    assert "out  not read: " in seen.text


@pytest.mark.parametrize(
    ("folder", "words"), [("nosuch", "no folder"), ("README.md", "is a file"), ("..", "leaves"), ("/etc", "relative"), ("a\0", "relative")]
)
def test_what_is_no_folder(workspace: Workspace, folder: str, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        call(workspace, "file_tree", folder=folder)
