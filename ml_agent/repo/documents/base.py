"""What documents are made of: sections and code blocks, each with the line it stands on."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A block of code in a document, or one code cell of a notebook."""

    language: str
    """Lower case as declared (`bash`, `python`, `console`), `""` if none was declared."""
    code: str
    path: str
    line: int
    """Of its first line of code, from 1. In a notebook: the line of the file where the cell's source begins."""
    headings: tuple[str, ...] = ()
    """The headings above it, outermost first."""
    intro: str = ""
    """The paragraph directly above it, at most 500 characters."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the prose below it, up to the next heading of any level."""

    path: str
    line: int
    headings: tuple[str, ...]
    """From the document's title to this section's own; empty before the first heading."""
    text: str
    """The prose without code blocks and markup of images; inline code keeps its text."""
    blocks: tuple[CodeBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    path: str
    sections: tuple[Section, ...] = field(default=())
    note: str = ""
    """What went wrong or was cut while reading, one line; empty if nothing."""

    @property
    def blocks(self) -> tuple[CodeBlock, ...]:
        return tuple(b for s in self.sections for b in s.blocks)
