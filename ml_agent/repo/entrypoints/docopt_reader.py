"""Programs that hand their usage text to docopt."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.docopt_grammar import Flag, Node, Usage, UsageError, parse_usage
from ml_agent.repo.entrypoints.values import Foreign, Given, Unknown
from ml_agent.repo.entrypoints.walk import Maker, Walk

_HELP = ("--help", "--version", "-h")
_USAGE = re.compile(r"^\s*usage:", re.IGNORECASE | re.MULTILINE)


@dataclass(eq=False, slots=True)
class Docopt(Foreign):
    given: Given


def _docopt(walk: Walk, given: Given) -> Any:
    if not isinstance(given.get("argv", 1), (list, tuple)):
        walk.ran.append(Docopt(given))
    return Unknown()


MAKERS: Mapping[str, Maker] = {"docopt.docopt": _docopt}


def entry(walk: Walk) -> EntryPoint | None:
    found = next((f for f in walk.ran if isinstance(f, Docopt)), None)
    if found is None or not (walk.program.guarded or walk.program.acts):
        return None
    given, program = found.given, walk.program
    command = Command(given.source, unread=list(walk.unread), open_ended=bool(walk.unread))
    text = given.get("docstring", 0, given.keywords.get("doc"))
    if not isinstance(text, str) and _USAGE.search(documented := ast.get_docstring(program.module.tree, clean=False) or ""):
        text = documented  # handed on by a function that is not known: `docopt(to_text(__doc__))`
    try:
        usage = parse_usage(text) if isinstance(text, str) else None
    except UsageError as error:
        usage = None
        command.unread.append(f"the usage text ({error}) at {given.source}")
    if usage is None:
        command.open_ended = True
        command.unread = command.unread or [f"the usage text at {given.source}"]
        return entry_point(program, "docopt", command, "docopt")
    start = _first_line(str(text), program.module.text)
    command.options = [*(_option(f, program.path, start) for f in usage.flags), *_arguments(usage, given.source)]
    made = entry_point(program, "docopt", command, "docopt", prefixes=True)
    return replace(made, usage=str(text))


def _first_line(text: str, module: str) -> int:
    """How many lines stand above the usage text in its file."""
    at = module.find(text[:200])
    return module.count("\n", 0, at) if at >= 0 else 0


def _option(flag: Flag, path: str, start: int) -> Option:
    names = tuple(n for n in (flag.short, flag.long) if n)
    action = "store" if flag.takes else "help" if flag.name in _HELP else "flag"
    default = repr(flag.default) if flag.default is not None else None
    return Option(flag.name, names, f"{path}:{flag.line + start}", None, default, help=flag.help, action=action)  # type: ignore[arg-type]


def _arguments(usage: Usage, source: str) -> Iterator[Option]:
    """The plain words: commands, if each way to call it begins with one, and arguments."""
    ways = usage.pattern.children
    while len(ways) == 1 and ways[0].kind in ("required", "either"):
        ways = ways[0].children
    ways = [w for w in ways if not _only_helps(w)] or ways
    firsts = [f for w in (ways if usage.pattern.children and len(ways) > 1 else [usage.pattern]) for f in _firsts(w)]
    if firsts and all(f.kind == "command" for f in firsts):
        names = tuple(dict.fromkeys(f.name for f in firsts))
        yield Option("command", ("command",), source, choices=names, nargs="A...", required=True)
        return
    seen: set[str] = set()
    for node, required, several in _leaves(usage.pattern, len(firsts) < 2, False):
        if node.kind == "argument" and node.name not in seen:
            seen.add(node.name)
            nargs = ("+" if required else "*") if several else (None if required else "?")
            yield Option(node.name, (node.name,), source, nargs=nargs, required=required)


def _only_helps(way: Node) -> bool:
    """`prog --version`: it runs nothing."""
    while len(way.children) == 1:
        way = way.children[0]
    return way.kind == "flag" and way.flag is not None and way.flag.name in _HELP


def _firsts(node: Node) -> list[Node]:
    """What a way to call it may begin with: one word, or one of several (`(add | remove)`)."""
    if node.kind == "either" and node.children:
        return [f for child in node.children for f in _firsts(child)]
    return _firsts(node.children[0]) if node.kind in ("required", "more") and node.children else [node]


def _leaves(node: Node, required: bool, several: bool) -> Iterator[tuple[Node, bool, bool]]:
    if node.kind in ("argument", "command"):
        yield node, required, several
    for child in node.children:
        alone = node.kind not in ("optional", "options", "either")
        yield from _leaves(child, required and alone, several or node.kind == "more")
