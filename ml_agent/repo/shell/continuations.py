"""Commands over several lines, as documents show them: with a backslash that a space or a comment follows, or with none at all."""

import re
from collections.abc import Iterator, Sequence

_BROKEN = re.compile(r"(?<=[^\\])\\(?:[ \t]+|[ \t]*#[^\n]*)$")
"""A backslash that ends no line for a shell: something stands behind it."""
_ASIDE = re.compile(r"[ \t]*(?:#|$)")
_OPTION = re.compile(r"[ \t]*--?[A-Za-z]")
_LISTED = re.compile(
    r"[ \t]*--?[A-Za-z][\w\-]*,?(?:[ =][\w{}\[\]|,.\-]+)*(?:[ \t]{2,}|\t)[^\s\-(#]\S*\s+[^\s\-(#]|[ \t]*--?[A-Za-z][^\n]*[a-z]{2}[.:]$"
)
"""A line of a program's help: the option, and what it does, in words."""
_COMMAND = re.compile(r"[ \t]*(?:[A-Za-z_]\w*=\S*[ \t]+)*[a-z.~/$<{!(][\w.~/$<>{}()\-]*(?:[ \t]+\S|$)")
_NO_COMMAND = re.compile(r"(?:[:!?]|[a-z]\.|\b(?:do|then|else)|[;{|&])\s*$|^\s*(?:usage\b|#)", re.IGNORECASE)
_REMARK = re.compile(r"(?<=\S)[ \t]+(?:#(?=\s)[^\n]*|\((?=[^()\n]*[A-Za-z]{2}[^()\n]*)[^()\n]*\))[ \t]*$")
"""What is said of an option behind it."""
_DASH = re.compile(r"(?<!\S)[\u2013\u2014](?=([A-Za-z][\w-]*))")
"""What a word processor makes of the dashes before an option."""


def continued(code: str) -> str:
    """The text of a document's block with a backslash at the end of each line that the next one continues; it keeps its lines.

    A line that begins with an option is no command of its own, so it belongs to the one before, whatever remarks and empty lines stand
    between. No shell reads it so, but it is meant; so are two dashes where an editor made a long one
    of them.
    """
    code = _DASH.sub(lambda dash: "-" if len(dash[1]) == 1 else "--", code)
    if not re.search(r"^[ \t]*--?[A-Za-z]|\\(?:[ \t]+$|[ \t]*#)", code, re.MULTILINE):
        return code
    return "\n".join(_lines(code.split("\n")))


def _lines(lines: Sequence[str]) -> Iterator[str]:
    within = False
    for line, following in zip(lines, _next_said(lines), strict=True):
        line = _BROKEN.sub(r"\\", line)
        aside = within and _ASIDE.match(line) is not None
        within = within or (_COMMAND.match(line) is not None and not _OPTION.match(line))
        if within and (aside or not line.endswith("\\")):
            if not _OPTION.match(following) or _LISTED.match(following) or (not aside and _NO_COMMAND.search(line)):
                within = False
            else:
                line = "\\" if aside else f"{_REMARK.sub('', line).rstrip()} \\"
        yield line


def _next_said(lines: Sequence[str]) -> list[str]:
    """For each line the next one that is neither empty nor a remark."""
    found: list[str] = []
    said = ""
    for line in reversed(lines):
        found.append(said)
        said = said if _ASIDE.match(line) else line
    return found[::-1]
