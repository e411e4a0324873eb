"""Markdown as GitHub reads it: CommonMark with tables and front matter, and the HTML inside it."""

import re
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from ml_agent.repo.documents.builder import Builder, language_of
from ml_agent.repo.documents.htmltext import read_html

_FRONT_MATTER_LINES = 300
_LONGEST = 20_000
"""Longer paragraphs keep their markup: they are data, or made to cost the square of their length."""
_KEY = re.compile(r"^[\w-]+\s*:")
_MARKUP = re.compile(r"[\\`*_\[\]<&!~]")
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)
_DEEPEST = 4
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.core.ruler.disable("inline")  # done below, paragraph by paragraph
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("strikethrough")


def read_markdown(builder: Builder, text: str, depth: int = 0) -> None:
    """Feed a Markdown text to the builder. `depth`: how many indented parts it stands in."""
    heading: tuple[int, int] | None = None
    row: list[str] | None = None
    environment: dict[str, Any] = {}
    for token in _parser().parse(_without_front_matter(text), environment):
        line = token.map[0] + 1 if token.map else 1
        match token.type:
            case "fence":
                builder.code(language_of(token.info), token.content, line + 1)
            case "code_block" if depth < _DEEPEST and _FENCE.search(token.content):
                _indented(builder, token.content, line, depth + 1)
            case "code_block":
                builder.code("", token.content, line)
            case "html_block":
                read_html(builder, token.content, line)
            case "heading_open":
                heading = (int(token.tag[1:]), line)
            case "heading_close":
                heading = None
            case "tr_open":
                row = []
            case "tr_close":
                builder.prose(" | ".join(row or []), introduces=False)
                row = None
            case "inline":
                words = _inline_text(token.content, environment)
                if heading:
                    builder.heading(heading[0], words, heading[1])
                elif row is not None:
                    row.append(words)
                else:
                    builder.prose(words)


def _indented(builder: Builder, text: str, line: int, depth: int) -> None:
    """What is indented and has fences is no code: the tabs and remarks of MkDocs (`=== "Tab"`, `!!! note`) hold text."""
    outer = builder.line_of
    builder.line_of = lambda inner: outer(inner + line - 1)
    read_markdown(builder, text, depth)
    builder.line_of = outer


def _inline_text(source: str, environment: dict[str, Any]) -> str:
    """What a reader sees of a paragraph: link texts and code without their marks, no pictures, no comments."""
    if not _MARKUP.search(source) or len(source) > _LONGEST:
        return source
    parts: list[str] = []
    for token in _inline_parser().parseInline(source, environment):
        for child in token.children or ():
            if child.type in ("text", "code_inline"):
                parts.append(child.content)
            elif child.type in ("softbreak", "hardbreak") or (child.type == "html_inline" and _BREAK.match(child.content)):
                parts.append("\n")
    return "".join(parts)


def _without_front_matter(text: str) -> str:
    """Blank out a YAML block at the beginning; the lines keep their numbers."""
    if not text.startswith("---\n"):
        return text
    lines = text.split("\n", _FRONT_MATTER_LINES)
    end = next((i for i, line in enumerate(lines[1:_FRONT_MATTER_LINES], 1) if line.rstrip() in ("---", "...")), 0)
    if not end or not any(_KEY.match(line) for line in lines[1:end]):
        return text
    return "\n" * (end + 1) + "\n".join(lines[end + 1 :])
