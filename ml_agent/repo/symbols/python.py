"""What is read of Python besides definitions and calls: imports, and the names in `__all__`."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ml_agent.repo.symbols.model import Import

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENT = re.compile(r"#[^\n]*")
_FROM = re.compile(r"from\s*(\.[.\s]*)?([\w.]*)\s*import\b\s*\(?")
_SIMPLE = re.compile(r"from (\.*[\w.]*) import ([\w, ]+)")
_IMPORT = re.compile(r"import\b\s*")
_NAME = re.compile(r"\s*([\w.]+|\*)(?:\s+as\s+(\w+))?\s*$")


def imports(statement: str, line: int) -> Iterator[Import]:
    """What one import statement binds."""
    if (simple := _SIMPLE.fullmatch(statement)) and " as " not in statement:
        module, listed = simple.groups()
        yield from [Import(name, module, name, line) for name in listed.replace(" ", "").split(",")]
        return
    text = _COMMENT.sub("", statement).replace("\\\n", " ")
    front = _FROM.match(text)
    if front:
        module = re.sub(r"\s", "", front[1] or "") + front[2]
        names = text[front.end() :].rstrip(" \t\n;)")
    else:
        module = ""
        start = _IMPORT.match(text)
        names = text[start.end() :] if start else ""
    for part in names.split(","):
        found = _NAME.match(part)
        if not found:
            continue
        name, alias = found.groups()
        if front:
            yield Import(alias or name, module, name, line)
        else:
            yield Import(alias or name.partition(".")[0], name if alias else name.partition(".")[0], "", line)


def exported(statements: Iterable["Node"], text_of: Callable[["Node"], str]) -> tuple[str, ...] | None:
    """The names that the statements about `__all__` list, in order; None if there are none or they compute it."""
    names: list[str] = []
    found = False
    for statement in statements:
        found = True
        for strings in _lists(statement, text_of):
            values = [_plain(string, text_of) for string in strings or ()]
            if strings is None or None in values:
                return None
            names += [value for value in values if value is not None]
    return tuple(dict.fromkeys(names)) if found else None


def _lists(statement: "Node", text_of: Callable[["Node"], str]) -> Iterator[list["Node"] | None]:
    """The items of each list that a statement gives `__all__`; None for what is no list."""
    if statement.type == "call":
        function, arguments = statement.child_by_field_name("function"), statement.child_by_field_name("arguments")
        method = function.child_by_field_name("attribute") if function else None
        given = arguments.named_children if arguments else []
        name = text_of(method) if method else ""
        if name == "append":
            yield given
        elif name == "extend" and len(given) == 1:
            yield _items(given[0])
        else:
            yield None
    elif (right := statement.child_by_field_name("right")) is not None:  # `__all__: list[str]` alone says nothing
        yield _items(right)


def _items(node: "Node") -> list["Node"] | None:
    return (
        [child for child in node.named_children if child.type != "comment"] if node.type in ("list", "tuple", "expression_list") else None
    )


def _plain(node: "Node", text_of: Callable[["Node"], str]) -> str | None:
    content = [child for child in node.named_children if child.type != "string_start" and child.type != "string_end"]
    return text_of(content[0]) if node.type == "string" and len(content) == 1 and content[0].type == "string_content" else None
