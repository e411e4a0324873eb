"""Commands in running text: between backticks, or on a line of their own, as in a quotation."""

import re
from collections.abc import Collection, Iterator, Sequence

from ml_agent.repo.shell.prompts import runs, strip_prompts

_INLINE = re.compile(r"(?<![`\\])(`{1,2})(?!`)([^`\n]{4,600}?)(?<!`)\1(?!`)")
_MENTIONS_PROGRAM = re.compile(r"\.(?:py|sh|bash)\b|\s-m\s|\b(?:torchrun|accelerate|deepspeed)\b")
_MARKS = re.compile(r"[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,2}[.)])[ \t]+)?(?:\*\*)?(?:(?:[Uu]sage|[Ee]xample|[Rr]un)s?:[ \t]*)?")
_SENTENCE = re.compile(r"(?<!\S)(?:the|to|will|and|is|are|with|which|you|can|of|or|that|this|should|be)(?!\S)|[a-z]{2}[.:,;](?:\s|$)")
_LONGEST = 40
"""Lines of one command."""


def in_prose(lines: Sequence[str], installed: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """(index of the line, the command), in their order. `installed`: names of commands that come with no file's ending."""
    reached = 0
    names = re.compile("`(?:" + "|".join(map(re.escape, sorted(installed, key=len, reverse=True))) + r")[ \t]") if installed else None
    for at, line in enumerate(lines):
        if at < reached or not (_MENTIONS_PROGRAM.search(line) or (names is not None and names.search(line))):
            continue
        if "`" in line:
            codes = (strip_prompts(match[2].strip())[0] for match in _INLINE.finditer(line))
            yield from ((at, code) for code in codes if " " in code or code.startswith("./"))
        elif code := _alone(lines[at : at + _LONGEST]):
            reached = at + code.count("\n") + 1
            yield at, code


def _alone(lines: Sequence[str]) -> str:
    """The command that the first line begins, with the lines that a backslash leads on to; empty if it is none."""
    kept: list[str] = []
    for line in lines:
        kept.append(strip_prompts(_MARKS.sub("", line, count=1))[0].replace("\\_", "_").rstrip().removesuffix("**"))
        if not kept[-1].endswith("\\"):
            break
    code = "\n".join(kept)
    return code if runs(kept[0]) and not _SENTENCE.search(code) else ""
