"""Symbols, pieces of text and programs as data that is JSON-able: what tools and the command line hand out alike."""

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ml_agent.repo.index import RepoIndex
    from ml_agent.repo.modules import PythonModules
    from ml_agent.repo.retrieval import Hit
    from ml_agent.repo.symbols import Export, Reference, RepoMap, Symbol


class SymbolData(TypedDict):
    kind: str
    name: str
    qualified: str
    """With the names of what it stands in: `Class.method`."""
    signature: str
    """As the source has it, on one line."""
    doc: str
    """The first paragraph of its docstring or comment."""
    path: str
    line: int
    end_line: int
    module: str
    """The dotted name to import it (or what it stands in) from; empty if no import can reach it, or it is not Python."""


class ReferenceData(TypedDict):
    path: str
    line: int
    called: bool
    """False where it is imported, inherited from, annotated with or handed over."""
    inside: str
    """The qualified name of the definition around it; empty at the top of a file."""
    bound: bool
    """The file defines or imports it; else the names are merely the same."""


class ExportData(TypedDict):
    name: str
    symbol: SymbolData | None
    """None if it comes from outside, or cannot be told."""
    through: str
    """`path:line` of the import that hands it on; empty if the module defines it itself."""


class HitData(TypedDict):
    kind: str
    """code, document, entrypoint or symbol."""
    path: str
    line: int
    end_line: int
    title: str
    """What it is: names of definitions, headings, the command that starts a program."""
    text: str
    score: float
    """Comparable within one search only."""
    ranks: dict[str, int]
    """Why it was found: its rank by words (`bm25`), by meaning (`embedding`), and among what is used by pieces that fit (`used`)."""


class MapFileData(TypedDict):
    path: str
    symbols: list[SymbolData]


class RepoMapData(TypedDict):
    files: list[MapFileData]
    """What matters most first."""
    tokens: int
    """Estimated."""
    left_out: int
    """Definitions that did not fit."""


class UsageData(TypedDict):
    path: str
    line: int
    """Where the parser is made, or 1."""
    kind: str
    """What reads its command line: argparse, click, shell, ..."""
    run: list[str]
    """How it is started from the root."""
    command: str | None
    """The sub-command that was asked for, under its own name."""
    usage: str
    commands: list[str]
    """All its sub-commands: `add`, and `remote add` for one of another."""
    open_ended: bool
    """It may take more than was read."""
    unread: list[str]
    """What could not be read, each with `path:line`."""


def usage_data(index: "RepoIndex", program: str, command: str | None = None) -> UsageData:
    """How a program, or one of its sub-commands, is used. Raises NoSuchProgram."""
    from ml_agent.repo.entrypoints.usage import usage
    from ml_agent.repo.programs import commands_of, find_command, find_program

    entry = find_program(index, program)
    known = find_command(entry, command) if command is not None else None
    return {
        "path": entry.path, "line": entry.line, "kind": entry.kind, "run": list(entry.run), "command": known, "usage": usage(entry, known),
        "commands": list(commands_of(entry)), "open_ended": entry.is_open(known), "unread": list(entry.unread),
    }  # fmt: skip


def symbol_data(symbol: "Symbol", modules: "PythonModules | None") -> SymbolData:
    """Without `modules`, `module` is not looked up."""
    return {
        "kind": symbol.kind, "name": symbol.name, "qualified": symbol.qualified, "signature": symbol.definition.signature,
        "doc": symbol.definition.doc, "path": symbol.path, "line": symbol.line, "end_line": symbol.end_line,
        "module": _module(symbol, modules) if modules is not None else "",
    }  # fmt: skip


def _module(symbol: "Symbol", modules: "PythonModules") -> str:
    if not symbol.path.endswith(".py"):
        return ""
    offered = modules.offered(symbol.path, symbol.qualified.partition(".")[0])
    if offered is not None:
        return offered.module if offered.kind == "class" or not symbol.definition.parent else ""
    module = modules.of_file(symbol.path)
    return module.dotted if module else ""


def import_line(symbol: SymbolData) -> str:
    """`from module import Name`: what brings the symbol, or what it stands in; empty if nothing does."""
    return f"from {symbol['module']} import {symbol['qualified'].partition('.')[0]}" if symbol["module"] else ""


def reference_data(reference: "Reference") -> ReferenceData:
    inside = reference.inside.qualified if reference.inside else ""
    return {"path": reference.path, "line": reference.line, "called": reference.called, "inside": inside, "bound": reference.bound}


def export_data(export: "Export", modules: "PythonModules") -> ExportData:
    symbol = symbol_data(export.symbol, modules) if export.symbol else None
    return {"name": export.name, "symbol": symbol, "through": export.through}


def hit_data(hit: "Hit") -> HitData:
    chunk = hit.chunk
    return {
        "kind": chunk.kind, "path": chunk.path, "line": chunk.line, "end_line": chunk.end_line, "title": chunk.title, "text": chunk.text,
        "score": hit.score, "ranks": dict(hit.ranks),
    }  # fmt: skip


def map_data(found: "RepoMap") -> RepoMapData:
    files: dict[str, list[SymbolData]] = {}
    for symbol in found.symbols:
        files.setdefault(symbol.path, []).append(symbol_data(symbol, None))
    listed: list[MapFileData] = [{"path": path, "symbols": symbols} for path, symbols in files.items()]
    return {"files": listed, "tokens": found.tokens, "left_out": found.left_out}
