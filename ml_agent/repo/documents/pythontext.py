"""The Python that a block of a document shows, whatever stands around it: prompts, what was printed, magics, placeholders."""

import ast
import re
from collections.abc import Iterator, Sequence
from textwrap import dedent

from ml_agent.repo.pysource import parse_python

_TYPED = re.compile(r"[ \t]*(?:>>>|In ?\[\d*\]:)(?: |$)")
_GOES_ON = re.compile(r"[ \t]*\.{3,}:?(?: |$)")
_PRINTED = re.compile(r"[ \t]*(?:>{1,3}|Out ?\[\d*\]:|[=-]>)(?:\s|$)")
_PLACEHOLDER = re.compile(r"<([A-Za-z][A-Za-z0-9 _-]{0,40})>")
_LEFT_OUT = re.compile(r",[ \t]*\.\.\.[ \t]*(?=[,)\]])")
_MARKS = re.compile(r"\"\"\"|'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*")


def python_of(code: str) -> tuple[str, ast.Module] | None:
    """The first way to read it that is Python, with its tree; None if there is none."""
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    for text in _readings(code):
        if text.strip():
            try:
                return text, parse_python(text)
            except SyntaxError:
                continue
    return None


def _readings(code: str) -> Iterator[str]:
    lines = ["" if line.lstrip().startswith(("!", "%")) else line for line in code.split("\n")]
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    typed = _TYPED.match(first) is not None  # else such signs stand before what was printed
    if typed:
        yield "\n".join(_session(lines))
    plain = dedent("\n".join(lines))
    if not typed:
        yield plain
    yield dedent("\n".join("" if _PRINTED.match(line) else line for line in lines))
    yield _LEFT_OUT.sub("", _PLACEHOLDER.sub(lambda m: re.sub(r"\W", "_", m[1]).lower(), plain))


def _session(lines: Sequence[str]) -> Iterator[str]:
    """What was typed: behind a prompt, and on the lines after it as long as a bracket is open."""
    depth = 0
    for line in lines:
        if match := _TYPED.match(line) or _GOES_ON.match(line):
            line = line[match.end() :]
        elif depth <= 0:
            continue
        yield line
        bare = _MARKS.sub("", line)
        depth = max(0, depth) + sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
