"""The tool `search_docs`: pieces of documents by words and by meaning."""

from typing import TYPE_CHECKING

from pydantic import Field

from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.hits import search
from ml_agent.trajectory import Observation

if TYPE_CHECKING:
    from ml_agent.repo.chunks import Kind

DOCUMENT: "tuple[Kind, ...]" = ("document",)


class SearchDocsArguments(Arguments):
    query: Text = Field(min_length=1, description="What is looked for, in words.")
    limit: int = Field(8, ge=1, le=100, description="Most pieces to return.")
    per_file: int = Field(4, ge=1, le=20, description="Most pieces of one document.")


class SearchDocs(Tool[SearchDocsArguments]):
    """Find the passages of READMEs, documentation and notebooks that fit words best, code blocks included, with file and line.

    read_readme shows whole sections of a document.
    """

    name = "search_docs"
    arguments = SearchDocsArguments

    def call(self, arguments: SearchDocsArguments, context: Context) -> Observation:
        return search(context.workspace.index, arguments.query, DOCUMENT, arguments.limit, arguments.per_file)
