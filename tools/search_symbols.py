"""The tool `search_symbols`: what the repository defines, by name; who uses it; what a module offers."""

from typing import Literal

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.callables import callables_data
from ml_agent.tools.facts import ExportData, ReferenceData, SymbolData, import_line
from ml_agent.tools.named import NotThere, SymbolsData, exports_data, symbols_data
from ml_agent.tools.text import cap, shorten
from ml_agent.trajectory import Observation

_LIKE = {"prefix": "these begin so", "fuzzy": "these are spelled like it", "words": "these fit the words"}


class SearchSymbolsArguments(Arguments):
    query: Text | None = Field(
        None, description="A name, a qualified name (Class.method, package.module.name), how a name begins, or words for what it does."
    )
    match: Literal["exact", "qualified", "prefix", "fuzzy"] | None = Field(
        None, description="How the name has to fit; by default exactly, else by its beginning, else by its spelling."
    )
    kind: Text | None = Field(None, description="Only symbols of this kind: function, method, class, constant, ...")
    references: bool = Field(False, description="Also say who calls or uses what was found.")
    exports: Text | None = Field(
        None, description="Instead of query: a module, as a path or a dotted name, of which to list all that it offers to import."
    )
    callables: Text | None = Field(
        None, description="Instead of query: what is to be done, in any words; gives classes and functions named so, with all they take."
    )
    limit: int = Field(20, ge=1, le=500, description="Most symbols to return.")


class SearchSymbols(Tool[SearchSymbolsArguments]):
    """Find functions, classes, methods, constants and configuration keys of the repository by name, in any language it is written in.

    Each comes with its signature, documentation, file and line and, in Python, the module to import it from. Can also tell who
    calls or uses it, and what a module offers.
    """

    name = "search_symbols"
    arguments = SearchSymbolsArguments

    def call(self, arguments: SearchSymbolsArguments, context: Context) -> Observation:
        index, query, module = context.workspace.index, (arguments.query or "").strip(), arguments.exports
        words = (arguments.callables or "").strip()
        if sum(map(bool, (query, module, words))) != 1:
            raise ToolError("give either query, the name to look for, or exports, a module, or callables, what is to be done")
        if words:
            called, listing = callables_data(index, words, arguments.limit)
            return Observation(cap(listing, hint="give a smaller limit"), called)
        kinds = () if arguments.kind is None else (arguments.kind,)
        try:
            if module:
                data = exports_data(index, module)
            else:
                data = symbols_data(index, query, arguments.match, kinds, arguments.limit, references=arguments.references)
        except NotThere as error:
            raise ToolError(str(error)) from None
        lines = (
            [_export(e) for e in data["exports"]] or [f"{module} offers nothing"] if module else _found(data, query, arguments.references)
        )
        return Observation(cap("\n".join(lines), hint="give a smaller limit"), data)


def _found(data: SymbolsData, query: str, references: bool) -> list[str]:
    symbols, used = data["symbols"], data["references"]
    lines = [f"no symbol fits {query!r}"] if not symbols else []
    lines += [f"no symbol is named {query!r}; {_LIKE[data['match']]}:"] if data["match"] in _LIKE else []
    lines += map(_symbol, symbols)
    lines += ["[there are more; raise limit, or give kind]"] if data["more"] else []
    if references:
        lines += ["used by:", *map(_reference, used)] if used else ["nothing refers to it"]
    return lines


def _symbol(symbol: SymbolData) -> str:
    """One line, and one for the documentation."""
    place = "  ".join(filter(None, (import_line(symbol), f"[{symbol['path']}:{symbol['line']}]")))
    doc = f"\n    {shorten(symbol['doc'], 150)}" if symbol["doc"] else ""
    return f"{symbol['kind']} {symbol['qualified']}: {shorten(symbol['signature'], 300)}  {place}{doc}"


def _export(export: ExportData) -> str:
    return _symbol(export["symbol"]) if export["symbol"] else f"{export['name']}  defined elsewhere  [{export['through']}]"


def _reference(reference: ReferenceData) -> str:
    what = "called" if reference["called"] else "used"
    inside = f" in {reference['inside']}" if reference["inside"] else ""
    return f"  {reference['path']}:{reference['line']}: {what}{inside}{'' if reference['bound'] else ' (the same name; it may be another)'}"
