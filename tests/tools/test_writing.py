"""The tools that write into the private copy: write_file, edit_file."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ml_agent.errors import ToolError
from ml_agent.sandbox.options import Options
from ml_agent.sandbox.survey import FILE_BYTES
from ml_agent.workspace import Workspace
from tests.tools.support import call, repository, tree

REFUSED = ["../evil", "a/../../evil", "/tmp/evil", "", ".", "docs", "a\0b", ".git/config", "docs/../.git/hooks/x", "README.md/x"]
LEFT_OUT = ["out/evil", "passwd", "dangling"]
"""Links that lead out of the repository; the copy does not have them."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = repository(tmp_path)
    (root / "out").symlink_to(tmp_path)
    (root / "passwd").symlink_to("/etc/passwd")
    (root / "dangling").symlink_to(tmp_path / "nosuch")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("[core]\n")
    (root / "tool.sh").write_text("#!/bin/sh\necho 1\n")
    (root / "tool.sh").chmod(0o755)
    return root


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    before = tree(root.parent)
    with Workspace(root, Options(sandbox="none")) as made:
        yield made
    assert tree(root.parent) == before  # neither the repository nor what is beside it


def test_a_new_file_with_new_folders(workspace: Workspace) -> None:
    seen = call(workspace, "write_file", path="./new/deep//a.txt", content="é\r\nb")
    assert seen.data == {"path": "new/deep/a.txt", "bytes": 5, "created": True}
    assert (workspace.root / "new/deep/a.txt").read_bytes() == "é\r\nb".encode()


def test_a_file_is_replaced_whole_and_keeps_its_permissions(workspace: Workspace) -> None:
    seen = call(workspace, "write_file", path="tool.sh", content="#!/bin/sh\n")
    assert seen.data["created"] is False
    place = workspace.root / "tool.sh"
    assert place.read_text() == "#!/bin/sh\n"
    assert stat.S_IMODE(place.stat().st_mode) == 0o755
    assert not list(workspace.root.rglob(".ml-agent-*"))


@pytest.mark.parametrize("path", LEFT_OUT)
def test_a_link_out_of_the_repository_is_not_written_through(workspace: Workspace, path: str) -> None:
    with suppress(ToolError):
        call(workspace, "write_file", path=path, content="evil")
        assert (workspace.root / path).resolve().is_relative_to(workspace.root)


def test_a_link_that_a_run_made_is_not_followed_out(workspace: Workspace, tmp_path: Path) -> None:
    (workspace.root / "made").symlink_to(tmp_path)
    (workspace.root / "made.txt").symlink_to(tmp_path / "repo" / "README.md")
    for path in ("made/evil", "made.txt", "made/repo/README.md"):
        with pytest.raises(ToolError):
            call(workspace, "write_file", path=path, content="evil")
        with pytest.raises(ToolError):
            call(workspace, "edit_file", path=path, old="Lines", new="evil")
        with pytest.raises(ToolError):
            call(workspace, "read_file", path=path)


@pytest.mark.timeout(20)
def test_a_pipe_or_a_hard_link_that_a_run_left_is_not_written_into(workspace: Workspace, tmp_path: Path) -> None:
    os.mkfifo(workspace.root / "pipe")
    os.link(workspace.repository / "README.md", workspace.root / "shared.md")
    with pytest.raises(ToolError, match="not a regular file"):
        call(workspace, "edit_file", path="pipe", old="a", new="b")
    for path in ("pipe", "shared.md"):
        call(workspace, "write_file", path=path, content="mine")
        assert (workspace.root / path).read_text() == "mine"


def test_large_data_that_was_not_copied_is_read_only(root: Path) -> None:
    (root / "data").mkdir()
    with (root / "data" / "large.txt").open("wb") as file:
        file.write(b"first line\n")
        file.truncate(FILE_BYTES + 1)
    with Workspace(root, Options(sandbox="none")) as workspace:
        for tool, arguments in (("write_file", {"content": "x"}), ("edit_file", {"old": "first", "new": "x"})):
            with pytest.raises(ToolError, match="read-only"):
                call(workspace, tool, None, None, path="data/large.txt", **arguments)
    assert (root / "data" / "large.txt").stat().st_size == FILE_BYTES + 1


@pytest.mark.parametrize("path", REFUSED)
def test_no_path_leaves_the_copy(workspace: Workspace, path: str) -> None:
    with pytest.raises(ToolError) as caught:
        call(workspace, "write_file", path=path, content="evil")
    assert "\n" not in str(caught.value)
    with pytest.raises(ToolError):
        call(workspace, "edit_file", path=path, old="root", new="evil")


def test_text_that_is_no_text_is_refused(workspace: Workspace) -> None:
    with pytest.raises(ToolError, match="no character"):
        call(workspace, "write_file", path="a", content="\udcff")


def test_an_edit_changes_the_copy_only(workspace: Workspace, root: Path) -> None:
    seen = call(workspace, "edit_file", path="examples/train.py", old="default=0.1", new="default=0.2")
    assert seen.data == {"path": "examples/train.py", "lines": [11]}
    assert seen.text == "replaced in examples/train.py at line 11"
    changed = (workspace.root / "examples/train.py").read_text()
    assert changed == (root / "examples/train.py").read_text().replace("default=0.1", "default=0.2")


def test_edits_add_up(workspace: Workspace) -> None:
    call(workspace, "edit_file", path="tool.sh", old="echo 1", new="echo 2")
    call(workspace, "edit_file", path="tool.sh", old="echo 2", new="echo 3\necho 4")
    place = workspace.root / "tool.sh"
    assert place.read_text() == "#!/bin/sh\necho 3\necho 4\n"
    assert os.access(place, os.X_OK)


def test_an_edit_that_does_not_fit_says_which_lines_may_be_meant(workspace: Workspace) -> None:
    with pytest.raises(ToolError, match=r"^tool.sh: `old` is not in the file; did you mean these lines\?\n     2\techo 1$"):
        call(workspace, "edit_file", path="tool.sh", old="echo  1", new="x")
    with pytest.raises(ToolError, match=r"did you mean examples/train\.py"):
        call(workspace, "edit_file", path="train.py", old="x", new="y")


def test_an_edit_at_all_places(workspace: Workspace) -> None:
    with pytest.raises(ToolError, match="3 times"):
        call(workspace, "edit_file", path="lines/model.py", old="slope", new="gradient")
    assert call(workspace, "edit_file", path="lines/model.py", old="slope", new="gradient", all=True).data["lines"] == [2, 3, 3]
