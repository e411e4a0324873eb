"""What a glance at each Python file has told, kept; and which of them may be programs."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from ml_agent.repo.entrypoints.glance import PYTHON, Glance, Import
from ml_agent.repo.entrypoints.record import above, name_of
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.tree import HASH_BYTES, Tree

_ARGPARSE, _ALONE = 1, 2
"""Flags: it has to do with argparse; it may be a program whatever it imports."""


class Glances:
    """At the Python files of a tree."""

    def __init__(self, tree: Tree, store: Store) -> None:
        self._tree, self._store = tree, store
        self._paths = [file.path for file in tree.files.files if file.path.endswith(PYTHON) and file.path in tree.hashes]
        self._facts: dict[bytes, Any] | None = None
        self._rows = self._read()

    def candidates(self) -> list[str]:
        """The files that may be programs: all that are, and others that import something of the same name as what makes them so."""
        makers = {name_of(path) for path, (_, flags, _, _) in self._rows.items() if flags & _ARGPARSE}
        return [path for path, (_, flags, names, _) in self._rows.items() if flags or not makers.isdisjoint(names)]

    def mark(self, path: str) -> bytes:
        """Changes with what the glance tells, not with the rest of the file."""
        row = self._rows.get(path)
        return row[3] if row else b""

    def known(self, path: str) -> Glance | None:
        """The glance at a file as it is now."""
        found = self._all().get(self._tree.hashes.get(path, b""))
        return None if found is None else Glance.from_data(found)

    def data(self) -> dict[str, Any]:
        """The data of the glance at each file, by path."""
        facts = self._all()
        return {path: facts[key] for path in self._paths if (key := self._tree.hashes[path]) in facts}

    def _read(self) -> dict[str, tuple[bytes, int, list[str], bytes]]:
        """Path -> hash, flags, the names of the modules that it may import, and the mark of the glance."""
        place = blake2b(str(self._tree.files.root).encode("utf-8", "surrogateescape"), digest_size=HASH_BYTES).digest()
        before = self._store.load("rows", [place]).get(place, {})
        rows = {path: row for path in self._paths if (row := before.get(path)) and row[0] == self._tree.hashes[path]}
        new = [path for path in self._paths if path not in rows]
        if new:
            facts = self._store.load("glance", (self._tree.hashes[path] for path in new)) if len(new) < len(self._paths) else self._all()
            made: dict[bytes, Any] = {}
            for path in new:
                key = self._tree.hashes[path]
                if key not in facts:
                    facts[key] = made[key] = self._look(path)
                rows[path] = key, *_row(path, facts[key])
            self._store.save("glance", made)
            if self._facts is not None:
                self._facts |= made
        if new or len(rows) != len(before):
            self._store.save("rows", {place: rows})
        return rows

    def _all(self) -> dict[bytes, Any]:
        if self._facts is None:
            self._facts = self._store.load("glance", (self._tree.hashes[path] for path in self._paths))
        return self._facts

    def _look(self, path: str) -> Any:
        try:
            return Glance.at(self._tree.files.read(path).text).as_data()
        except OSError:  # it is gone
            return Glance.at("").as_data()


def _row(path: str, data: Any) -> tuple[int, list[str], bytes]:
    glance = Glance.from_data(data)
    alone = glance.may_run or "others" in glance.ways or path.endswith("__main__.py")
    flags = ("argparse" in glance.ways) * _ARGPARSE | alone * _ALONE
    mark = blake2b(repr((sorted(glance.ways), glance.may_run, glance.imports)).encode("utf-8", "replace"), digest_size=8).digest()
    return flags, sorted(set(_names(path.rpartition("/")[0], glance.imports))), mark


def _names(folder: str, imports: Iterable[Import]) -> Iterable[str]:
    """Those that `name_of` gives for what the imports may mean."""
    for one in imports:
        yield one.module.rpartition(".")[2]
        if one.name:
            yield one.name
        if one.level and not one.module:
            yield above(folder, one.level - 1).rpartition("/")[2]
