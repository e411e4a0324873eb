"""Which programs a shell text surely runs: with which words, in which folder, in order."""

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ml_agent.repo.shell import ShellCommand, command_word, parse, run_target, syntax_tree
from ml_agent.repo.shell.launchers import inline_script

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_CHARACTERS = 200_000
"""Of a text; a longer one runs nothing, as far as this reading goes."""
_NESTED = 3
_DEPTH, _NODES = 200, 100_000
"""How deep the walk goes, and how far: functions that call each other twice take for ever."""
_FAILS = frozenset({"false", "test", "[", "[[", "grep", "!"})
"""In front of `&&`: whether what follows is run cannot be told."""
_ENDS = frozenset({"exit", "return", "exec", "kill", "logout"})
_ENDING = re.compile(rf"(?<![\w./-])(?:{'|'.join(sorted(_ENDS))})(?![\w./=-])")
_IDLE = frozenset({"-n", "-V", "-h", "--help", "--version", "-c", "-i", "-D", "--dump-strings"})
"""Options of an interpreter with which it does not run the program, or not only."""
_OTHER_PROGRAMS = re.compile(r"(?:^|[\s;&(])PATH=(?![^\s;&]*\$\{?PATH\b)|\bexpand_aliases\b")
"""A PATH of its own, or aliases (off in a script unless asked for): a name may be another program's."""
_PROGRAMS = (".py", ".pyw", ".sh", ".bash", ".ipynb")


@dataclass(frozen=True, slots=True)
class Run:
    """One program that is run."""

    folder: str | None
    """Where, relative to where the text starts (or absolute); None if that is not known."""
    program: str
    """The path as it is written, or for a module the path that its name stands for from there: `pkg/train.py`."""
    words: tuple[str, ...]
    """The words behind it."""
    text: str = ""
    command: bool = False
    """It is no script, but any other command: an installed one, a binary that was built, `make`."""


def read_runs(text: str, prefix: str = "") -> tuple[Run, ...]:
    """The programs (Python files, modules, shell scripts) that bash surely runs when it runs the text.

    `prefix`: commands that were run before in the same shell; only the variables that they set count. What may not be run is left out:
    what stands behind `exit` or `||`, in branches, in functions that are not called, in text that is no sound shell.
    """
    return tuple(run for run in _all_runs(text, prefix) if not run.command)


def read_command(text: str, prefix: str = "") -> Run | None:
    """The last command of any kind that is surely run, a program or not; None if there is none."""
    return next(reversed(_all_runs(text, prefix)), None)


@lru_cache(maxsize=4096)
def _all_runs(text: str, prefix: str) -> tuple[Run, ...]:
    if len(text) > MAX_CHARACTERS or "\0" in text:
        return ()
    return tuple(_runs(text, _variables(prefix), 0))


def _variables(prefix: str) -> str:
    if not prefix or len(prefix) > MAX_CHARACTERS:
        return ""
    return "".join(f"{name}={shlex.quote(value)}\n" for name, value in parse(prefix).variables.items() if value)


def _runs(text: str, variables: str, depth: int) -> Iterator[Run]:
    whole = variables + text
    root, source, errors = syntax_tree(whole)
    if root is None or errors:
        return
    order = {start: place for place, start in enumerate(_Sure(source).starts(root))}
    found = [command for command in parse(whole).commands if command.start in order]
    if any(_hides(command) for command in found) or _OTHER_PROGRAMS.search(text):
        return
    for command in sorted(found, key=lambda command: order[command.start]):
        yield from _of(command, variables, depth)


def _hides(command: ShellCommand) -> bool:
    """`set -n`: nothing of what follows is run. `hash -p FILE NAME`: under that name another program is."""
    texts = [word.text for word in command.words]
    if texts[0] == "hash":
        return any(re.match(r"-[a-z]*p", text) for text in texts[1:])
    return texts[0] == "set" and ("noexec" in texts or any(re.fullmatch(r"-[a-zA-Z]*n[a-zA-Z]*", text) for text in texts[1:]))


