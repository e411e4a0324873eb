"""BM25 over programs, commands and sections, kept by the very texts that it is made of: to take them apart takes longest."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from ml_agent.repo.lexical import LexicalIndex, tokenize
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.tree import HASH_BYTES, as_bytes

if TYPE_CHECKING:
    from ml_agent.repo.commands import Command
    from ml_agent.repo.documents import Section
    from ml_agent.repo.entrypoints import EntryPoint

_COMMANDS = 20
"""Documented commands of one program that tell what it does."""
_CODE = 4000
"""Characters of a block of code that count."""


def kept_index(texts: Iterable[Sequence[str]], store: Store) -> LexicalIndex:
    """BM25 over documents, each the tokens of several texts."""
    documents = [tuple(parts) for parts in texts]
    digest = blake2b(digest_size=HASH_BYTES)
    for parts in documents:
        digest.update(as_bytes("\0".join((f"{len(parts)}", *map(str, map(len, parts)), *parts))))
    key = digest.digest()
    known = store.load("words", [key]).get(key)
    if known is not None:
        return LexicalIndex.from_bytes(known)
    made = LexicalIndex([token for part in parts for token in tokenize(part)] for parts in documents)
    store.save("words", {key: made.to_bytes()})
    return made


def of_program(program: "EntryPoint", commands: Sequence["Command"]) -> tuple[str, ...]:
    """A program by its path, options, description, and the documents that run it."""
    options = (" ".join((option.name, option.help, *(option.choices or ()))) for option in program.options)
    documented = (" ".join((*command.headings, command.intro)) for command in commands[:_COMMANDS])
    return *[program.path] * 3, program.description, *options, *documented


def of_command(command: "Command") -> tuple[str, ...]:
    """A documented command by its words, headings, and the text above it."""
    return (" ".join((command.target, *command.words, *command.headings, command.intro, command.source.rpartition(":")[0])),)


def of_section(section: "Section") -> tuple[str, ...]:
    """A section by heading, prose and code."""
    code = (block.code[:_CODE] for block in section.blocks)
    return (" ".join((section.path, *section.headings, *section.headings[-1:], section.text, *code)),)
