"""What a policy can call. Each tool is one file; none is imported before it is needed."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ml_agent.policies.base import ToolSpec
    from ml_agent.tools.base import Tool

TOOLS: dict[str, str] = {
    "read_readme": "ml_agent.tools.read_readme:ReadReadme",
    "file_tree": "ml_agent.tools.file_tree:FileTree",
    "read_file": "ml_agent.tools.read_file:ReadFile",
    "grep": "ml_agent.tools.grep:Grep",
    "entry_points": "ml_agent.tools.entry_points:EntryPoints",
    "search_symbols": "ml_agent.tools.search_symbols:SearchSymbols",
    "search_code": "ml_agent.tools.search_code:SearchCode",
    "search_docs": "ml_agent.tools.search_docs:SearchDocs",
    "repo_map": "ml_agent.tools.repo_map:RepoMap",
    "show_usage": "ml_agent.tools.show_usage:ShowUsage",
    "check_answer": "ml_agent.tools.check_answer:CheckAnswer",
    "write_file": "ml_agent.tools.write_file:WriteFile",
    "edit_file": "ml_agent.tools.edit_file:EditFile",
    "run": "ml_agent.tools.run:Run",
    "submit": "ml_agent.tools.submit:Submit",
}
"""Where each tool stands, as `module:Class`."""


def load_tool(name: str) -> "Tool[Any]":
    """The tool of this name. Raises KeyError if there is none."""
    module, _, attribute = TOOLS[name].partition(":")
    tool: Tool[Any] = getattr(import_module(module), attribute)()
    return tool


def default_tools() -> "dict[str, Tool[Any]]":
    """All tools, by name."""
    return {name: load_tool(name) for name in TOOLS}


def spec(tool: "Tool[Any]") -> "ToolSpec":
    """The tool as a policy knows it: its name, its docstring, the JSON schema of its arguments."""
    import json
    from inspect import cleandoc

    from ml_agent.policies.base import ToolSpec

    return ToolSpec(tool.name, cleandoc(type(tool).__doc__ or ""), json.loads(_schema(tool.arguments)))


@cache
def _schema(arguments: "type[BaseModel]") -> str:
    """As text, so that nobody changes another's: pydantic takes as long to make one as a whole run without a model."""
    import json

    return json.dumps(arguments.model_json_schema())
