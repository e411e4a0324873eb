"""Which files are documents, in which order, and what becomes of those that cannot be read."""

import json
import os
from pathlib import Path

import pytest

from ml_agent.repo import documents as module
from ml_agent.repo.documents import is_document, markdown, read_document, read_documents
from ml_agent.repo.files import walk

DOCUMENTS = """
README README.md readme.MD ReadMe.txt README_zh.md README.zh README-cn.rst a/b/README.org README.adoc README.1st docs/x.rst notes.org
a.markdown tutorial.ipynb INSTALL INSTALL.txt usage.txt docs/anything.txt a/doc/b.txt CONTRIBUTING.md
"""
OTHERS = """
requirements.txt docs/requirements.txt CMakeLists.txt vocab.txt data/corpus.txt docs/vocab.txt LICENSE LICENSE.txt train.py README.py
readme_utils.py README.png readmes/x.txt myreadme.txt .md Makefile docs/conf.py README.html config.yaml org
"""


@pytest.mark.parametrize("path", DOCUMENTS.split())
def test_documents(path: str) -> None:
    assert is_document(path)


@pytest.mark.parametrize("path", OTHERS.split())
def test_no_documents(path: str) -> None:
    assert not is_document(path)


def put(root: Path, path: str, content: bytes | str = "x") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(content.encode() if isinstance(content, str) else content)


def test_the_nearest_readme_comes_first(tmp_path: Path) -> None:
    paths = ["a/b/README.md", "CHANGES.md", "README_zh.md", "README.md", "a/README.rst", "docs/guide.rst", "train.py"]
    for path in paths:
        put(tmp_path, path)
    found = [document.path for document in read_documents(walk(tmp_path))]
    assert found == ["README.md", "README_zh.md", "a/README.rst", "a/b/README.md", "CHANGES.md", "docs/guide.rst"]


def test_each_format_has_its_reader(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "```sh\nrun\n```")
    put(tmp_path, "a.rst", ".. code:: sh\n\n  run")
    put(tmp_path, "a.org", "#+begin_src sh\nrun\n#+end_src")
    put(tmp_path, "README", "$ run")
    put(tmp_path, "a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": ["%%sh\n", "run"]}]}))
    documents = read_documents(walk(tmp_path))
    assert [(document.path, document.blocks[0].code.removeprefix("$ "), document.blocks[0].path) for document in documents] == [
        (path, "run", path) for path in ("README", "a.ipynb", "a.md", "a.org", "a.rst")
    ]


def test_lines_in_a_file_with_windows_line_endings_and_a_mark(tmp_path: Path) -> None:
    put(tmp_path, "README.md", b"\xef\xbb\xbf---\r\na: b\r\n---\r\n# T\r\n\r\n- x\r\n  ```sh\r\n  a\r\n  b\r\n  ```\r\n")
    (document,) = read_documents(walk(tmp_path))
    (block,) = document.blocks
    assert (block.code, block.line, block.headings, block.intro) == ("a\nb", 8, ("T",), "x")
    assert document.sections[0].line == 4


def test_what_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    contents: dict[str, str | bytes] = {
        "README.md": "ok",
        "a.md": b"\0\1\2",
        "b.ipynb": "{",
        "c.md": "gone",
        "d.md": "x" * 600_000,
        "e.rst": "a\n\n" * 20_000,
    }
    for path, content in contents.items():
        put(tmp_path, path, content)
    files = walk(tmp_path)
    (tmp_path / "c.md").unlink()
    notes = {document.path: document.note for document in read_documents(files)}
    assert notes == {
        "README.md": "",
        "a.md": "not read: binary",
        "b.ipynb": "not a notebook: no list of cells",
        "c.md": "cannot be read: 'c.md' is not a file inside the repository",
        "d.md": "cut: the last 75,712 bytes were not read",
        "e.rst": "cut: of 40,000 lines the first 20,000 were read",
    }


def test_a_parser_that_fails_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError

    put(tmp_path, "README.md")
    monkeypatch.setattr(markdown, "read_markdown", fail)
    assert read_document(walk(tmp_path), "README.md").note == "read in part: RecursionError"


def test_all_documents_together_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TOTAL", 10)
    for path in ("README.md", "a.md", "b.md"):
        put(tmp_path, path, "12345")
    put(tmp_path, "c.ipynb", '{"cells": []}')
    notes = [document.note for document in read_documents(walk(tmp_path))]
    assert notes == ["", "", "not read: the documents before it are too large together", ""]


def test_a_name_that_does_not_decode(tmp_path: Path) -> None:
    put(tmp_path, os.fsdecode(b"\xff.md"), "# T")
    (document,) = read_documents(walk(tmp_path))
    assert os.fsencode(document.path) == b"\xff.md"
    assert document.sections[0].headings == ("T",)
