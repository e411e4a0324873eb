from ml_agent.workspace import Workspace
from tests.tools.support import call


def test_documents_and_nothing_else(workspace: Workspace) -> None:
    seen = call(workspace, "search_docs", query="plots of a confusion matrix")
    assert {hit["kind"] for hit in seen.data["hits"]} == {"document"}
    assert (seen.data["hits"][0]["path"], seen.data["hits"][0]["title"]) == ("docs/guide.md", "Guide")
    assert seen.text.startswith("docs/guide.md:1-")
    assert "    How to read the plots of a confusion matrix." in seen.text


def test_code_blocks_are_part_of_it(workspace: Workspace) -> None:
    seen = call(workspace, "search_docs", query="train with another learning rate", limit=1)
    (hit,) = seen.data["hits"]
    assert (hit["path"], hit["title"]) == ("README.md", "Lines > Training")
    assert "python train.py --lr 0.5 --out model.txt" in hit["text"]
