"""The tool `file_tree`: what files there are."""

from typing import TypedDict

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.paths import relative, under
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation


class FileData(TypedDict):
    path: str
    size: int
    """Bytes."""


class SkippedData(TypedDict):
    path: str
    reason: str


class FileTreeData(TypedDict):
    files: list[FileData]
    """Down to the depth that was asked for."""
    folders: list[str]
    skipped: list[SkippedData]


class FileTreeArguments(Arguments):
    folder: Text = Field(".", description="Folder to list, relative to the root.")
    depth: int = Field(2, ge=1, le=50, description="How many levels of folders to list; 1 lists the folder's own files and folders only.")


class FileTree(Tool[FileTreeArguments]):
    """List the files and folders of the repository with their sizes, down to a depth.

    What git ignores is left out; what could not be read is listed with the reason.
    """

    name = "file_tree"
    arguments = FileTreeArguments

    def call(self, arguments: FileTreeArguments, context: Context) -> Observation:
        table, folder = context.workspace.index.files, relative(arguments.folder)
        if table.is_file(folder):
            raise ToolError(f"{folder!r} is a file; read_file reads it")
        if folder != "." and not table.is_folder(folder):
            raise ToolError(f"there is no folder {folder!r}")
        above = 0 if folder == "." else folder.count("/") + 1
        files: list[FileData] = []
        counts: dict[str, int] = {}
        for file in table.files:
            if not under(file.path, folder):
                continue
            parts = file.path.split("/")
            if len(parts) - above <= arguments.depth:
                files.append({"path": file.path, "size": file.size})
            for end in range(above + 1, min(len(parts), above + arguments.depth + 1)):
                inner = "/".join(parts[:end])
                counts[inner] = counts.get(inner, 0) + 1
        skipped: list[SkippedData] = [{"path": s.path, "reason": s.reason} for s in table.skipped if under(s.path, folder)]
        entries = {f["path"]: f"{f['path']}  {_size(f['size'])}" for f in files}
        entries |= {path: f"{path}/  {count} files" for path, count in counts.items()}
        lines = [entries[path] for path in sorted(entries, key=lambda p: p.split("/"))]
        lines += [f"{s['path']}  not read: {s['reason']}" for s in skipped]
        data: FileTreeData = {"files": files, "folders": sorted(counts), "skipped": skipped}
        return Observation(cap("\n".join(lines) or "no files", hint="give a folder or a smaller depth"), data)


def _size(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
