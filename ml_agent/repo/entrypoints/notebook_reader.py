"""Notebooks as programs: without options, but for the parameters that papermill can set (`papermill IN OUT -p NAME VALUE`)."""

import ast
import json
from typing import Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.files import FileTable
from ml_agent.repo.pysource import parse_python, unparse

MAX_BYTES = 5_000_000
MAX_PARAMETERS = 200


def read_notebook(files: FileTable, path: str) -> EntryPoint | None:
    """None if it is no notebook that can be read. `source` names the cell by the line of its first parameter in the file."""
    try:
        text = files.read(path, MAX_BYTES)
        data: Any = json.loads(text.text) if not text.cut and not text.binary else None
    except (OSError, ValueError, RecursionError):
        return None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        return None
    options: list[Option] = []
    for cell in cells:
        tags = cell.get("metadata", {}).get("tags", ()) if isinstance(cell, dict) and isinstance(cell.get("metadata"), dict) else ()
        if isinstance(tags, list) and "parameters" in tags and cell.get("cell_type") == "code":
            options = _parameters(_source(cell.get("source")), path, text.text)
            break
    return EntryPoint(
        path, "notebook", ("jupyter", "nbconvert", "--to", "notebook", "--execute", path), tuple(options),
        prefixes=False, flag_style="papermill",
    )  # fmt: skip


def _source(value: Any) -> str:
    return "".join(v for v in value if isinstance(v, str)) if isinstance(value, list) else value if isinstance(value, str) else ""


def _parameters(code: str, path: str, text: str) -> list[Option]:
    try:
        tree = parse_python(code)
    except SyntaxError:
        return []
    found: list[Option] = []
    for node in tree.body[:MAX_PARAMETERS]:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(target, ast.Name) and value is not None:
            kind = type(value.value).__name__ if isinstance(value, ast.Constant) and value.value is not None else None
            at = text.find(target.id)
            line = text.count("\n", 0, at) + 1 if at >= 0 else 1
            found.append(Option(f"-p {target.id}", (f"-p {target.id}",), f"{path}:{line}", kind, unparse(value)))
    return found
