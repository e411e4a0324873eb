from ml_agent.workspace import Workspace
from tests.tools.support import call


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
