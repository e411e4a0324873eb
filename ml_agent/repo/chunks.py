"""A repository's text in pieces that are small enough to be found by: code, documents, programs, symbols.

A piece depends on its own file alone (and a program's on the commands that run it), so a changed file changes no other's pieces.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Literal, Protocol

from ml_agent.repo.commands import Command
from ml_agent.repo.documents import Document, Section
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.files import FileTable
from ml_agent.repo.references import References

Kind = Literal["code", "document", "entrypoint", "symbol"]
KINDS: tuple[Kind, ...] = ("document", "entrypoint", "code", "symbol")

CODE_CHARACTERS = 600
PROSE_CHARACTERS = 800
"""Of a piece, title included, so that 256 tokens hold it: 19 of 20 pieces of code have more than 2.3 characters a token, of prose 3.1."""
PROGRAM_CHARACTERS = 20_000
"""Of a program's piece, all of which is found by words; its vector is of how it is started and what is said of it."""
MAX_CODE_BYTES = 1_000_000
"""Of a source file that is cut; a longer one is data or was made by a program."""
MAX_LINE = 2_000
"""Characters of an average line from which on a file is minified or data."""
_ATTACHED = 200
"""Characters in front of a definition (decorators, comments) that stay with it."""
_BODY = 2
"""Lines that a definition has after its first one, if it is a piece by itself."""
_NESTED = 20
"""Levels of definitions inside definitions that are told apart."""
_SHOWN = 200
_DATA = frozenset({"key", "field"})
"""Kinds of definitions that are many and say little by themselves; their text is found as code."""
_COMMANDS = 20
_USES = 16

CODE_SUFFIXES = frozenset(
    ".py .pyi .pyw .pyx .sh .bash .c .cc .cpp .cxx .h .hh .hpp .hxx .cu .cuh .java .js .jsx .mjs .ts .tsx .go .rs .jl .r .lua .m .pl "
    ".scala .kt .swift .rb .yaml .yml .toml .gin .cfg .ini .json".split()
)
CODE_NAMES = frozenset(("Makefile", "Dockerfile", "makefile", "GNUmakefile"))


