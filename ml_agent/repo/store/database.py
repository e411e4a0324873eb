"""The store: an SQLite file in the user's cache folder. A fact is found by its kind and the hash of what it was read from.

It is a cache: whatever is wrong with it costs time, never an answer. A damaged file is removed and begun anew; where nothing can be
written, facts are kept for this process alone. Either is said in one line.

Values are what `marshal` takes (None, numbers, strings, bytes, tuples, lists, dicts), which reads fastest. It must not be given damaged
data, so each value carries a checksum.
"""

import hashlib
import marshal
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SCHEMA = 2
_SECONDS = 20.0
"""How long to wait for another process that writes."""
_NAME = f"facts-{SCHEMA}.sqlite"
_KEPT_SECONDS = 60 * 86400
_BATCH = 500
_ID_BYTES = 16
LIBRARIES = ("Stemmer", "charset_normalizer", "markdown_it", "pygments", "re2", "tree_sitter", "tree_sitter_bash", "yaml")
"""Whose version tells what is read from a text. Those of the other grammars stand in the keys of symbols."""

Facts = Mapping[bytes, Any]
"""Hash -> value."""


class Store:
    """Facts by kind and hash, and, for a folder, which content its files had when last looked at. `notes`: what went wrong, a line each."""

    def __init__(self, folder: Path | None) -> None:
        self.notes: list[str] = []
        self.path: Path | None = None
        self._memory: dict[tuple[str, bytes], bytes] = {}
        self._trees: dict[Path, bytes] = {}
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self.path = folder / _NAME
            except OSError as error:
                self._give_up(f"{folder} cannot be made ({error.strerror})")

    def load(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, Any]:
        """Those of the facts that are there. A damaged one is not."""
        kind = f"{kind} {code_signature()}"
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, Any] = {key: self._memory[kind, key] for key in wanted if (kind, key) in self._memory}
        rest = [key for key in wanted if key not in found]

        def select(connection: sqlite3.Connection) -> None:
            for batch in _batches(rest):
                marks = ",".join("?" * len(batch))
                found.update(connection.execute(f"SELECT hash, data FROM facts WHERE kind = ? AND hash IN ({marks})", (kind, *batch)))  # noqa: S608

        if rest:
            self._try(select)
        values = {key: _unpacked(data) for key, data in found.items()}
        return {key: value[0] for key, value in values.items() if value is not None}

    def save(self, kind: str, facts: Facts) -> None:
        """All of them or, if that fails, for this process alone."""
        kind = f"{kind} {code_signature()}"
        packed = {key: _packed(value) for key, value in facts.items()}
        rows = [(kind, key, int(time.time()), data) for key, data in packed.items()]
        if not self._try(lambda connection: connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", rows)):
            self._memory.update({(kind, key): data for key, data in packed.items()})

    def load_tree(self, root: Path) -> Any:
        """What `save_tree` was given for this folder; None if nothing."""
        found = [self._trees[root]] if root in self._trees else []

        def select(connection: sqlite3.Connection) -> None:
            found.extend(data for (data,) in connection.execute("SELECT data FROM trees WHERE root = ?", (os.fsencode(root),)))

        if not found:
            self._try(select)
        value = _unpacked(found[0]) if found else None
        return value[0] if value is not None else None

    def save_tree(self, root: Path, value: Any) -> None:
        """What is known of a folder, whatever it is."""
        packed = _packed(value)
        row = (os.fsencode(root), int(time.time()), packed)
        if not self._try(lambda connection: connection.execute("INSERT OR REPLACE INTO trees VALUES (?, ?, ?)", row)):
            self._trees[root] = packed

    def save_pieces(self, root: Path, mark: bytes, ids: Iterable[str]) -> None:
        """Which pieces of text (ids of 32 hexadecimal digits) a folder has; `ids` is not looked at if they are kept under this mark."""

        def replace(connection: sqlite3.Connection) -> None:
            row = connection.execute("SELECT mark FROM pieces WHERE root = ?", (os.fsencode(root),)).fetchone()
            if row != (mark,):
                data = b"".join(map(bytes.fromhex, ids))
                connection.execute("INSERT OR REPLACE INTO pieces VALUES (?, ?, ?)", (os.fsencode(root), mark, data))

        self._try(replace)

    def pieces(self) -> set[str] | None:
        """The ids of the pieces of all folders that are still there; None if that is not known."""
        found: set[str] = set()

        def collect(connection: sqlite3.Connection) -> None:
            for root, data in connection.execute("SELECT root, data FROM pieces"):
                if os.path.isdir(root):
                    found.update(data[i : i + _ID_BYTES].hex() for i in range(0, len(data), _ID_BYTES))

        return found if self._try(collect) else None

    def prune(self, *, all_of_it: bool = False) -> tuple[int, int]:
        """Remove the facts of earlier versions of this program and old ones, or all; how many, and how many bytes it is smaller."""
        before, removed = self.size(), 0

        def delete(connection: sqlite3.Connection) -> None:
            nonlocal removed
            old = "1" if all_of_it else "at < :since OR kind NOT LIKE :code"
            since, code = int(time.time()) - _KEPT_SECONDS, f"% {code_signature()}"
            removed = connection.execute(f"DELETE FROM facts WHERE {old}", {"since": since, "code": code}).rowcount  # noqa: S608
            roots = [root for (root,) in connection.execute("SELECT root FROM trees UNION SELECT root FROM pieces")]
            gone = [(root,) for root in roots if all_of_it or not os.path.isdir(root)]
            connection.executemany("DELETE FROM trees WHERE root = ?", gone)
            connection.executemany("DELETE FROM pieces WHERE root = ?", gone)
            connection.commit()
            connection.execute("VACUUM")

        self._try(delete)
        return removed, before - self.size()

    def stats(self) -> dict[str, int]:
        """How many facts of each kind this version of the program finds."""
        found: dict[str, int] = {}
        ending = f" {code_signature()}"

        def count(connection: sqlite3.Connection) -> None:
            rows = connection.execute("SELECT kind, count(*) FROM facts WHERE kind LIKE ? GROUP BY kind ORDER BY kind", (f"%{ending}",))
            found.update({kind.removesuffix(ending): number for kind, number in rows})

        self._try(count)
        return found

    def folders(self) -> int:
        """Of how many folders something is known."""
        found: list[int] = []

        def count(connection: sqlite3.Connection) -> None:
            found.extend(connection.execute("SELECT count(*) FROM trees").fetchone())

        self._try(count)
        return sum(found)

    def size(self) -> int:
        """Bytes on disk."""
        try:
            return self.path.stat().st_size if self.path else 0
        except OSError:
            return 0

    def _try(self, work: Callable[[sqlite3.Connection], object]) -> bool:
        """Do it in one transaction; False if the store cannot, or if it is in memory. Faults of the file end here."""
        for _ in range(2):
            if self.path is None:
                return False
            try:
                with closing(self._open(self.path)) as connection, connection:
                    work(connection)
                return True
            except sqlite3.OperationalError as error:  # locked, read-only, full: the file itself is sound
                self._give_up(f"{self.path} cannot be used ({error})")
            except sqlite3.DatabaseError as error:
                self._begin_anew(self.path, error)
        return False

    def _open(self, path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=_SECONDS)
        try:
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA page_size = 16384")  # of a new file; with values of some KB twice as fast as the usual 4096
            connection.execute("CREATE TABLE IF NOT EXISTS facts (kind TEXT, hash BLOB, at INTEGER, data BLOB, PRIMARY KEY (kind, hash))")
            connection.execute("CREATE TABLE IF NOT EXISTS trees (root BLOB PRIMARY KEY, at INTEGER, data BLOB) WITHOUT ROWID")
            connection.execute("CREATE TABLE IF NOT EXISTS pieces (root BLOB PRIMARY KEY, mark BLOB, data BLOB) WITHOUT ROWID")
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin_anew(self, path: Path, error: Exception) -> None:
        self.notes.append(f"the index {path} was damaged ({error}) and is made anew")
        for name in (path, path.with_name(path.name + "-journal")):
            try:
                name.unlink(missing_ok=True)
            except OSError as failure:
                self._give_up(f"{path} is damaged and cannot be removed ({failure.strerror})")

    def _give_up(self, why: str) -> None:
        self.path = None
        self.notes.append(f"the index is kept for this run alone: {why}")


def open_store(folder: Path | None = None) -> Store:
    """The store in `folder`, by default the user's cache folder."""
    if folder is None:
        import platformdirs

        folder = platformdirs.user_cache_path("ml-agent") / "index"
    return Store(folder)


@cache
def code_signature() -> str:
    """Of what reads repositories: the program's own files, Python, and libraries. What another version has read is not what this one
    would."""
    top = Path(__file__).parents[1]
    digest = hashlib.blake2b(f"{sys.version}\n".encode(), digest_size=8)
    for name in LIBRARIES:
        spec = find_spec(name)  # finds it, imports nothing
        if spec is not None and spec.origin is not None:
            status = os.stat(spec.origin)
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    folders = [os.fspath(top)]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir() and entry.name != "__pycache__":
                    folders.append(entry.path)
                elif entry.name.endswith(".py"):
                    status = entry.stat()
                    digest.update(f"{entry.path.removeprefix(folders[0])} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _packed(value: Any) -> bytes:
    data = marshal.dumps(value)
    return zlib.crc32(data).to_bytes(4, "big") + data


def _unpacked(data: Any) -> tuple[Any] | None:
    """The value in a tuple of one; None if the data is damaged."""
    if not isinstance(data, bytes) or len(data) < 5:
        return None
    view = memoryview(data)[4:]
    if zlib.crc32(view) != int.from_bytes(data[:4], "big"):
        return None
    try:
        return (marshal.loads(view),)  # noqa: S302 - our own, and unharmed
    except (ValueError, EOFError, TypeError):
        return None


def _batches(keys: list[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]
