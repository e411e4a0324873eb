"""Entry points, kept with what they were read from: a program is read anew if its file has changed, or one that it was read from.

What that is has been recorded when it was read (see entrypoints/record.py): the content of files, and what the listing shows under the
names that it looked for, so that a file that comes to shadow another one counts as well. Most files are no programs and import nothing
that has to do with command lines; that is told from a glance at each, and nothing is kept of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.record import Listing, Record, RecordingFiles
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.glances import Glances
from ml_agent.repo.store.tree import HASH_BYTES, Tree, as_bytes

if TYPE_CHECKING:
    from ml_agent.repo.entrypoints import ConsoleScript

_READ = (".sh", ".bash", ".c", ".cc", ".cpp", ".cxx", ".cu")
"""Files that are read whatever a glance at them says."""
_SETTINGS = (".yaml", ".yml")
"""Of files that are found by listing a folder."""
_FIELDS = tuple(field.name for field in fields(EntryPoint))
_ENTRY, _OPTION = attrgetter(*_FIELDS), attrgetter(*(field.name for field in fields(Option)))


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
                store.save("programs", {whole: [_data(entry) for entry in found]})
        return found
    return tuple(map(_from_data, known))


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
                found[path] = _from_data(known[key][0]) if known[key][0] is not None else None
            else:
                new.append(path)
        found |= self._read(new, keys)
        in_order = (found.get(file.path) for file in self._tree.files.files)
        return tuple(entry for entry in in_order if entry is not None)

    def _read(self, paths: Sequence[str], keys: Mapping[str, bytes]) -> dict[str, EntryPoint | None]:
        if not paths:
            return {}
        from ml_agent.repo.entrypoints import read_programs
        from ml_agent.repo.entrypoints.sources import Sources
        from ml_agent.repo.symbols.collector import seldom

        files = RecordingFiles(self._tree.files)
        sources = Sources(files, self._glances.known)
        # Programs of one folder share what their readers keep: what one was read from may have told the next one something too.
        records: dict[str, Record] = {}
        states: dict[str, tuple[int, Any, bytes]] = {}
        found: dict[str, EntryPoint | None] = {}
        kept: dict[bytes, Any] = {}
        for path in seldom(paths):
            folder = path.rpartition("/")[0]
            sources.record = files.record = record = records.setdefault(folder, Record())
            ((_, entry),) = read_programs(sources, [path], self._scripts)
            found[path] = entry
            if all(one in self._tree.hashes for one in record.contents | record.glances):  # else it was read from what nobody watches
                if folder not in states or states[folder][0] != record.size:
                    seen = sorted(record.contents), sorted(record.glances - record.contents), sorted(record.names())
                    states[folder] = record.size, seen, self._state(seen)
                kept[keys[path]] = None if entry is None else _data(entry), *states[folder][1:]
            else:
                self.is_watched = False
        sources.forget()
        self._store.save("program", kept)
        return found

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


def _data(entry: EntryPoint) -> Any:
    """In the form that marshal takes: the fields in their order, an option as a tuple of its own."""
    data = dict(zip(_FIELDS, _ENTRY(entry), strict=True))
    data["options"] = [_OPTION(option) for option in entry.options]
    data["settings"] = [(name, [_OPTION(option) for option in inner]) for name, inner in entry.settings]
    data["environment"] = [_OPTION(option) for option in entry.environment]
    return data


def _from_data(data: Any) -> EntryPoint:
    options = tuple([Option(*option) for option in data["options"]])
    settings = tuple([(name, tuple([Option(*option) for option in inner])) for name, inner in data["settings"]])
    environment = tuple([Option(*option) for option in data["environment"]])
    return EntryPoint(**{**data, "options": options, "settings": settings, "environment": environment})
