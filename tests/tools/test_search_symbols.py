import json
from typing import Any

import pytest

from ml_agent.errors import ToolError
from ml_agent.tools.base import TEXT_LIMIT
from ml_agent.workspace import Workspace
from tests.tools.support import call


def test_a_symbol_with_all_that_is_known_of_it(workspace: Workspace) -> None:
    seen = call(workspace, "search_symbols", query="fit")
    assert seen.data == json.loads(json.dumps(seen.data))
    assert seen.data["match"] == "exact"
    assert seen.data["symbols"] == [
        {
            "kind": "function", "name": "fit", "qualified": "fit", "signature": "def fit(rate, epochs=3)", "doc": "Fit a line to points.",
            "path": "examples/train.py", "line": 4, "end_line": 6, "module": "examples.train",
        }
    ]  # fmt: skip
    assert seen.text.splitlines() == [
        "function fit: def fit(rate, epochs=3)  from examples.train import fit  [examples/train.py:4]",
        "    Fit a line to points.",
    ]


def test_methods_come_with_their_class(workspace: Workspace) -> None:
    seen = call(workspace, "search_symbols", query="Line.__init__")
    (method,) = seen.data["symbols"]
    assert (seen.data["match"], method["kind"], method["qualified"], method["module"]) == (
        "qualified", "constructor" if method["kind"] == "constructor" else "method", "Line.__init__", "lines.model",
    )  # fmt: skip
    assert "from lines.model import Line " in seen.text


def test_the_beginning_the_spelling_and_words(workspace: Workspace) -> None:
    seen = call(workspace, "search_symbols", query="Lin")
    assert (seen.data["match"], seen.data["symbols"][0]["name"]) == ("prefix", "Line")
    assert seen.text.startswith("no symbol is named 'Lin'; these begin so:\n")
    seen = call(workspace, "search_symbols", query="mian")
    assert (seen.data["match"], seen.data["symbols"][0]["name"]) == ("fuzzy", "main")
    seen = call(workspace, "search_symbols", query="the class of a line with its model")
    assert seen.data["match"] == "words"
    assert "Line" in [symbol["name"] for symbol in seen.data["symbols"]]
    seen = call(workspace, "search_symbols", query="zzzzzz")
    assert (seen.data["match"], seen.data["symbols"], seen.text) == ("", [], "no symbol fits 'zzzzzz'")
    assert call(workspace, "search_symbols", query="Lin", match="exact").data["symbols"] == []


def test_who_uses_it(workspace: Workspace) -> None:
    seen = call(workspace, "search_symbols", query="fit", references=True)
    assert seen.data["references"] == [{"path": "examples/train.py", "line": 16, "called": True, "inside": "main", "bound": True}]
    assert seen.text.endswith("used by:\n  examples/train.py:16: called in main")
    assert call(workspace, "search_symbols", query="Line", references=True).text.endswith("nothing refers to it")
    assert call(workspace, "search_symbols", query="fit").data["references"] == []


def test_what_a_module_offers(workspace: Workspace) -> None:
    for module in ("lines.model", "lines/model.py"):
        seen = call(workspace, "search_symbols", exports=module)
        assert [(e["name"], e["symbol"]["path"], e["through"]) for e in seen.data["exports"]] == [("Line", "lines/model.py", "")]
    assert call(workspace, "search_symbols", exports="lines").text == "lines offers nothing"
    with pytest.raises(ToolError, match=r"no such module: lines\.modle; nearest: lines\.model"):
        call(workspace, "search_symbols", exports="lines.modle")


def test_what_cannot_be_asked(workspace: Workspace) -> None:
    wrong: list[dict[str, Any]] = [{}, {"query": " "}, {"query": "fit", "exports": "lines"}]
    for arguments in wrong:
        with pytest.raises(ToolError, match="give either query"):
            call(workspace, "search_symbols", **arguments)
    with pytest.raises(ToolError, match=r"no symbols of kind klass; there are .*function"):
        call(workspace, "search_symbols", query="fit", kind="klass")
    assert call(workspace, "search_symbols", query="fit", kind="function").data["symbols"]


def test_the_text_is_capped(workspace: Workspace) -> None:
    names = "".join(f"def function_{i}(argument):\n    pass\n" for i in range(400))
    (workspace.repository / "many.py").write_text(names)
    seen = call(workspace, "search_symbols", query="function_", limit=300)
    assert len(seen.data["symbols"]) == 300
    assert seen.data["more"]
    assert len(seen.text) <= TEXT_LIMIT
    assert "give a smaller limit" in seen.text


def test_what_can_be_called_by_words_for_it(workspace: Workspace) -> None:
    seen = call(workspace, "search_symbols", callables="fit the line with a rate of 3")
    assert seen.data == json.loads(json.dumps(seen.data))
    fit = next(c for c in seen.data["callables"] if c["name"] == "fit")
    assert (fit["module"], fit["line"], [t["name"] for t in fit["takes"]]) == ("examples.train", 4, ["rate", "epochs"])
    assert "function fit(rate, epochs=3)  from examples.train import fit  [examples/train.py:4]" in seen.text
    assert call(workspace, "search_symbols", callables="zzzz").text == "nothing that can be called fits 'zzzz'"
    with pytest.raises(ToolError, match="give either query"):
        call(workspace, "search_symbols", query="fit", callables="fit")
