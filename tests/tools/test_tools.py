import ast
import subprocess
import sys
from pathlib import Path

import ml_agent.tools
from ml_agent.tools import TOOLS, default_tools, load_tool, spec
from ml_agent.tools.arguments import Arguments


def test_the_table_names_every_tool_file() -> None:
    made = default_tools()
    assert list(made) == list(TOOLS)
    assert all(tool.name == name for name, tool in made.items())
    defining = set()
    for path in Path(ml_agent.tools.__file__).parent.glob("*.py"):
        classes = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)]
        if any(ast.unparse(base).startswith("Tool[") for node in classes for base in node.bases):
            defining.add(path.stem)
    assert defining == set(TOOLS)


def test_a_model_can_read_each_tool() -> None:
    for name in TOOLS:
        described = spec(load_tool(name))
        assert described.name == name
        assert len(described.description) > 60
        assert not described.description.startswith(" ")
        assert described.schema["type"] == "object"
        for argument, schema in described.schema["properties"].items():
            assert schema.get("description"), f"{name}.{argument} has no description"


def test_unknown_arguments_are_refused_by_each_tool() -> None:
    for name in TOOLS:
        assert issubclass(load_tool(name).arguments, Arguments)
        assert load_tool(name).arguments.model_config["extra"] == "forbid"


def test_nothing_heavy_is_imported_before_a_tool_is_needed() -> None:
    heavy = ("pydantic", "re2", "numpy", "bm25s", "tree_sitter", "rapidfuzz", "pathspec")
    code = f"import sys, ml_agent.tools, ml_agent.policies; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
