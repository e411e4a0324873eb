import json

from ml_agent.workspace import Workspace
from tests.tools.support import call


def test_code_and_nothing_else(workspace: Workspace) -> None:
    seen = call(workspace, "search_code", query="fit a line with a learning rate")
    assert seen.data == json.loads(json.dumps(seen.data))
    hits = seen.data["hits"]
    assert {hit["kind"] for hit in hits} == {"code"}
    assert hits[0]["path"] == "examples/train.py"
    assert "bm25" in hits[0]["ranks"]
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert seen.text.startswith(f"examples/train.py:{hits[0]['line']}-{hits[0]['end_line']}")
    assert "\n    def fit(rate, epochs=3):\n" in seen.text


def test_limits(workspace: Workspace) -> None:
    text = "".join(f"def paint_{i}(wall):\n    x = {'wall, ' * 40}1\n    return x\n" for i in range(9))
    (workspace.repository / "long.py").write_text(text)
    assert len(call(workspace, "search_code", query="wall", limit=1).data["hits"]) == 1
    for count in (1, 3):
        hits = call(workspace, "search_code", query="paint the wall", per_file=count, limit=100).data["hits"]
        assert sum(hit["path"] == "long.py" for hit in hits) == count


def test_nothing_fits(workspace: Workspace) -> None:
    for path in [*workspace.repository.rglob("*.py"), *workspace.repository.rglob("*.sh")]:
        path.unlink()
    seen = call(workspace, "search_code", query="anything")
    assert (seen.data, seen.text) == ({"hits": []}, "nothing fits 'anything'")
