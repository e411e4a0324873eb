"""The example of use that a docstring shows: lines behind `>>>`, or the code below `Example::` or between fences."""

import doctest
import re
import textwrap
from itertools import islice

from ml_agent.repo.pysource import parse_python

MAX_EXAMPLE = 4000
_HEAD = re.compile(
    r"^[ \t]*(?:#+[ \t]*)?(?:Examples?|Usage)(?: usage)?[ \t]*(?::{1,4}[ \t]*|::?[ \t]+::[ \t]*)?$", re.MULTILINE | re.IGNORECASE
)
_FENCED = re.compile(r"^([ \t]*)```([\w-]*)[ \t]*\n(.*?)\n[ \t]*```", re.MULTILINE | re.DOTALL)
_PYTHON = frozenset({"", "python", "py", "pycon"})
_MOST_HEADS = 20
_UNDERLINE = re.compile(r"\s*\n[ \t]*-{3,}[ \t]*\n")
_DIRECTIVE = re.compile(r"\s*\n[ \t]*\.\. code(?:-block)?:: *\w*[ \t]*\n")


def example_in(docstring: str) -> str:
    """Python code without prompts and results; empty if there is none, or it is no Python."""
    code = _prompted(docstring) if ">>>" in docstring else _fenced(docstring) or _below_heading(docstring)
    if not code.strip() or len(code) > MAX_EXAMPLE:
        return ""
    try:
        parse_python(code)
    except SyntaxError:
        return ""
    return code


def _prompted(docstring: str) -> str:
    lines = [line for line in docstring.split("\n") if re.match(r"\s*(?:>>>|\.\.\.)(?: |$)", line)]
    try:
        examples = doctest.DocTestParser().get_examples("\n".join(map(str.strip, lines)))
    except ValueError:
        return ""
    return "".join(example.source for example in examples)


def _fenced(docstring: str) -> str:
    found = next((block for block in _FENCED.finditer(docstring) if block[2].lower() in _PYTHON), None)
    return textwrap.dedent(found[1] + found[3].removeprefix(found[1])) + "\n" if found else ""


def _below_heading(docstring: str) -> str:
    """The indented block behind a line `Example::`, or the one behind `Examples` that is underlined."""
    for head in islice(_HEAD.finditer(docstring), _MOST_HEADS):
        rest = docstring[head.end() :]
        under = _UNDERLINE.match(rest) or _DIRECTIVE.match(rest)
        lines = rest[under.end() if under else 0 :].lstrip("\n").split("\n")
        indent = _indent(lines[0]) if lines else 0
        if under is None and indent <= _indent(head[0]):
            continue
        kept = []
        for line, below in zip(lines, [*lines[1:], ""], strict=True):
            if line.strip() and (_indent(line) < indent or re.fullmatch(r"\s*-{3,}\s*", below)):
                break
            kept.append(line)
        code = textwrap.dedent("\n".join(kept)).strip("\n")
        if re.search(r"\w\(", code):
            return code + "\n"
    return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
