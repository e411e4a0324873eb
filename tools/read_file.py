"""The tool `read_file`: some lines of a file."""

from typing import TypedDict

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import TEXT_LIMIT, Context, Tool
from ml_agent.tools.paths import read_text, relative
from ml_agent.tools.text import cap, numbered
from ml_agent.trajectory import Observation


class ReadFileData(TypedDict):
    path: str
    start: int
    end: int
    """The last line returned; `start - 1` if there is none."""
    total_lines: int
    """Of what could be read: a file over the size limit is read from its beginning only."""
    text: str
    """The lines, joined by a newline."""
    encoding: str


class ReadFileArguments(Arguments):
    path: Text = Field(description="The file, relative to the root.")
    start: int = Field(1, ge=1, description="First line to return, from 1.")
    lines: int = Field(200, ge=1, le=5000, description="How many lines to return.")


class ReadFile(Tool[ReadFileArguments]):
    """Read lines of a text file, each with its number in front. The number and the tab are not part of the file."""

    name = "read_file"
    arguments = ReadFileArguments

    def call(self, arguments: ReadFileArguments, context: Context) -> Observation:
        path, start = relative(arguments.path), arguments.start
        content = read_text(context.workspace, path)
        if content.binary:
            raise ToolError(f"{path!r} is not a text file")
        total = len(content.lines)
        if start > max(total, 1):
            raise ToolError(f"{path!r} has {total} lines; start is {start}")
        lines = content.lines[start - 1 : start - 1 + arguments.lines]
        end = start - 1 + len(lines)
        data: ReadFileData = {
            "path": path, "start": start, "end": end, "total_lines": total, "text": "\n".join(lines), "encoding": content.encoding,
        }  # fmt: skip
        note = f"\n[lines {start} to {end} of {total}]" if lines else "[the file is empty]"
        if content.cut:
            note += f"\n[the file is too large: its last {content.cut} bytes were not read; grep finds no more of it either]"
        text = cap(numbered(lines, start), TEXT_LIMIT - len(note), "give start and fewer lines")
        return Observation(text + note, data)
