"""The tool `write_file`: a whole file of the private copy."""

from typing import TypedDict

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.writing import private_place, write
from ml_agent.trajectory import Observation


class WriteFileData(TypedDict):
    path: str
    bytes: int
    created: bool
    """There was no such file before."""


class WriteFileArguments(Arguments):
    path: Text = Field(description="The file, relative to the root. Folders above it are made.")
    content: Text = Field(max_length=2_000_000, description="All of its text; written as UTF-8, line ends as given.")


class WriteFile(Tool[WriteFileArguments]):
    """Write a whole file in the private copy of the repository, for trying something out with `run`.

    The user's repository is never changed: an answer must not need a file that was written here.
    """

    name = "write_file"
    restores = True
    arguments = WriteFileArguments

    def call(self, arguments: WriteFileArguments, context: Context) -> Observation:
        try:
            content = arguments.content.encode()
        except UnicodeEncodeError as error:
            raise ToolError(f"the content holds {arguments.content[error.start]!r}, which is no character") from error
        path, place = private_place(context.workspace, arguments.path)
        data: WriteFileData = {"path": path, "bytes": len(content), "created": not place.exists()}
        write(place, content, path)
        return Observation(f"{'created' if data['created'] else 'replaced'} {path}, {len(content)} bytes", data)