def _of(command: ShellCommand, variables: str, depth: int) -> Iterator[Run]:
    inline = inline_script(command.words)
    if inline is not None:
        if depth < _NESTED and not command.words[inline].dynamic:
            for run in _runs(command.words[inline].text, variables, depth + 1):
                folder = None if command.cwd is None or run.folder is None else posixpath.normpath(posixpath.join(command.cwd, run.folder))
                yield replace(run, folder=folder)
        return
    texts = tuple(word.text for word in command.words)
    target, start = run_target(command.words), command_word(command.words) or 0
    if target is None or (target.direct and not target.value.endswith(_PROGRAMS)):
        yield Run(command.cwd, texts[start], texts[start + 1 :], command.text, command=True)
        return
    options = target.launcher[start:]  # those of what starts the program, not of a wrapper before it: `mpirun -n 2 python x.py`
    if not _IDLE.isdisjoint(options[:-1] if target.kind == "module" else options):
        return
    if target.kind == "file" and not target.value.endswith(_PROGRAMS):
        return
    program = target.value.replace(".", "/") + ".py" if target.kind == "module" else target.value
    yield Run(command.cwd, program, texts[target.index + 1 :], command.text)


class _Sure:
    """A walk over a syntax tree that finds the commands that are surely run, in order."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._functions: dict[str, Node] = {}
        self._calls: list[str] = []
        self._left = _NODES

    def starts(self, root: "Node") -> list[int]:
        """Where they start, in bytes."""
        found: list[int] = []
        self._walk(root, found, 0)
        return found

    def _walk(self, node: "Node", found: list[int], depth: int) -> bool:
        """Whether the shell goes on behind it."""
        kind = node.type
        self._left -= 1
        if depth > _DEPTH or self._left < 0:
            return False
        if kind == "ERROR" or node.is_missing:
            start = self._line_start(node.start_byte)  # bash reads a whole line before it runs any of it
            found[:] = [place for place in found if place < start]
            return False
        if kind == "command":
            return self._command(node, found, depth)
        if kind in ("program", "compound_statement", "do_group", "redirected_statement"):
            return self._sequence(node.children, found, depth)
        if kind == "list":
            return self._list(node, found, depth)
        if kind == "subshell":
            self._sequence(node.children, found, depth)
        elif kind in ("pipeline", "negated_command"):
            for child in node.named_children:
                self._walk(child, found, depth + 1)
        elif kind == "for_statement":
            if any(child.type in ("word", "number", "string", "raw_string", "concatenation") for child in node.named_children):
                return all(self._walk(child, found, depth + 1) for child in node.named_children if child.type == "do_group")
        elif kind == "function_definition":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None:
                self._functions[self._text(name)] = body
        elif kind in ("if_statement", "while_statement", "case_statement", "c_style_for_statement"):
            # Whether what is in it is run, a run alone can tell; and so whether an `exit` in it ends the rest.
            return _ENDING.search(self._text(node)) is None
        return True

    def _sequence(self, children: Sequence["Node"], found: list[int], depth: int) -> bool:
        return all(self._walk(child, found, depth + 1) for child in children if child.is_named or child.is_missing)

    def _list(self, node: "Node", found: list[int], depth: int) -> bool:
        """`a && b`, `a || b`: b is run if a succeeds, which is supposed of all that may."""
        left, operator, right = node.children[0], node.children[1].type, node.children[-1]
        if not self._walk(left, found, depth + 1):
            return False
        if operator == "||":
            return _ENDING.search(self._text(right)) is None or not self._may_fail(left)
        if self._may_fail(left):
            return True
        return self._walk(right, found, depth + 1)

    def _may_fail(self, node: "Node") -> bool:
        """Whether one of the commands that `node` joins is one that is there to fail at times."""
        waiting = [node]
        while waiting:
            one = waiting.pop()
            if one.type == "list":
                waiting += one.named_children
            elif one.type in ("negated_command", "test_command") or re.split(r"[\s;]", self._text(one), maxsplit=1)[0] in _FAILS:
                return True
        return False

    def _command(self, node: "Node", found: list[int], depth: int) -> bool:
        if node.has_error:
            return False
        name = node.child_by_field_name("name")
        word = self._text(name).strip("\"'\\") if name is not None else ""
        if (body := self._functions.get(word)) is not None:
            if word in self._calls:
                return False
            self._calls.append(word)
            goes_on = self._walk(body, found, depth + 1)
            self._calls.pop()
            return goes_on
        found.append(node.start_byte)
        return word not in _ENDS

    def _line_start(self, place: int) -> int:
        start = self._source.rfind(b"\n", 0, place) + 1
        while start and self._source.endswith(b"\\\n", 0, start):
            start = self._source.rfind(b"\n", 0, start - 1) + 1
        return start

    def _text(self, node: "Node") -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")
