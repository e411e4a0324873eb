"""The tools that read: read_readme, file_tree, read_file, entry_points, search_symbols."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import ToolError
from ml_agent.tools.base import TEXT_LIMIT
from ml_agent.workspace import Workspace
from tests.tools.support import README, TRAIN, call, repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path)


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    with Workspace(root, sandbox="none") as made:
        yield made


def test_readme_of_the_root_and_the_list_of_documents(workspace: Workspace) -> None:
    seen = call(workspace, "read_readme")
    assert seen.data["documents"] == ["README.md", "docs/guide.md"]
    training = next(s for s in seen.data["sections"] if s["headings"][-1:] == ["Training"])
    assert training["path"] == "README.md"
    assert training["line"] == 5
    assert training["blocks"] == [
        {"language": "bash", "code": training["blocks"][0]["code"], "line": 10, "intro": "Train with another learning rate:"}
    ]
    assert training["blocks"][0]["code"].rstrip("\n") == "cd examples\npython train.py --lr 0.5 --out model.txt"
    assert "[README.md:5]" in seen.text
    assert "    python train.py --lr 0.5" in seen.text
    assert "  docs/guide.md" in seen.text


def test_a_document_by_path_and_sections_by_query(workspace: Workspace) -> None:
    assert {s["path"] for s in call(workspace, "read_readme", path="./docs//guide.md").data["sections"]} == {"docs/guide.md"}
    assert call(workspace, "read_readme", query="confusion matrix plots").data["sections"][0]["path"] == "docs/guide.md"
    assert {s["path"] for s in call(workspace, "read_readme", query="learning plots", path="README.md").data["sections"]} == {"README.md"}
    nothing = call(workspace, "read_readme", query="zzz")
    assert nothing.data["sections"] == []
    assert "no section fits 'zzz'" in nothing.text
    assert "docs/guide.md" in nothing.text


def test_what_is_no_document(workspace: Workspace) -> None:
    for path in ("nosuch.md", "lines/model.py"):
        with pytest.raises(ToolError, match="is no document"):
            call(workspace, "read_readme", path=path)
    with pytest.raises(ToolError, match="leaves the repository"):
        call(workspace, "read_readme", path="docs/../../README.md")


def test_no_readme_at_all(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "a.py").write_text("x = 1\n")
    with Workspace(tmp_path / "r", sandbox="none") as workspace:
        seen = call(workspace, "read_readme")
    assert seen.data == {"documents": [], "sections": []}
    assert "the root has no README" in seen.text
    assert "there are no documents" in seen.text


def test_a_section_limit_says_what_is_left(workspace: Workspace) -> None:
    seen = call(workspace, "read_readme", limit=1)
    assert len(seen.data["sections"]) == 1
    assert "sections more; raise limit" in seen.text


def test_a_huge_readme_is_capped_in_text_only(root: Path) -> None:
    (root / "README.md").write_text("# Big\n\n" + "word " * 40_000)
    with Workspace(root, sandbox="none") as workspace:
        seen = call(workspace, "read_readme")
    assert len(seen.text) <= TEXT_LIMIT
    assert "[cut here: " in seen.text
    assert "give query or path" in seen.text
    assert len(seen.data["sections"][-1]["text"]) > 100_000


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
    with Workspace(root, sandbox="none") as workspace:
        seen = call(workspace, "file_tree")
    assert [s["path"] for s in seen.data["skipped"]] == ["out"]
    assert "out  not read: " in seen.text


@pytest.mark.parametrize(
    ("folder", "words"), [("nosuch", "no folder"), ("README.md", "is a file"), ("..", "leaves"), ("/etc", "relative"), ("a\0", "relative")]
)
def test_what_is_no_folder(workspace: Workspace, folder: str, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        call(workspace, "file_tree", folder=folder)


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
    with Workspace(root, sandbox="none") as workspace:
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
    with Workspace(root, sandbox="none") as workspace, pytest.raises(ToolError, match=words):
        call(workspace, "read_file", path=path)


def test_read_file_refuses_a_start_behind_the_end(workspace: Workspace) -> None:
    with pytest.raises(ToolError, match="has 21 lines; start is 22"):
        call(workspace, "read_file", path="examples/train.py", start=22)


def test_names_that_do_not_decode(root: Path) -> None:
    path = os.fsencode(root) + b"/b\xff.py"
    with open(path, "wb") as file:
        file.write(b"import argparse\nSECRET = 1\n")
    with Workspace(root, sandbox="none") as workspace:
        assert "b\udcff.py" in [f["path"] for f in call(workspace, "file_tree").data["files"]]
        assert call(workspace, "read_file", path="b\udcff.py").data["total_lines"] == 2
        assert call(workspace, "grep", pattern="SECRET").data["matches"] == [{"path": "b\udcff.py", "line": 2, "text": "SECRET = 1"}]
        call(workspace, "edit_file", path="b\udcff.py", old="SECRET = 1", new="SECRET = 2")
        assert call(workspace, "grep", pattern="SECRET", glob="b*").data["matches"][0]["text"] == "SECRET = 2"


def test_entry_points_and_their_options(workspace: Workspace) -> None:
    seen = call(workspace, "entry_points", path="examples/train.py")
    (program,) = seen.data["entry_points"]
    assert program["path"] == "examples/train.py"
    assert program["kind"] == "argparse"
    assert program["score"] == 0
    options = {o["name"]: o for o in program["options"]}
    assert options["--optimizer"]["choices"] == ["sgd", "adam"]
    assert options["--lr"]["source"] == "examples/train.py:11"
    assert "--lr float default=0.1 - learning rate" in seen.text
    assert "--out str required" in seen.text or "--out value required" in seen.text
    assert seen.data["commands"][0]["workdir"] == "examples"
    assert "(in examples) python train.py --lr 0.5 --out model.txt  [README.md:" in seen.text


def test_entry_points_by_query_and_folder(workspace: Workspace) -> None:
    best = call(workspace, "entry_points", query="train with a learning rate")
    assert best.data["entry_points"][0]["path"] == "examples/train.py"
    assert best.data["entry_points"][0]["score"] > 0
    assert {e["path"] for e in call(workspace, "entry_points", path="examples").data["entry_points"]} == {
        "examples/train.py",
        "examples/run.sh",
    }
    assert call(workspace, "entry_points", query="train", path="lines").data["commands"] == []
    limited = call(workspace, "entry_points", limit=1)
    assert len(limited.data["entry_points"]) == 1
    assert "programs more" in limited.text
    with pytest.raises(ToolError, match="no file or folder 'nosuch'"):
        call(workspace, "entry_points", path="nosuch")


def test_symbols_with_their_parameters(workspace: Workspace) -> None:
    seen = call(workspace, "search_symbols", query="line")
    line = next(s for s in seen.data["symbols"] if s["name"] == "Line")
    assert (line["kind"], line["module"], line["path"], line["line"]) == ("class", "lines.model", "lines/model.py", 1)
    assert line["parameters"] == [
        {"name": "slope", "kind": "positional", "default": None},
        {"name": "offset", "kind": "positional", "default": "0.0"},
    ]
    assert "class Line(slope, offset=0.0)  from lines.model import Line  [lines/model.py:1]" in seen.text
    assert call(workspace, "search_symbols", query="fit a line to points").data["symbols"][0]["doc"] == "Fit a line to points."
    assert call(workspace, "search_symbols", query="zzz").text == "no function or class fits 'zzz'"


def test_a_changed_file_is_read_as_it_is_now(workspace: Workspace) -> None:
    call(workspace, "edit_file", path="README.md", old="Fits lines.", new="Bends lines.")
    assert "Bends lines." in call(workspace, "read_file", path="README.md").text
    call(workspace, "write_file", path="new/notes.txt", content="Bends too\n")
    assert [m["path"] for m in call(workspace, "grep", pattern="Bends").data["matches"]] == ["README.md", "new/notes.txt"]
