"""Documents and their commands, kept: all together, and each document by its own content for when another one has changed."""

from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from ml_agent.repo.commands import Command, read_commands
from ml_agent.repo.documents.base import CodeBlock, Document, Section
from ml_agent.repo.files import FileTable
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.tree import HASH_BYTES, Tree, as_bytes
from ml_agent.repo.store.whole import Whole

_COMMAND = attrgetter(*(field.name for field in fields(Command)))
_BLOCK = attrgetter(*(field.name for field in fields(CodeBlock)))


def kept_documents(tree: Tree, store: Store, whole: Whole) -> tuple[Document, ...]:
    """What `read_documents` gives for these files."""

    def read(files: FileTable) -> Any:
        from ml_agent.repo.documents import is_document, read_document, read_documents

        keys = {path: _key(path, content) for path, content in tree.hashes.items() if is_document(path)}
        known = store.load("document", keys.values())
        new: dict[bytes, Any] = {}

        def read_one(files: FileTable, path: str) -> Document:
            key = keys.get(path)
            if key in known:
                return _document(known[key])
            document = read_document(files, path)
            if key is not None:
                new[key] = _data(document)
            return document

        found = [_data(document) for document in read_documents(files, read_one)]
        if tree.is_as_read():
            store.save("document", new)
        return found

    return tuple(map(_document, whole.kept("documents", read)))


def kept_commands(whole: Whole, documents: tuple[Document, ...]) -> tuple[Command, ...]:
    """What `read_commands` gives for these files; `documents` are all of theirs."""
    found = whole.kept("commands", lambda files: [_COMMAND(command) for command in read_commands(files, documents)])
    return tuple(Command(*data) for data in found)


def _key(path: str, content: bytes) -> bytes:
    return blake2b(as_bytes(path) + b"\0" + content, digest_size=HASH_BYTES).digest()


def _data(document: Document) -> Any:
    sections = [(s.line, s.headings, s.text, [_BLOCK(block) for block in s.blocks]) for s in document.sections]
    return document.path, document.note, sections


def _document(data: Any) -> Document:
    path, note, sections = data
    return Document(
        path,
        tuple(
            Section(path, line, headings, text, tuple(CodeBlock(*block) for block in blocks)) for line, headings, text, blocks in sections
        ),
        note,
    )
