"""Small questions about the nodes of a snippet's syntax tree."""

import ast
import re
from collections.abc import Sequence


def command_words(node: ast.List) -> list[tuple[ast.expr, str]]:
    """The words of a command line that stands as a list, each value with its option's name: `["--env", "Maze"]`."""
    texts = [e.value if isinstance(e, ast.Constant) and isinstance(e.value, str) else "" for e in node.elts]
    if not any(re.fullmatch(r"--?[A-Za-z][\w-]*", text) for text in texts):
        return []
    pairs = zip(node.elts, ["", *texts], texts, strict=False)
    return [(e, before.lstrip("-") if before.startswith("-") else "") for e, before, text in pairs if not text.startswith("-")]


def is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def target_of(node: ast.expr) -> str:
    """What is assigned to: `a`, `x.a`, `x["a"]` -> `a`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return node.slice.value
    return ""


def unpacked(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    """What each of several names is given: `batch, length = 2, 64`; empty if it is no such assignment."""
    if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts) > 1):
        return []
    names = [target_of(each) for each in target.elts]
    return list(zip(names, value.elts, strict=True)) if all(names) else []


def made_of(node: ast.expr) -> Sequence[ast.expr]:
    """The first argument of the call that makes a thing, `Net("a")` of `Net("a").to(device)`, and its keywords' values."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        node = node.func.value
    return [*node.args[:1], *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []


def called_name(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""


def offset_of(node: ast.expr | ast.alias, code: str) -> tuple[int, int]:
    """Where an expression, or a name in an import, begins and ends, as character offsets."""
    offsets = line_offsets(code)
    end = offset_at(code, offsets, node.end_lineno or node.lineno, node.end_col_offset or 0)
    return offset_at(code, offsets, node.lineno, node.col_offset), end


def offset_at(code: str, offsets: Sequence[int], line: int, column: int) -> int:
    """In characters; `offsets` are those of the lines, `column` is in bytes, as a syntax tree has it."""
    text = code[offsets[line - 1] : offsets[line]]
    return offsets[line - 1] + len(text.encode()[:column].decode(errors="ignore"))


def line_offsets(code: str) -> list[int]:
    return [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", code)), len(code)]  # splitlines also splits where Python does not
