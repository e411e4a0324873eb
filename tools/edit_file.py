"""The tool `edit_file`: replace a piece of text in a file of the private copy."""

import stat
from typing import TypedDict

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.paths import no_such_file
from ml_agent.tools.replace import replace
from ml_agent.tools.text import cap
from ml_agent.tools.writing import private_place, write
from ml_agent.trajectory import Observation

FILE_BYTES = 20_000_000


class EditFileData(TypedDict):
    path: str
    lines: list[int]
    """Where the replaced texts began, counted before the edit."""


class EditFileArguments(Arguments):
    path: Text = Field(description="The file, relative to the root.")
    old: Text = Field(description="The text to replace, exactly as it stands in the file, indentation included, without line numbers.")
    new: Text = Field(description="The text to put in its place.")
    all: bool = Field(False, description="Replace every occurrence; otherwise `old` has to stand in the file exactly once.")


class EditFile(Tool[EditFileArguments]):
    """Replace an exact piece of text in a file of the private copy. Line endings, encoding and final newline are kept.

    The user's repository is never changed: an answer must not need an edit that was made here.
    """

    name = "edit_file"
    restores = True
    arguments = EditFileArguments

    def call(self, arguments: EditFileArguments, context: Context) -> Observation:
        path, place = private_place(context.workspace, arguments.path)
        try:
            status = place.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > FILE_BYTES:
                raise ToolError(f"{path!r} is too large to edit, or not a regular file")
            content = place.read_bytes()
        except FileNotFoundError:
            raise no_such_file(context.workspace.index.files, path) from None
        except OSError as error:
            raise ToolError(f"cannot read {path!r}: {error.strerror}") from error
        try:
            python = path.endswith((".py", ".pyi", ".pyw"))
            content, lines = replace(content, arguments.old, arguments.new, every=arguments.all, python=python)
        except ToolError as error:
            raise ToolError(cap(f"{path}: {error}")) from error
        write(place, content, path)
        data: EditFileData = {"path": path, "lines": lines}
        return Observation(f"replaced in {path} at line {', '.join(map(str, lines[:20]))}{' ...' if len(lines) > 20 else ''}", data)
