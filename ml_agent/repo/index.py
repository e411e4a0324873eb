"""RepoIndex: everything that a repository says about itself, read lazily and once."""

from collections import defaultdict
from functools import cached_property
from pathlib import Path

from ml_agent.repo.commands import Command, read_commands
from ml_agent.repo.documents import Document, Section, read_documents
from ml_agent.repo.entrypoints import EntryPoint, read_entry_point, read_entry_points
from ml_agent.repo.files import FileTable, walk
from ml_agent.repo.lexical import LexicalIndex, tokenize
from ml_agent.repo.modules import Definition, PythonModules


class RepoIndex:
    """Serves files, documents, entry points, commands and modules of one repository. Never writes to it, never runs it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._entry_point_of: dict[str, EntryPoint | None] = {}

    @cached_property
    def files(self) -> FileTable:
        return walk(self.root)

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        return read_documents(self.files)

    @cached_property
    def entry_points(self) -> tuple[EntryPoint, ...]:
        return read_entry_points(self.files)

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        return read_commands(self.files, self.documents)

    @cached_property
    def modules(self) -> PythonModules:
        return PythonModules(self.files)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        return tuple(section for document in self.documents for section in document.sections)

    @cached_property
    def commands_of(self) -> dict[str, tuple[Command, ...]]:
        """Documented commands by the file that they run."""
        grouped: dict[str, list[Command]] = defaultdict(list)
        for command in self.commands:
            grouped[command.target].append(command)
        return {target: tuple(found) for target, found in grouped.items()}

    def entry_point(self, path: str) -> EntryPoint | None:
        """The program at exactly this path; also a file that does not say that it can be run. None if it cannot be read."""
        if path not in self._entry_point_of:
            known = self.entry_points if "entry_points" in self.__dict__ else ()  # one program does not need all of them read
            found = next((e for e in known if e.path == path), None)
            self._entry_point_of[path] = found or read_entry_point(self.files, path)
        return self._entry_point_of[path]

    def search_entry_points(self, text: str, k: int) -> list[tuple[float, EntryPoint]]:
        """Programs by their path, options, description, and the documents that run them."""
        return [(score, self.entry_points[i]) for score, i in self._programs.search(text, k)]

    def search_commands(self, text: str, k: int) -> list[tuple[float, Command]]:
        """Documented commands by their words, headings, and the text above them."""
        return [(score, self.commands[i]) for score, i in self._commands.search(text, k)]

    def search_sections(self, text: str, k: int) -> list[tuple[float, Section]]:
        """Sections of documents by heading, prose and code."""
        return [(score, self.sections[i]) for score, i in self._sections.search(text, k)]

    def search_definitions(self, text: str, k: int) -> list[tuple[float, Definition]]:
        """Functions and classes of the repository by name, path and docstring."""
        return [(score, self._all_definitions[i]) for score, i in self._definitions.search(text, k)]

    @cached_property
    def _programs(self) -> LexicalIndex:
        return LexicalIndex(self._program_tokens(e) for e in self.entry_points)

    def _program_tokens(self, program: EntryPoint) -> list[str]:
        tokens = 3 * tokenize(program.path) + tokenize(program.description)
        for option in program.options:
            tokens += tokenize(" ".join((option.name, option.help, *(option.choices or ()))))
        for command in self.commands_of.get(program.path, ())[:20]:
            tokens += tokenize(" ".join((*command.headings, command.intro)))
        return tokens

    @cached_property
    def _commands(self) -> LexicalIndex:
        return LexicalIndex(
            tokenize(" ".join((c.target, *c.words, *c.headings, c.intro, c.source.rpartition(":")[0]))) for c in self.commands
        )

    @cached_property
    def _sections(self) -> LexicalIndex:
        return LexicalIndex(
            tokenize(" ".join((s.path, *s.headings, *s.headings[-1:], s.text, *(b.code[:4000] for b in s.blocks)))) for s in self.sections
        )

    @cached_property
    def _all_definitions(self) -> tuple[Definition, ...]:
        return self.modules.definitions()

    @cached_property
    def _definitions(self) -> LexicalIndex:
        return LexicalIndex(2 * tokenize(d.name) + tokenize(f"{d.path} {d.doc}") for d in self._all_definitions)
