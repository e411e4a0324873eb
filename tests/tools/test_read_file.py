import os
from pathlib import Path

import pytest

from ml_agent.errors import ToolError
from ml_agent.sandbox.options import Options
from ml_agent.tools.base import TEXT_LIMIT
from ml_agent.workspace import Workspace
from tests.tools.support import README, call


def test_read_file_numbers_the_lines(workspace: Workspace) -> None:
    seen = call(workspace, "read_file", path="examples/../examples/train.py", start=4, lines=2)
    assert seen.text == '     4\tdef fit(rate, epochs=3):\n     5\t    """Fit a line to points."""\n[lines 4 to 5 of 21]'
    assert seen.data == {
        "path": "examples/train.py", "start": 4, "end": 5, "total_lines": 21, "encoding": "utf-8",
        "text": 'def fit(rate, epochs=3):\n    """Fit a line to points."""',
    }  # fmt: skip
    assert call(workspace, "read_file", path="README.md").data["text"] == README.rstrip("\n")


def test_read_file_of_odd_files(root: Path) -> None:
    (root / "empty.py").write_bytes(b"")
    (root / "binary.bin").write_bytes(b"\0\1\2")
    (root / "one_line.txt").write_bytes(b"x" * 30_000_000)
    (root / "latin.txt").write_bytes("Größe, naïve, déjà vu: das ist ein längerer Satz über Äpfel\r\n".encode("latin-1"))
    os.mkfifo(root / "pipe")
    with Workspace(root, Options(sandbox="none")) as workspace:
        assert call(workspace, "read_file", path="empty.py").text == "[the file is empty]"
        with pytest.raises(ToolError, match="not a text file"):
            call(workspace, "read_file", path="binary.bin")
        seen = call(workspace, "read_file", path="one_line.txt")
        assert len(seen.text) <= TEXT_LIMIT
        assert "[cut here: " in seen.text
        assert "too large: its last " in seen.text
        latin = call(workspace, "read_file", path="latin.txt")
        assert "Größe" in latin.data["text"]
        assert "\r" not in latin.data["text"]
        with pytest.raises(ToolError):
            call(workspace, "read_file", path="pipe")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("train.py", "did you mean examples/train.py"),
        ("example/tran.py", "did you mean examples/train.py"),
        ("zzz", "file_tree lists"),
        ("examples", "is a folder"),
        ("../repo/README.md", "leaves the repository"),
        ("/etc/passwd", "relative to the root"),
        ("link", "."),
        ("linked/passwd", "."),
        ("a\0b", "relative"),
        (".git/config", "."),
    ],
)
def test_what_cannot_be_read(root: Path, path: str, words: str) -> None:
    (root / "link").symlink_to("/etc/passwd")
    (root / "linked").symlink_to("/etc")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("[core]\n")
    with Workspace(root, Options(sandbox="none")) as workspace, pytest.raises(ToolError, match=words):
        call(workspace, "read_file", path=path)


def test_read_file_refuses_a_start_behind_the_end(workspace: Workspace) -> None:
    with pytest.raises(ToolError, match="has 21 lines; start is 22"):
        call(workspace, "read_file", path="examples/train.py", start=22)


def test_names_that_do_not_decode(root: Path) -> None:
    path = os.fsencode(root) + b"/b\xff.py"
    with open(path, "wb") as file:
        file.write(b"import argparse\nSECRET = 1\n")
    with Workspace(root, Options(sandbox="none")) as workspace:
        assert "b\udcff.py" in [f["path"] for f in call(workspace, "file_tree").data["files"]]
        assert call(workspace, "read_file", path="b\udcff.py").data["total_lines"] == 2
        assert call(workspace, "grep", pattern="SECRET").data["matches"] == [{"path": "b\udcff.py", "line": 2, "text": "SECRET = 1"}]
        call(workspace, "edit_file", path="b\udcff.py", old="SECRET = 1", new="SECRET = 2")
        assert call(workspace, "grep", pattern="SECRET", glob="b*").data["matches"][0]["text"] == "SECRET = 2"


def test_a_changed_file_is_read_as_it_is_now(workspace: Workspace) -> None:
    call(workspace, "edit_file", path="README.md", old="Fits lines.", new="Bends lines.")
    assert "Bends lines." in call(workspace, "read_file", path="README.md").text
    call(workspace, "write_file", path="new/notes.txt", content="Bends too\n")
    assert [m["path"] for m in call(workspace, "grep", pattern="Bends").data["matches"]] == ["README.md", "new/notes.txt"]
