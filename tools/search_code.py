"""The tool `search_code`: pieces of code by words and by meaning."""

from typing import TYPE_CHECKING

from pydantic import Field

from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.hits import search
from ml_agent.trajectory import Observation

if TYPE_CHECKING:
    from ml_agent.repo.chunks import Kind

CODE: "tuple[Kind, ...]" = ("code",)


class SearchCodeArguments(Arguments):
    query: Text = Field(min_length=1, description="What the code does or is about, in words; names in it count too.")
    limit: int = Field(8, ge=1, le=100, description="Most pieces to return.")
    per_file: int = Field(2, ge=1, le=20, description="Most pieces of one file.")


class SearchCode(Tool[SearchCodeArguments]):
    """Find pieces of source code, scripts and configuration files by what they do, in words, with file and line numbers.

    Use it if you do not know a name; search_symbols finds names, and grep finds exact text.
    """

    name = "search_code"
    arguments = SearchCodeArguments

    def call(self, arguments: SearchCodeArguments, context: Context) -> Observation:
        return search(context.workspace.index, arguments.query, CODE, arguments.limit, arguments.per_file)
