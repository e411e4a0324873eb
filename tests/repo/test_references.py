from pathlib import Path

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.references import MAX_IMPORTS, References, read_references


def references(root: Path, files: dict[str, str]) -> References:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    index = RepoIndex(root)
    return read_references(index.documents, index.commands, index.modules)


BAND = {
    "band/__init__.py": "from band.drums import Drum\n",
    "band/drums.py": "class Drum:\n    pass\n",
    "band/strings/harp.py": "def pluck():\n    pass\n",
    "play.py": "import sys\n\nif __name__ == '__main__':\n    print(sys.argv)\n",
}


def document(code: str, language: str = "python") -> str:
    return f"# Band\n\nHow to play:\n\n```{language}\n{code}\n```\n"


def test_what_documents_import_and_where_it_is_defined(tmp_path: Path) -> None:
    code = """import os
import band
from band import (
    Drum,
    nothing,
)
>>> from band.strings.harp import pluck as p  # pluck
import torch, band.drums"""
    found = references(tmp_path, {**BAND, "README.md": document(code)})
    assert found["README.md"] == [
        (7, "band/__init__.py"),
        (8, "band/__init__.py"),
        (8, "band/drums.py"),
        (12, "band/strings/harp.py"),
    ]


def test_what_documents_and_scripts_run(tmp_path: Path) -> None:
    found = references(
        tmp_path, {**BAND, "README.md": document("cd .\npython play.py --loud", "bash"), "run.sh": "#!/bin/sh\n\npython play.py\n"}
    )
    assert found == {"README.md": [(7, "play.py")], "run.sh": [(3, "play.py")]}


def test_a_text_that_uses_nothing_is_not_there(tmp_path: Path) -> None:
    assert references(tmp_path, {**BAND, "README.md": document("from nowhere import x\nimport sys\nprint('important')")}) == {}
    assert references(tmp_path, {"README.md": ""}) == {}


def test_a_document_of_imports_alone_is_bounded(tmp_path: Path) -> None:
    found = references(tmp_path, {**BAND, "README.md": document("from band import Drum\n" * 5_000)})
    assert len(found["README.md"]) == MAX_IMPORTS
