"""Run one reader over a text."""

from collections.abc import Callable

from ml_agent.repo.documents.base import CodeBlock, Document
from ml_agent.repo.documents.builder import Builder


def read(reader: Callable[[Builder, str], None], text: str) -> Document:
    builder = Builder("doc")
    reader(builder, text)
    return builder.document()


def only(document: Document) -> CodeBlock:
    (block,) = document.blocks
    return block


def prose(document: Document) -> str:
    return "\n".join(section.text for section in document.sections)


def found_at(text: str, block: CodeBlock) -> bool:
    """Whether the block's lines stand in the text from the block's line on, whatever is in front of each."""
    lines = text.replace("\N{NO-BREAK SPACE}", " ").split("\n")[block.line - 1 :]  # code has plain spaces
    rows = block.code.split("\n")
    return len(lines) >= len(rows) and all(line.rstrip().endswith(row.strip()) for line, row in zip(lines, rows, strict=False))
