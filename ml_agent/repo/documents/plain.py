"""Plain text: underlined headings, indented blocks and `$ ` lines as code, the rest as prose. Fences too: many a README without
a suffix is half Markdown."""

import re

from ml_agent.repo.documents.builder import Builder, language_of

_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,}|\*{3,}|#{3,})\s*$")
_PROMPT = re.compile(r"\s*\$ +\S")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([^`\n]*)$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|\(\w\))\s+")
_LEVELS = {"=": 1, "*": 1, "#": 1, "-": 2, "~": 3}
_INDENT = 4


def read_plain(builder: Builder, text: str) -> None:
    """Feed a plain text to the builder."""
    lines = text.expandtabs(4).split("\n")
    paragraph: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        end = at + 1
        if not line.strip():
            _flush(builder, paragraph)
        elif fence:
            _flush(builder, paragraph)
            close = re.compile(rf"\s*{re.escape(fence[1])}\s*$")
            end = next((i for i in range(at + 1, len(lines)) if close.match(lines[i])), len(lines))
            builder.code(language_of(fence[2]), _dedented(lines[at + 1 : end]), at + 2)
            end += 1
        elif _PROMPT.match(line):
            _flush(builder, paragraph)
            end = _session_end(lines, at)
            builder.code("console", _dedented(lines[at:end]), at + 1)
        elif end < len(lines) and _UNDERLINE.match(lines[end]) and not _UNDERLINE.match(line) and not line.startswith(" "):
            _flush(builder, paragraph)
            builder.heading(_LEVELS[lines[end][0]], line, at + 1)
            end += 1
        elif _begins_block(lines, at, paragraph):
            _flush(builder, paragraph)
            end = _block_end(lines, at)
            builder.code("", _dedented(lines[at:end]), at + 1)
        elif not _UNDERLINE.match(line):
            if _ITEM.match(line):
                _flush(builder, paragraph)
            paragraph.append(line.strip())
        at = end
    _flush(builder, paragraph)


def _flush(builder: Builder, paragraph: list[str]) -> None:
    builder.prose("\n".join(paragraph))
    paragraph.clear()


def _begins_block(lines: list[str], at: int, paragraph: list[str]) -> bool:
    """An indented line is code after a blank line, or right below a line that ends with a colon."""
    line = lines[at]
    if _indent(line) < _INDENT or _ITEM.match(line):
        return False
    return not paragraph or paragraph[-1].endswith(":")


def _block_end(lines: list[str], at: int) -> int:
    end = at
    for position in range(at, len(lines)):
        if lines[position].strip():
            if _indent(lines[position]) < _INDENT:
                break
            end = position + 1
    return end


def _session_end(lines: list[str], at: int) -> int:
    """A `$ ` line goes on over backslashes; directly following `$ ` lines are of the same block."""
    end = at + 1
    while end < len(lines) and (_PROMPT.match(lines[end]) or lines[end - 1].rstrip().endswith("\\")):
        end += 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _dedented(lines: list[str]) -> str:
    common = min((_indent(line) for line in lines if line.strip()), default=0)
    return "\n".join(line[common:] for line in lines)
