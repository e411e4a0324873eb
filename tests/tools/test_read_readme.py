from pathlib import Path

import pytest

from ml_agent.errors import ToolError
from ml_agent.sandbox.options import Options
from ml_agent.tools.base import TEXT_LIMIT
from ml_agent.workspace import Workspace
from tests.tools.support import call


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
    with Workspace(tmp_path / "r", Options(sandbox="none")) as workspace:
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
    with Workspace(root, Options(sandbox="none")) as workspace:
        seen = call(workspace, "read_readme")
    assert len(seen.text) <= TEXT_LIMIT
    assert "[cut here: " in seen.text
    assert "give query or path" in seen.text
    assert len(seen.data["sections"][-1]["text"]) > 100_000
