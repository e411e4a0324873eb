"""Python 2, and Python 3 before `async` was a keyword: mended so that it can be read. Nothing that is mended is ever run."""

import ast
import re
from collections.abc import Callable

from ml_agent.repo.pysource import parse_python

_HOLE = "\ue000"
"""Stands around the number of a literal that is taken out while the rest is mended."""
_LITERAL = re.compile(
    r"""(?<!\w)([bBrRuU]{0,2}|[fF])(\"{3}(?:\\.|[^\\])*?(?:\"{3}|\\?\Z)|'{3}(?:\\.|[^\\])*?(?:'{3}|\\?\Z)"""
    r"""|"(?:\\.|[^"\\\n])*(?:"|(?=\n)|\\?\Z)|'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\\?\Z))|#[^\n]*""",
    re.DOTALL,
)
"""One that is not closed reaches to the end of its line, or of the text: so nothing is looked at twice."""
_LONG = 1_000
"""Characters of a line without its literals; nobody writes a longer one, and the patterns below look at the rest of a line again."""
_BEGINS = r"(?m)(^[ \t]*|[:;][ \t]*)"
"""Where a statement begins."""
_MENDS: tuple[tuple[re.Pattern[str], str], ...] = (
    # A tuple needs no bracket at its end, wherever the statement ends, and is nothing that a reader looks at.
    (re.compile(_BEGINS + r"(print|exec)\b[ \t]*(?=[\ue000\w`{\[~-])(?!in\b|is\b|if\b|or\b|and\b|not[ \t]+in\b)"), r"\1\2, "),
    (re.compile(_BEGINS + r"(print|exec)(?=[ \t]*\([^\n]*\)[ \t]*(?:%[ \t]*)?[\ue000\w])"), r"\1\2, "),
    (re.compile(_BEGINS + r"raise[ \t]+([\w.\[\]]+)[ \t]*,"), r"\1raise_, \2,"),
    (re.compile(r"(?m)^([ \t]*except\b[^\n:]*?\S)[ \t]*,[ \t]*([A-Za-z_]\w*)[ \t]*:"), r"\1 as \2:"),
    (re.compile(r"\basync\b(?![ \t]+(?:def|for|with)\b)"), "async_"),
    (re.compile(r"\bawait\b(?=[ \t]*[=.,)(])"), "await_"),
    (re.compile(r"(?<![\w.])(?<![eE][-+])0([0-7]+)[lL]?(?![\w.])"), r"0o\1"),
    (re.compile(r"(?<![\w.])(0[xX][\da-fA-F]+|\d+)[lL]\b"), r"\1"),
    (re.compile(r"<>"), "!="),
    (re.compile(r"`([^`\n]*)`"), r"repr(\1)"),
    (re.compile(r"\blambda[ \t]*\(([\w\s,]*)\)[ \t]*:"), r"lambda \1:"),
)
_TUPLE_PARAMETER = re.compile(r"([(,][ \t]*)\(([\w \t,]+)\)(?=[ \t]*[,)])")
_DEFINES = re.compile(r"(?m)^[ \t]*def[ \t]+\w+[ \t]*\([^\n]*")


def parse_old_python(text: str) -> ast.Module:
    """The tree of a file, of an old Python too; line numbers are those of the file.

    For reading alone: a statement that Python no longer has stands in the tree as an expression of the same words. Raises
    SyntaxError, that of the text itself, where mending is not enough.
    """
    try:
        return parse_python(text)
    except SyntaxError as error:
        mended = mend(text)
        if mended == text:
            raise
        try:
            return parse_python(mended)
        except SyntaxError:
            raise error from None


def mend(text: str) -> str:
    """The text with what only an old Python takes written as today, each line in its place; literals and comments as they are."""
    if _HOLE in text:
        return text
    kept: list[str] = []

    def take(found: re.Match[str]) -> str:
        prefix, whole = found[1] or "", found[0]
        kept.append("r" + whole[len(prefix) :] if prefix.lower() == "ur" else whole)
        return f"{_HOLE}{len(kept) - 1}{_HOLE}"

    bare = _LITERAL.sub(take, text)
    if any(len(line) > _LONG for line in bare.split("\n")):
        return text
    for pattern, by in _MENDS:
        bare = pattern.sub(by, bare)
    bare = _DEFINES.sub(lambda found: _TUPLE_PARAMETER.sub(r"\1\2", found[0]), bare)
    bare = re.sub(r"(?m)^[ \t]*\t[ \t]*", lambda found: found[0].expandtabs(8), bare)
    put: Callable[[re.Match[str]], str] = lambda found: kept[int(found[1])]  # noqa: E731
    return re.sub(f"{_HOLE}(\\d+){_HOLE}", put, bare)
