"""The words that a definition is explained with: the first paragraph of a docstring or of the comment above."""

import re
from collections.abc import Sequence

from ml_agent.repo.symbols.languages import Comments

DOC_CHARACTERS = 300
_MOST_LINES = 60
_LONGEST = 400
"""Lines above a definition that are looked at, and characters of one."""
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_MARKERS = re.compile(r"^[ \t]*(?:///?|//!|/\*+|\*+/?|#+|\"{3})?[ \t]?|[ \t]*\*+/[ \t]*$")
_STRING = re.compile(r"[A-Za-z]{0,2}(\"{3}|'{3}|\"|')(.*)", re.DOTALL)


def first_paragraph(text: str) -> str:
    """The first paragraph on one line, at most 300 characters."""
    text = text.strip()
    if "\n" in text or "  " in text:
        text = " ".join(_PARAGRAPH.split(text, maxsplit=1)[0].split())
    return text if len(text) <= DOC_CHARACTERS else text[: DOC_CHARACTERS - 3] + "..."


def docstring(literal: str) -> str:
    """The first paragraph of a string literal, with its prefix and quotes; it may be cut behind."""
    found = _STRING.match(literal)
    if not found:
        return ""
    quotes, text = found.groups()
    return first_paragraph(text.partition(quotes)[0])


def comment_above(lines: Sequence[str], row: int, comments: Comments) -> str:
    """The first paragraph of the comment that ends right above a row (from 0)."""
    row -= 1
    above = lines[row].strip()
    if not above.startswith((*comments.line, *comments.between)) and not (comments.block and above.endswith(comments.block[1])):
        return ""
    lowest = max(0, row - _MOST_LINES)
    while row >= lowest and comments.between and lines[row].lstrip().startswith(comments.between):
        row -= 1
    last = row
    if row >= lowest and comments.block and lines[row].rstrip().endswith(comments.block[1]):
        opening = comments.block[0]
        if not lines[row].lstrip().startswith(opening) or lines[row].strip() == opening:  # not `/* all on one line */`
            row -= 1
            while row >= lowest and not lines[row].lstrip().startswith(opening):
                row -= 1
        if row < lowest:
            return ""
    else:
        while row >= lowest and lines[row].lstrip().startswith(comments.line):
            row -= 1
        row += 1
    words = (_MARKERS.sub("", line[:_LONGEST]) for line in lines[row : last + 1] if not line.startswith("#!"))
    return first_paragraph("\n".join(word if any(map(str.isalnum, word)) else "" for word in words))
