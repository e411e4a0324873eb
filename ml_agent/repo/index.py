"""RepoIndex: everything that a repository says about itself, read lazily and once, and kept on disk for the next time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.repo.files import FileTable, walk
from ml_agent.repo.store import Store, Tree, open_store
from ml_agent.repo.store.programs import kept_entry_points
from ml_agent.repo.store.whole import Whole

if TYPE_CHECKING:  # what one question needs is imported when it is asked: most need little
    from ml_agent.repo.chunks import Chunk, Kind
    from ml_agent.repo.commands import Command
    from ml_agent.repo.configured import SettingsFiles
    from ml_agent.repo.documents import Document, Section
    from ml_agent.repo.entrypoints import ConsoleScript, EntryPoint
    from ml_agent.repo.lexical import LexicalIndex
    from ml_agent.repo.modules import PythonModules
    from ml_agent.repo.named import Names
    from ml_agent.repo.retrieval import Hit, Lexical, Retriever
    from ml_agent.repo.store.modules import KeptSources
    from ml_agent.repo.symbols import RepoMap, SymbolTable


class RepoIndex:
    """Serves files, documents, entry points, commands, modules and symbols of one repository. Never writes to it, never runs it.

    `store`: where what has been read is kept; by default the user's cache folder. `embedder`: of repo/embedding; None searches by words
    alone.
    """

    def __init__(self, root: Path, *, store: Store | None = None, embedder: str | None = "minilm") -> None:
        self.root = root
        self._entry_point_of: dict[str, EntryPoint | None] = {}
        self._embedder = embedder
        self.store = store or open_store()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know: a cache that cannot be used, embeddings that cannot be had. One line each; grows with what is asked."""
        return (*self.store.notes, *(self.retriever.notes if "retriever" in self.__dict__ else ()))

    @cached_property
    def files(self) -> FileTable:
        return walk(self.root)

    @cached_property
    def tree(self) -> Tree:
        """The files with the hashes of their content."""
        return Tree(self.files, self.store)

    @cached_property
    def _whole(self) -> Whole:
        return Whole(self.tree, self.store)

    @cached_property
    def documents(self) -> "tuple[Document, ...]":
        from ml_agent.repo.store.documents import kept_documents

        return kept_documents(self.tree, self.store, self._whole)

    @cached_property
    def entry_points(self) -> "tuple[EntryPoint, ...]":
        return kept_entry_points(self.tree, self.store)

    @cached_property
    def commands(self) -> "tuple[Command, ...]":
        from ml_agent.repo.store.documents import kept_commands

        return kept_commands(self._whole, self.documents)

    @cached_property
    def settings_files(self) -> "SettingsFiles":
        from ml_agent.repo.configured import SettingsFiles

        return SettingsFiles(self.files)

    def with_settings_files(self, entry: "EntryPoint") -> "EntryPoint":
        """The program with the settings that its documented commands show to stand in files."""
        from ml_agent.repo.configured import with_settings_files

        return with_settings_files(entry, self.commands_of, self.settings_files)

    @cached_property
    def modules(self) -> "PythonModules":
        from ml_agent.repo.modules import PythonModules

        return PythonModules(self.files, self._sources)

    @cached_property
    def _sources(self) -> "KeptSources":
        from ml_agent.repo.store.modules import KeptSources

        return KeptSources(self.tree, self.store)

    def keep_sources(self) -> None:
        """Keep what was read of modules so far for the next time."""
        self._sources.save()

    @cached_property
    def names(self) -> "Names":
        """Classes and functions at the top of Python files, by name."""
        from ml_agent.repo.modules.lookup import defined_in
        from ml_agent.repo.named import Names, names_of

        return Names(*self._whole.kept("names", lambda files: names_of(defined_in(files)).as_data()))

    @cached_property
    def sections(self) -> "tuple[Section, ...]":
        return tuple(section for document in self.documents for section in document.sections)

    @cached_property
    def commands_of(self) -> "dict[str, tuple[Command, ...]]":
        """Documented commands by the file that they run."""
        grouped: dict[str, list[Command]] = defaultdict(list)
        for command in self.commands:
            grouped[command.target].append(command)
        return {target: tuple(found) for target, found in grouped.items()}

    def entry_point(self, path: str) -> "EntryPoint | None":
        """The program at exactly this path; also a file that does not say that it can be run. None if it cannot be read."""
        if path not in self._entry_point_of:
            known = self.entry_points if "entry_points" in self.__dict__ else ()  # one program does not need all of them read
            found = next((e for e in known if e.path == path), None)
            self._entry_point_of[path] = found or self._started(path)
        return self._entry_point_of[path]

    def _started(self, path: str) -> "EntryPoint | None":
        from ml_agent.repo.entrypoints.reading import read_started

        return read_started(self.files, path, self._scripts.get(path, ()))

    @cached_property
    def _scripts(self) -> "Mapping[str, Sequence[ConsoleScript]]":
        from ml_agent.repo.entrypoints.console_scripts import by_path, console_scripts

        return by_path(console_scripts(self.files))

    def search_entry_points(self, text: str, k: int) -> "list[tuple[float, EntryPoint]]":
        """Programs by their path, options, description, and the documents that run them."""
        return [(score, self.entry_points[i]) for score, i in self._programs.search(text, k)]

    def search_commands(self, text: str, k: int) -> "list[tuple[float, Command]]":
        """Documented commands by their words, headings, and the text above them."""
        return [(score, self.commands[i]) for score, i in self._commands.search(text, k)]

    def search_sections(self, text: str, k: int) -> "list[tuple[float, Section]]":
        """Sections of documents by heading, prose and code."""
        return [(score, self.sections[i]) for score, i in self._sections.search(text, k)]

    @cached_property
    def symbols(self) -> "SymbolTable":
        """Definitions and references of all files. Raises InfrastructureError if they cannot be read."""
        from ml_agent.repo.store.symbols import kept_symbols

        return kept_symbols(self.tree, self.store)

    def map(self, task: str, tokens: int) -> "RepoMap":
        """The definitions that matter most to a task, in about so many tokens."""
        from ml_agent.repo.symbols import repo_map

        return repo_map(self.symbols, task, tokens)

    def search(self, text: str, kinds: "Collection[Kind] | None" = None, k: int = 10, *, per_file: int = 1) -> "list[Hit]":
        """The `k` best pieces of code, documents, programs and symbols, of these kinds (None: all), at most `per_file` of one file.

        By words and by meaning; what has no vector yet is embedded on the way, within bounds (see Retriever).
        """
        return self.retriever.search(text, kinds, k, per_file=per_file)

    @cached_property
    def chunks(self) -> "tuple[Chunk, ...]":
        """All that can be searched, in pieces."""
        from ml_agent.repo.chunks import read_chunks
        from ml_agent.repo.references import read_references

        references = read_references(self.documents, self.commands, self.modules)
        return read_chunks(self.files, self.documents, self.entry_points, self.commands_of, self.symbols.symbols(), references)

    @cached_property
    def retriever(self) -> "Retriever":
        from ml_agent.repo.retrieval import Retriever
        from ml_agent.repo.vectors import default_vectors

        vectors = default_vectors(self._embedder) if self._embedder is not None else None
        if vectors is not None:  # from now on their vectors are in use
            self.store.save_pieces(self.files.root, _key(map(bytes.hex, self._piece_keys.values())), (c.id for c in self.chunks))
        return Retriever(self.chunks, self._lexical, vectors)

    @cached_property
    def _lexical(self) -> "Lexical":
        """BM25 over the pieces; kept, for to build it takes longer than all else of a search."""
        from ml_agent.repo.lexical import LexicalIndex
        from ml_agent.repo.retrieval import lexical_indexes

        keys = self._piece_keys
        known = self.store.load("lexical", keys.values())
        if all(key in known for key in keys.values()):
            return {kind: LexicalIndex.from_bytes(known[key]) for kind, key in keys.items()}
        made = lexical_indexes(self.chunks)
        self.store.save("lexical", {keys[kind]: made[kind].to_bytes() for kind in keys})
        return made

    @cached_property
    def _piece_keys(self) -> "dict[Kind, bytes]":
        from ml_agent.repo.chunks import KINDS

        return {kind: _key(chunk.id for chunk in self.chunks if chunk.kind == kind) for kind in KINDS}

    @cached_property
    def _programs(self) -> "LexicalIndex":
        from ml_agent.repo.store.words import kept_index, of_program

        return kept_index((of_program(e, self.commands_of.get(e.path, ())) for e in self.entry_points), self.store)

    @cached_property
    def _commands(self) -> "LexicalIndex":
        from ml_agent.repo.store.words import kept_index, of_command

        return kept_index(map(of_command, self.commands), self.store)

    @cached_property
    def _sections(self) -> "LexicalIndex":
        from ml_agent.repo.store.words import kept_index, of_section

        return kept_index(map(of_section, self.sections), self.store)


def _key(parts: Iterable[str]) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.digest()
