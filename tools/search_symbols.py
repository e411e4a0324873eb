"""The tool `search_symbols`: Python functions and classes of the repository."""

from typing import TypedDict

from pydantic import Field

from ml_agent.repo.modules import Definition
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.text import cap, shorten
from ml_agent.trajectory import Observation


class ParameterData(TypedDict):
    name: str
    kind: str
    """positional_only, positional, args, keyword_only or kwargs."""
    default: str | None
    """As source text; None if there is none."""


class SymbolData(TypedDict):
    name: str
    kind: str
    module: str
    """The dotted name to import it from; empty if no import reaches its file."""
    path: str
    line: int
    parameters: list[ParameterData] | None
    """None if its calls cannot be judged (decorated, inherited from outside)."""
    doc: str


class SearchSymbolsData(TypedDict):
    symbols: list[SymbolData]
    """Best first."""


class SearchSymbolsArguments(Arguments):
    query: Text = Field(min_length=1, description="Names or words to look for.")
    limit: int = Field(20, ge=1, le=500, description="Most symbols to return.")


class SearchSymbols(Tool[SearchSymbolsArguments]):
    """Find Python functions and classes of the repository by name, file and docstring.

    Each comes with the module to import it from, its parameters, and the file and line where it is defined.
    """

    name = "search_symbols"
    arguments = SearchSymbolsArguments

    def call(self, arguments: SearchSymbolsArguments, context: Context) -> Observation:
        found = [d for _, d in context.workspace.index.search_definitions(arguments.query, arguments.limit)]
        data: SearchSymbolsData = {"symbols": [_data(d) for d in found]}
        text = "\n".join(map(_line, found)) or f"no function or class fits {arguments.query!r}"
        return Observation(cap(text, hint="give a smaller limit"), data)


def _data(definition: Definition) -> SymbolData:
    signature = definition.signature
    parameters: list[ParameterData] | None = None
    if signature is not None:
        parameters = [{"name": p.name, "kind": p.kind, "default": p.default} for p in signature.parameters]
    return {
        "name": definition.name, "kind": definition.kind, "module": definition.module, "path": definition.path, "line": definition.line,
        "parameters": parameters, "doc": definition.doc,
    }  # fmt: skip


def _line(definition: Definition) -> str:
    signature = "(...)" if definition.signature is None else shorten(str(definition.signature), 300)
    module = f"from {definition.module} import {definition.name}" if definition.module else "no import reaches it"
    doc = f"\n    {shorten(definition.doc, 150)}" if definition.doc else ""
    return f"{definition.kind} {definition.name}{signature}  {module}  [{definition.source}]{doc}"
