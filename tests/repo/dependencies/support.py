"""A repository of a few files, read."""

from collections.abc import Mapping
from pathlib import Path

from ml_agent.repo.dependencies import Declarations, read_declarations
from ml_agent.repo.files import walk


def declared(root: Path, files: Mapping[str, str | bytes]) -> Declarations:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_declarations(walk(root))


def brief(found: Declarations) -> dict[str, str]:
    """`name specifier` -> `place group`."""
    return {f"{d.name}{d.specifier}": f"{d.place} {d.group}".strip() for d in found.requirements}
