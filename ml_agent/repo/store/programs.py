"""Entry points, kept with what they were read from: a program is read anew if its file has changed, or one that it was read from.

What that is has been recorded when it was read (see entrypoints/record.py): the content of files, and what the listing shows under the
names that it looked for, so that a file that comes to shadow another one counts as well. Most files are no programs and import nothing
that has to do with command lines; that is told from a glance at each, and nothing is kept of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from ml_agent.repo.entrypoints.base import EntryPoint
from ml_agent.repo.entrypoints.record import Listing
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.glances import Glances
from ml_agent.repo.store.pool import read_all
from ml_agent.repo.store.program_reader import ProgramReader, Seen, data_of, from_data, unread
from ml_agent.repo.store.tree import HASH_BYTES, Tree, as_bytes

if TYPE_CHECKING:
    from ml_agent.repo.entrypoints import ConsoleScript

_READ = (".sh", ".bash", ".c", ".cc", ".cpp", ".cxx", ".cu")
"""Files that are read whatever a glance at them says."""
_SETTINGS = (".yaml", ".yml")
"""Of files that are found by listing a folder."""
_READER = "ml_agent.repo.store.program_reader:reader"
MANY = 150
"""New programs, to read which is worth the start of worker processes."""
SECONDS = 60.0
"""For one program."""


def kept_entry_points(tree: Tree, store: Store) -> tuple[EntryPoint, ...]:
    """What `read_entry_points` gives for these files, of which only those are read that have changed."""
    whole = _digest(as_bytes(path) + b"\0" + content for path, content in _everything(tree))
    known = store.load("programs", [whole]).get(whole)
    if known is None:
        from ml_agent.repo.symbols.collector import paused

        with paused():
            reading = _Reading(tree, store)
            found = reading.entry_points()
            if reading.is_watched:
                store.save("programs", {whole: [data_of(entry) for entry in found]})
        return found
    return tuple(map(from_data, known))


def _everything(tree: Tree) -> Iterable[tuple[str, bytes]]:
    yield from tree.hashes.items()
    for skipped in tree.files.skipped:
        yield skipped.path, b"-"


class _Reading:
    """One pass over a tree of which something is new."""

    def __init__(self, tree: Tree, store: Store) -> None:
        self._tree, self._store = tree, store
        self.is_watched = True
        """All that was read is among the files of the tree."""
        self._glances = Glances(tree, store)
        listed = tree.files.files
        self._listing = Listing([*(file.path for file in listed), *(one.path for one in tree.files.skipped)])

    def entry_points(self) -> tuple[EntryPoint, ...]:
        others = [path for path in self._tree.hashes if path.endswith(_READ)]
        installed = [path for path in self._scripts if path in self._tree.hashes]
        keys = {path: self._key(path) for path in sorted({*others, *installed, *self._glances.candidates()})}
        known = self._store.load("program", keys.values())
        found: dict[str, EntryPoint | None] = {}
        new = []
        for path, key in keys.items():
            if key in known and self._state(known[key][1]) == known[key][2]:
                found[path] = from_data(known[key][0]) if known[key][0] is not None else None
            else:
                new.append(path)
        found |= self._read(new, keys)
        in_order = (found.get(file.path) for file in self._tree.files.files)
        return tuple(entry for entry in in_order if entry is not None)

    def _read(self, paths: Sequence[str], keys: Mapping[str, bytes]) -> dict[str, EntryPoint | None]:
        found: dict[str, EntryPoint | None] = {}
        kept: dict[bytes, Any] = {}
        states: dict[Seen, Any] = {}
        for path, (data, seen) in self._readings(paths):
            found[path] = None if data is None else from_data(data)
            contents, glances, names = seen
            if all(one in self._tree.hashes for one in contents | glances):
                if seen not in states:
                    in_order = sorted(contents), sorted(glances), sorted(names)
                    states[seen] = in_order, self._state(in_order)
                kept[keys[path]] = data, *states[seen]
            else:  # it was read from what nobody watches
                self.is_watched = False
        self._store.save("program", kept)
        return found

    def _readings(self, paths: Sequence[str]) -> Iterator[tuple[str, tuple[Any, Seen]]]:
        """Where there are many, in worker processes: a program that hangs or crashes its reader then costs itself alone."""
        if len(paths) >= MANY:
            given = self._glances.data()
            readings = read_all(_READER, self._tree.files.root, paths, given=given, seconds=SECONDS, failed=lambda why: why)
            yield from ((path, unread(path, data) if isinstance(data, str) else data) for path, data in readings)
            return
        if not paths:
            return
        from ml_agent.repo.symbols.collector import seldom

        reader = ProgramReader(self._tree.files, self._glances.known, self._scripts)
        yield from ((path, reader.read(path)) for path in seldom(paths))
        reader.forget()

    def _state(self, seen: tuple[Sequence[str], Sequence[str], Sequence[str]]) -> bytes:
        """Of files, of glances at others, and of what the listing shows under names: as they are now."""
        contents, glances, names = seen
        parts = [self._tree.hashes.get(path, b"") + b"\0" for path in contents]
        parts += [self._glances.mark(path) + b"\1" for path in glances]
        return _digest([*parts, self._listing.digest(names, HASH_BYTES)])

    def _key(self, path: str) -> bytes:
        called = as_bytes(repr(self._scripts[path])) if path in self._scripts else b""
        return _digest((as_bytes(path), b"\0", called, b"\0", self._tree.hashes[path], self._roots))

    @cached_property
    def _scripts(self) -> "dict[str, Sequence[ConsoleScript]]":
        """The commands that an installation makes, by the file that they call."""
        from ml_agent.repo.entrypoints.console_scripts import by_path, console_scripts

        return by_path(console_scripts(self._tree.files))

    @cached_property
    def _roots(self) -> bytes:
        """What every program is read with: where modules are looked for, and which settings there are."""
        from ml_agent.repo.modules.roots import ImportRoots

        folders = (*ImportRoots(self._tree.files).installed, str(self._tree.files.is_folder("src")))
        settings = (file.path for file in self._tree.files.files if file.path.endswith(_SETTINGS))
        return _digest(as_bytes(one) + b"\0" for one in (*folders, "", *settings))


def _digest(parts: Iterable[bytes]) -> bytes:
    digest = blake2b(digest_size=HASH_BYTES)
    for part in parts:
        digest.update(part)
    return digest.digest()