class Definition(Protocol):
    """A named piece of code; any object with these attributes."""

    @property
    def path(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def end_line(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of text. Lines count from 1, the last one included."""

    kind: Kind
    path: str
    line: int
    end_line: int
    title: str
    """What it is: names of definitions, headings, the command that starts a program. Without the path."""
    text: str
    uses: tuple[str, ...] = ()
    """The files that it shows how to run or import."""

    @property
    def source(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def content(self) -> str:
        """What is searched: path, title and text, without the line, so that text which moves down stays the same piece."""
        return f"{self.path} {self.title}\n{self.text}"

    @property
    def id(self) -> str:
        """The hash of `content`, 32 hexadecimal digits: equal pieces have equal ids, whatever repository they are in."""
        return blake2b(self.content.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def read_chunks(
    files: FileTable,
    documents: Iterable[Document],
    entry_points: Iterable[EntryPoint],
    commands_of: Mapping[str, Sequence[Command]],
    definitions: Iterable[Definition],
    references: References,
) -> tuple[Chunk, ...]:
    """All pieces of a repository in a fixed order: documents, programs, then code and symbols file by file.

    `commands_of`: the documented commands by the file that they run.
    """
    by_path: dict[str, list[Definition]] = defaultdict(list)
    for definition in definitions:
        by_path[definition.path].append(definition)
    chunks = [chunk for document in documents for chunk in document_chunks(document)]
    chunks += (entry_point_chunk(entry, commands_of.get(entry.path, ())) for entry in entry_points)
    for file in files.files:
        if is_code(file.path) and file.size <= MAX_CODE_BYTES:
            try:
                lines = files.read(file.path).lines
            except OSError:
                continue  # it is gone since the walk
            found = by_path.get(file.path, [])
            chunks += code_chunks(file.path, lines, found)
            chunks += symbol_chunks(file.path, lines, found)
    return tuple(_with_uses(chunk, references) for chunk in chunks)


def _with_uses(chunk: Chunk, references: References) -> Chunk:
    if chunk.kind not in ("document", "code") or chunk.path not in references:
        return chunk
    used = dict.fromkeys(target for line, target in references[chunk.path] if chunk.line <= line <= chunk.end_line)
    return replace(chunk, uses=tuple(used)[:_USES])


def is_code(path: str) -> bool:
    """Whether a path names source code or a configuration."""
    pure = PurePosixPath(path)
    return pure.suffix.lower() in CODE_SUFFIXES or pure.name in CODE_NAMES


def document_chunks(document: Document) -> Iterator[Chunk]:
    """The sections of a document, long ones in several pieces, each with all headings above it."""
    for section in document.sections:
        title = " > ".join(section.headings)[: PROSE_CHARACTERS // 4]
        room = max(PROSE_CHARACTERS // 2, PROSE_CHARACTERS - len(title) - len(section.path) - 2)
        for first, last, text in _windows(_lines_of(section), room):
            yield Chunk("document", section.path, first, max(first, last), title, text)


def _lines_of(section: Section) -> list[tuple[int, str]]:
    """A section's prose and code in the order that they are searched, each line with its number; prose knows only where it begins."""
    lines = [(section.line, line) for line in section.text.split("\n")]
    for block in section.blocks:
        lines += ((block.line + i, line) for i, line in enumerate(block.code.split("\n")))
    return lines


def entry_point_chunk(entry: EntryPoint, commands: Sequence[Command] = ()) -> Chunk:
    """A program: how it is started, what it says of itself, what documents say where they run it, and its options."""
    said: dict[str, None] = {}
    for command in commands[:_COMMANDS]:
        said |= dict.fromkeys(filter(None, (" > ".join(command.headings[-2:]), command.intro)))
    parts = [entry.description, *said, *(_option_line(option) for option in (*entry.options, *entry.environment))]
    text = "\n".join(part for part in parts if part)[:PROGRAM_CHARACTERS]
    return Chunk("entrypoint", entry.path, entry.line, entry.line, " ".join(entry.run), text)


def _option_line(option: Option) -> str:
    words = [" ".join(option.aliases)]
    if option.choices:
        words.append("{" + ",".join(option.choices) + "}")
    if option.help:
        words.append(option.help)
    return " ".join(words)[:_SHOWN]


def symbol_chunks(path: str, lines: Sequence[str], definitions: Iterable[Definition]) -> Iterator[Chunk]:
    """One line for each definition: what it is, its name behind those of what it stands in, and the line on which it stands."""
    around: list[Definition] = []
    for definition in sorted(definitions, key=lambda d: (d.line, -d.end_line, d.name)):
        while around and around[-1].end_line < definition.line:
            around.pop()
        if definition.kind not in _DATA and 0 < definition.line <= len(lines):
            name = ".".join([*(outer.name for outer in around[-_NESTED:]), definition.name])
            shown = lines[definition.line - 1].strip()[:_SHOWN]
            yield Chunk("symbol", path, definition.line, definition.end_line, f"{definition.kind} {name}"[:_SHOWN], shown)
        around.append(definition)


def code_chunks(path: str, lines: Sequence[str], definitions: Iterable[Definition]) -> Iterator[Chunk]:
    """A file's code, cut where definitions begin and end; what is longer than a piece is cut inside, where its inner definitions are."""
    if not lines or sum(map(len, lines)) > MAX_LINE * len(lines):
        return
    spans = sorted(
        (
            (max(1, d.line), min(len(lines), d.end_line), d.name)
            for d in definitions
            if d.end_line - d.line >= _BODY and d.line <= len(lines)
        ),
        key=lambda span: (span[0], -span[1], span[2]),
    )
    yield from _cut(path, lines, 1, len(lines), (), spans)


def _cut(
    path: str, lines: Sequence[str], first: int, last: int, names: tuple[str, ...], spans: Sequence[tuple[int, int, str]]
) -> Iterator[Chunk]:
    """The pieces of lines `first` to `last`; `spans` are the definitions inside, outer ones before their inner ones."""
    title = ".".join(names)[:_SHOWN]
    room = max(CODE_CHARACTERS // 2, CODE_CHARACTERS - len(path) - len(title) - 2)
    if not spans or len(names) >= _NESTED or _length(lines, first, last) <= room:
        numbered = [(number, lines[number - 1]) for number in range(first, last + 1)]
        yield from (Chunk("code", path, a, b, title, text) for a, b, text in _windows(numbered, room))
        return
    at, i = first, 0
    while i < len(spans):
        start, end, name = spans[i]
        inner = i + 1
        while inner < len(spans) and spans[inner][0] <= end:
            inner += 1
        start = max(start, at)  # of overlapping ones the first has the lines that they share
        if end >= start:
            begin = at if _length(lines, at, start - 1) <= _ATTACHED else start
            if begin > at:
                yield from _cut(path, lines, at, begin - 1, names, ())
            within = [(a, min(b, end), n) for a, b, n in spans[i + 1 : inner]]
            yield from _cut(path, lines, begin, end, (*names, name), within)
            at = end + 1
        i = inner
    if at <= last:
        yield from _cut(path, lines, at, last, names, ())


def _length(lines: Sequence[str], first: int, last: int) -> int:
    return sum(len(lines[number - 1]) + 1 for number in range(first, last + 1))


def _windows(lines: Sequence[tuple[int, str]], room: int) -> Iterator[tuple[int, int, str]]:
    """Runs of lines of at most `room` characters, as (first line, last line, text); blank ones are left out, a longer line is cut."""
    kept: list[str] = []
    first = last = used = 0
    for number, whole in lines:
        for start in range(0, len(whole) or 1, room):
            line = whole[start : start + room]
            if kept and used + len(line) + 1 > room:
                if text := "\n".join(kept).strip("\n"):
                    yield first, last, text
                kept, used = [], 0
            if not kept:
                if not line.strip():
                    continue
                first = number
            kept.append(line)
            used += len(line) + 1
            if line.strip():
                last = number
    if text := "\n".join(kept).strip("\n"):
        yield first, last, text
