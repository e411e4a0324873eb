"""What a policy can call. Each tool is one file; none is imported before it is needed."""

from functools import cache
from typing import TYPE_CHECKING, Any

from ml_agent.errors import UsageError
from ml_agent.plugins import Kind, load, reason

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


KIND = Kind("tool", "ml_agent.tools", TOOLS)


def load_tool(name: str) -> "Tool[Any]":
    """A tool: one of TOOLS, one that another distribution announces, `module:Class` or `path/to/file.py:Class`.

    Raises UsageError, in one line, if there is none, or it is no tool, or bears the name of one of TOOLS and is another.
    """
    made = load(KIND, name)
    if name not in TOOLS:
        _check(made, name)
    try:
        tool: Tool[Any] = made()
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"cannot make the tool {name}: {reason(error)}") from error
    return tool


def _check(made: Any, name: str) -> None:
    from pydantic import BaseModel

    from ml_agent.tools.base import Tool

    if not isinstance(made, type) or not issubclass(made, Tool):
        raise UsageError(f"{name} is no tool: it has to be a subclass of ml_agent.tools.base.Tool")
    arguments = getattr(made, "arguments", None)
    if not isinstance(getattr(made, "name", None), str) or not isinstance(arguments, type) or not issubclass(arguments, BaseModel):
        raise UsageError(f"the tool {name} needs a `name`, a string, and `arguments`, a pydantic model")
    if not (made.__doc__ or "").strip():
        raise UsageError(f"the tool {name} needs a docstring: it is what a model chooses by")
    if made.name in TOOLS:
        raise UsageError(f"the tool {name} has the name of ml-agent's own tool {made.name}: give it another")


def default_tools() -> "dict[str, Tool[Any]]":
    """Those that come with ml-agent, by name; others are offered to a policy only if they are asked for."""
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
