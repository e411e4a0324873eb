"""Programs that read their options with argparse, whatever function, class or module makes the parser."""

import ast
import dataclasses

from ml_agent.repo.entrypoints.argparse_model import Parser, all_options, all_unread, command_aliases, command_help, is_open_ended
from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.interpreter import Interpreter
from ml_agent.repo.entrypoints.names import Exhausted
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.relevance import Relevance
from ml_agent.repo.entrypoints.values import Function, Scope


def read(program: Program) -> EntryPoint | None:
    module = program.module
    relevance = Relevance.of(program.sources, module.folder)
    if not relevance.module(module):
        return None
    interpreter = Interpreter(program.sources, relevance)
    unread: list[str] = []
    try:
        scope = interpreter.run_module(module, main=program.function is None)
        if program.function is not None:
            _enter(interpreter, scope, program.function)
        if not any(p.parsed for p in interpreter.parsers) and program.guarded and module.parses_arguments:
            _enter_all(interpreter, scope)
    except Exhausted:
        unread.append(f"too long a program: not all of it was read at {program.path}:1")
    parsers = _chosen(interpreter.parsers, program)
    if not parsers:
        return None
    first = parsers[0]
    path, _, line = first.source.rpartition(":")
    return EntryPoint(
        program.path,
        "argparse",
        program.run,
        _merged(parsers),
        description=first.description or program.description,
        line=int(line) if path == program.path else 1,
        open_ended=bool(unread) or any(map(is_open_ended, parsers)) or _lets_pass(parsers),
        prefixes=all(p.prefixes for p in parsers),
        unread=tuple(unread + [note for p in parsers for note in all_unread(p)]),
        default_command=next((c for p in parsers if (c := _default_command(p, program))), None),
        command_help=tuple(dict.fromkeys(h for p in parsers for h in command_help(p)))[:300],
        command_aliases=tuple(dict.fromkeys(a for p in parsers for a in command_aliases(p))),
    )


def _lets_pass(parsers: list[Parser]) -> bool:
    """Whether unknown options get through. One parser may leave to another what it does not know (`--config` first, then the
    rest), and one may be read in both ways: as long as one of them complains, the program does."""
    return any(p.lets_pass for p in parsers) and not any(p.complains for p in parsers)


def _default_command(parser: Parser, program: Program) -> str | None:
    """The sub-command that the parser's module puts into the command line itself: `sys.argv.insert(1, "run")`."""
    names = {name for each in parser.subcommands for name in each.commands}
    module = program.sources.module(parser.source.rpartition(":")[0]) if names else None
    for call in (n for n in ast.walk(module.tree) if isinstance(n, ast.Call)) if module is not None else ():
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="argv"), attr="insert"),
                args=[ast.Constant(value=1), ast.Constant(value=str(name))],
            ) if name in names:
                return name
    return None


def _enter(interpreter: Interpreter, scope: Scope, name: str) -> None:
    function = interpreter.lookup(name, scope)
    if isinstance(function, Function):
        interpreter.enter(function, [], {})


def _enter_all(interpreter: Interpreter, scope: Scope) -> None:
    """Walk the functions one by one: what calls them was not seen (a decorator, another library)."""
    for node in scope.module.tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            interpreter.enter(Function(scope.module, node, scope), [], {})


def _chosen(made: list[Parser], program: Program) -> list[Parser]:
    """The parsers that read the command line, the fullest first."""
    below = {id(c) for p in made for s in p.subcommands for c in s.commands.values()}
    own = [p for p in made if id(p) not in below]
    parsed = [p for p in own if p.parsed]
    if not parsed:
        if not program.guarded:
            return []
        parsed = [p for p in own if p.options or p.subcommands]
        parsed = [max(parsed, key=lambda p: len(p.options))] if parsed else []
    elif not (program.guarded or program.acts or any(p.source.rpartition(":")[0] == program.path for p in parsed)):
        return []
    by_source = {p.source: p for p in reversed(parsed)}
    return sorted(by_source.values(), key=lambda p: -len(p.options))


def _merged(parsers: list[Parser]) -> tuple[Option, ...]:
    found: list[Option] = []
    taken: set[tuple[str | None, str]] = set()
    for parser in parsers:
        for option in all_options(parser):
            spellings = {(option.command, a) for a in option.aliases}
            if taken.isdisjoint(spellings):
                taken.update(spellings)
                found.append(option if parser is parsers[0] else dataclasses.replace(option, required=False))
    return tuple(sorted(found, key=lambda o: o.action == "help"))
