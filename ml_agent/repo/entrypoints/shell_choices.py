"""Words that a shell script compares one of its variables with: `case $1 in train) ...`, `if [ "$mode" == train ] ... elif ...`."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ml_agent.repo.entrypoints.shell_options import LEAVES

if TYPE_CHECKING:
    from tree_sitter import Node

Compared = tuple[str, tuple[str, ...]]
"""The variable's name (`1` for `$1`) and the words."""

_VARIABLE = re.compile(r"""["']?\$\{?(\w+)\}?["']?$""")
_EQUALS = re.compile(r"""\[{0,2}\s*["']?\$\{?(\w+)\}?["']?\s*==?\s*["']?([\w.+-]+)["']?\s*\]{0,2}""")
_SAYS = re.compile(r"(?:(?:echo|printf)\b[^\n;|&]*(?:[\n;]|$)|\s)*")


def of_case(node: "Node", text: Callable[["Node"], str]) -> Compared | None:
    """`case $1 in train) ...;; test) ...;; *) usage; exit;; esac`"""
    variable = _VARIABLE.match(text(node.named_children[0])) if node.named_child_count else None
    items = [text(c).partition(")") for c in node.named_children if c.type == "case_item"]
    patterns = [p.strip().strip("'\"") for head, _, _ in items for p in head.lstrip("( ").split("|")]
    words = [p for p in patterns if re.fullmatch(r"[\w.+-]+", p)]
    others = [body.replace(";;", "") for head, _, body in items if head.strip().lstrip("( ") == "*"]
    if variable is None or len(words) + len(others) != len(patterns):
        return None
    return _if_nothing_else(variable[1], words, others)


def of_conditions(node: "Node", text: Callable[["Node"], str]) -> Compared | None:
    """`if [ $1 == train ]; then ... elif [ $1 == test ]; then ... else usage; exit; fi`, of two words at least."""
    found: list[tuple[str, str]] = []
    others: list[str] = []
    for part in (node, *(c for c in node.children if c.type in ("elif_clause", "else_clause"))):
        if part.type == "else_clause":
            others.append(text(part).removeprefix("else"))
            continue
        head, then, _ = text(part).partition("then")
        if not then or re.sub(r"\b(?:el)?if\b|\btest\b|[|;\s]", "", _EQUALS.sub("", head)):
            return None
        found.extend(_EQUALS.findall(head))
    names = {name for name, _ in found}
    return _if_nothing_else(names.pop(), [word for _, word in found], others) if len(names) == 1 and len(found) > 1 else None


def _if_nothing_else(name: str, words: Sequence[str], others: Sequence[str]) -> Compared | None:
    """Only if the script does nothing for any other word."""
    nothing = all(LEAVES.search(body) or _SAYS.fullmatch(body) for body in others)
    return (name, tuple(dict.fromkeys(words))) if words and nothing else None
