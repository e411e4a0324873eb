"""Small repositories for these tests."""

import textwrap
from pathlib import Path

from ml_agent.repo.entrypoints import EntryPoint, Option, read_entry_points
from ml_agent.repo.files import walk

HYDRA = """
import hydra

@hydra.main(config_path="conf", config_name="config")
def main(cfg):
    pass

if __name__ == "__main__":
    main()
"""


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text), encoding="utf-8")


def read_all(root: Path, files: dict[str, str]) -> dict[str, EntryPoint]:
    """The entry points of a repository with these files, by path."""
    write(root, files)
    return {e.path: e for e in read_entry_points(walk(root))}


def read_program(root: Path, text: str, path: str = "train.py", **others: str) -> EntryPoint:
    """The entry point of one file; `others` are modules beside it."""
    return read_all(root, {path: text, **{f"{name}.py": code for name, code in others.items()}})[path]


def names(entry: EntryPoint) -> list[str]:
    return [o.name for o in entry.options if o.action != "help"]


def option(entry: EntryPoint, spelling: str) -> Option:
    """The option of that spelling; a test that asks for one that is not there fails."""
    found = entry.option(spelling)
    assert found is not None, names(entry)
    return found
