"""What a shell knows at one place of a script, and small questions about its syntax."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ml_agent.repo.shell.words import Value, Word

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 4096
"""Characters of a path, on Linux: no shell is in a folder with a longer one."""


@dataclass(slots=True)
class State:
    """What a shell would know at one place of the script."""

    cwd: str | None = "."
    variables: dict[str, Value] = field(default_factory=dict)
    previous: str | None = None
    stack: list[str | None] = field(default_factory=list)
    loops: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def copy(self) -> "State":
        return State(self.cwd, dict(self.variables), self.previous, list(self.stack), self.loops)


def counted(head: str) -> tuple[str, tuple[str, ...]]:
    """The variable and the values of `for ((i=0; i<3; i++))` with literal bounds; `head` ends before `))`."""
    match = re.match(
        r"for\s*\(\(\s*(\w+)\s*=\s*(-?\d{1,9})\s*;\s*\1\s*(<=?)\s*(-?\d{1,9})\s*;\s*(?:\1\s*\+\+|\+\+\s*\1|\1\s*\+=\s*(\d{1,9}))\s*$",
        head,
    )
    if not match:
        first = re.match(r"for\s*\(\(\s*(\w+)\s*=\s*(-?\d{1,9})\s*;", head)
        return (first[1], (first[2],)) if first else ("", ())
    last = int(match[4]) + (match[3] == "<=")
    return match[1], tuple(str(n) for n in range(int(match[2]), last, int(match[5] or 1) or 1)[:1000])


def change_folder(state: State, target: Word | None) -> str | None:
    if target is not None and target.text == "-":
        return state.previous
    if target is None or target.text.startswith("~"):
        return None
    text = target.text
    for here in ("$PWD", "$(pwd)", "`pwd`"):
        if text == here or text.startswith(here + "/"):
            text = "." + text[len(here) :]
            return None if "$" in text or state.cwd is None else posixpath.normpath(posixpath.join(state.cwd, text))
    if target.dynamic or (state.cwd is None and not text.startswith("/")):
        return None
    folder = posixpath.join(state.cwd or ".", text)
    return posixpath.normpath(folder) if len(folder) <= _LONGEST else None


def operands(node: "Node") -> list["Node"]:
    """The commands of `a && b || c`, which the grammar nests to the left."""
    operands: list[Node] = []
    while node.type == "list" and node.named_children:
        first, *rest = node.named_children
        operands.extend(reversed(rest))
        node = first
    return [node, *reversed(operands)]


def touching(nodes: Sequence["Node"]) -> Iterator[list["Node"]]:
    """Nodes grouped so that those with nothing between them make one word."""
    group: list[Node] = []
    for node in nodes:
        if group and group[-1].end_byte != node.start_byte:
            yield group
            group = []
        group.append(node)
    if group:
        yield group
