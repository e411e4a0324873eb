"""The tool `read_readme`: what the documents of the repository say."""

from collections.abc import Iterable
from typing import TypedDict

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.repo.documents import Document, Section
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.paths import relative
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation


class BlockData(TypedDict):
    language: str
    code: str
    line: int
    intro: str


class SectionData(TypedDict):
    path: str
    line: int
    headings: list[str]
    text: str
    blocks: list[BlockData]
    score: float
    """How well it fits the query, 0 without one."""


class ReadReadmeData(TypedDict):
    documents: list[str]
    """Paths of all documents, the root's README first."""
    sections: list[SectionData]


class ReadReadmeArguments(Arguments):
    path: Text | None = Field(None, description="A document to read, relative to the root.")
    query: Text | None = Field(None, description="Words to look for: the sections that fit best, of `path` or of all documents.")
    limit: int = Field(20, ge=1, le=500, description="Most sections to return.")


class ReadReadme(Tool[ReadReadmeArguments]):
    """Read the documents of the repository (README and docs) as sections with their code blocks and line numbers.

    Without arguments: the README of the root, and the list of all documents. With `path`: that document. With `query`: the
    sections of all documents that fit the words best. Start here: READMEs show how the programs are meant to be run.
    """

    name = "read_readme"
    arguments = ReadReadmeArguments

    def call(self, arguments: ReadReadmeArguments, context: Context) -> Observation:
        index = context.workspace.index
        path = None if arguments.path is None else relative(arguments.path)
        chosen = [d for d in index.documents if d.path == path]
        if path is not None and not chosen:
            raise ToolError(f"{path!r} is no document; without arguments all documents are listed, and read_file reads any file")
        sections: Iterable[tuple[float, Section]]
        if arguments.query is not None:
            found = index.search_sections(arguments.query, arguments.limit if path is None else len(index.sections))
            sections = [(score, s) for score, s in found if path in (None, s.path)]
        else:
            chosen = chosen or [d for d in index.documents if _root_readme(d)][:1]
            sections = [(0.0, s) for d in chosen for s in d.sections]
        sections = list(sections)
        shown = sections[: arguments.limit]
        data: ReadReadmeData = {"documents": [d.path for d in index.documents], "sections": [_data(s, score) for score, s in shown]}
        return Observation(self._text(arguments, index.documents, chosen, [s for _, s in shown], len(sections)), data)

    def _text(
        self, arguments: ReadReadmeArguments, documents: tuple[Document, ...], chosen: list[Document], shown: list[Section], count: int
    ) -> str:
        parts = []
        if arguments.query is not None:
            parts.append(f"sections that fit {arguments.query!r}" if shown else f"no section fits {arguments.query!r}")
        elif not chosen:
            parts.append("the root has no README")
        parts += [f"{d.path}: {d.note}" for d in chosen if d.note]
        parts += [_render(s) for s in shown]
        if count > len(shown):
            parts.append(f"[{count - len(shown)} sections more; raise limit to see them]")
        if (arguments.path is None and arguments.query is None) or not shown:
            listed = "\n".join(f"  {d.path}" for d in documents[:100])
            more = f"\n  and {len(documents) - 100} more" if len(documents) > 100 else ""
            parts.append(f"documents:\n{listed}{more}" if documents else "there are no documents")
        return cap("\n\n".join(parts), hint="give query or path to read less at a time")


def _root_readme(document: Document) -> bool:
    return "/" not in document.path and document.path.lower().startswith("readme")


def _data(section: Section, score: float) -> SectionData:
    blocks: list[BlockData] = [{"language": b.language, "code": b.code, "line": b.line, "intro": b.intro} for b in section.blocks]
    headings = list(section.headings)
    return {"path": section.path, "line": section.line, "headings": headings, "text": section.text, "blocks": blocks, "score": score}


def _render(section: Section) -> str:
    title = " > ".join(section.headings) or "(before the first heading)"
    parts = [f"## {title}  [{section.path}:{section.line}]", section.text.strip()]
    for block in section.blocks:
        code = "\n".join("    " + line for line in block.code.splitlines())
        parts.append(f"{block.language or 'code'} at line {block.line}:\n{code}")
    return "\n".join(p for p in parts if p)
