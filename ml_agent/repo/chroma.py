"""A Chroma folder that several processes may use: opened under a lock, checked after a killed writer, begun anew if damaged.

Two processes that have one folder open destroy it, even if they write in turn. So all work happens under a file lock, a writer
opens the folder and closes it again, and a client that a reader keeps open is used again only if nobody has written since.
"""

import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from ml_agent.errors import InfrastructureError

Result = TypeVar("Result")

LOCK_SECONDS = 20.0
"""How long another process is waited for; it holds the folder for less than a second at a time."""
CHECK_SECONDS = 60.0
PROBE_BYTES = 256 * 1024
"""That must fit on the disk for a failure to be the folder's own fault."""
_WRITING = "writing "

_opened_here: dict[Path, "ChromaFolder"] = {}
_opening = RLock()


class StoreUnavailable(InfrastructureError):
    """Vectors can be neither kept nor found here; the message is one line that says why."""


def chroma_folder(path: Path) -> "ChromaFolder":
    """The one of this process: Chroma shares what it has open within a process."""
    path = path.absolute()
    with _opening:
        return _opened_here.setdefault(path, ChromaFolder(path))


class ChromaFolder:
    """Get it from `chroma_folder`. Its methods may be called from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        """What was repaired, one line each."""
        self._threads = RLock()
        self._client: Any = None
        self._opened = ""
        """The stamp that the folder had when the client was opened."""
        self._process = 0
        """That of the client; 0 before there was one."""

    def do(self, work: Callable[[Any], Result], *, writes: bool = False) -> Result:
        """What `work` makes of a client, which it must not keep. It may be called twice: the second time on an empty folder.

        Raises StoreUnavailable: chromadb does not load, the folder cannot be written or locked, or Chroma fails on a new one.
        """
        with self._threads, self._locked():
            if self._process not in (0, os.getpid()):
                raise StoreUnavailable("no embeddings: this process was forked from one that uses them, where Chroma would hang")
            try:
                return self._attempt(work, writes)
            except (StoreUnavailable, MemoryError):
                raise
            except Exception as error:  # noqa: BLE001 - Chroma raises what its parts raise: sqlite, Rust, its own
                failure: BaseException = error
            except BaseException as error:
                if type(error).__name__ != "PanicException":  # what a panic in Rust becomes
                    raise
                failure = error
            self._close()
            if why := _why_not_writable(self.path):
                raise StoreUnavailable(f"no embeddings: {why}") from failure
            if not (fault := _fault(self.path)):
                raise StoreUnavailable(f"no embeddings: {one_line(failure)}") from failure
            self._begin_anew(fault)
            try:
                return self._attempt(work, writes)
            except Exception as error:
                self._close()
                raise StoreUnavailable(f"no embeddings: Chroma fails on a new folder: {one_line(error)}") from error

    def close(self) -> None:
        """Let go of the files; the next use opens them again."""
        with self._threads:
            if self._process == os.getpid():
                self._close()

    def _attempt(self, work: Callable[[Any], Result], writes: bool) -> Result:
        if writes or self._stamp() != self._opened:
            self._close()
        if self._client is None:
            self._open()
        if not writes:
            return work(self._client)
        self._set_stamp(_WRITING)
        try:
            result = work(self._client)
        finally:
            self._close()
        self._set_stamp("")
        return result

    def _open(self) -> None:
        chromadb = _chromadb()
        self.path.mkdir(parents=True, exist_ok=True)
        if self._stamp().startswith(_WRITING) and (fault := _fault(self.path)):
            self._begin_anew(fault)
        if not self._stamp() or self._stamp().startswith(_WRITING):
            self._set_stamp("")
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        self._process = os.getpid()
        self._client = chromadb.PersistentClient(path=str(self.path), settings=settings)
        self._opened = self._stamp()

    def _begin_anew(self, reason: str) -> None:
        self._close()
        _chromadb().api.client.SharedSystemClient.clear_system_cache()  # it keeps even what failed while it was opened
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True, exist_ok=True)
        self._set_stamp("")
        self.notes.append(f"the embeddings kept in {self.path} were damaged and are computed anew ({reason})")

    def _stamp(self) -> str:
        try:
            return (self.path / "stamp").read_text(encoding="ascii", errors="replace")
        except FileNotFoundError:
            return ""

    def _set_stamp(self, state: str) -> None:
        """A new one, which tells all others that what they have open is of the past."""
        (self.path / "stamp").write_text(state + secrets.token_hex(8), encoding="ascii")

    def _close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # one whose files are gone: there is nothing left to close
                client.close()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import filelock

        lock = self.path.with_name(f"{self.path.name}.lock")
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            held = filelock.FileLock(lock, timeout=LOCK_SECONDS)
            held.acquire()
        except filelock.Timeout as error:
            raise StoreUnavailable(f"no embeddings: another process has held {lock} for {LOCK_SECONDS:g} s") from error
        except (OSError, NotImplementedError) as error:
            raise StoreUnavailable(f"no embeddings: {lock} cannot be locked: {one_line(error)}") from error
        try:
            yield
        finally:
            held.release()


def one_line(error: BaseException) -> str:
    """What an error says, in one line of at most 200 characters."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return " ".join(f"{type(error).__name__}: {text}".split())[:200]


def _chromadb() -> Any:
    try:
        import chromadb.api.client
    except Exception as error:  # a sqlite that is too old for it is a RuntimeError
        raise StoreUnavailable(f"no embeddings: chromadb does not load: {one_line(error)}") from error
    return chromadb


def _fault(path: Path) -> str | None:
    """What is wrong with a folder, one line; None if nothing. Torn files may crash whoever reads them: another process does."""
    command = [sys.executable, "-P", "-m", "ml_agent.repo.chroma", str(path)]  # -P: the working folder may hold a chromadb of its own
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_SECONDS)
    except subprocess.TimeoutExpired:
        return f"reading it takes more than {CHECK_SECONDS:g} s"
    last = (done.stderr.strip().splitlines() or [""])[-1][:200]
    return f"reading it ends with exit code {done.returncode} {last}".rstrip() if done.returncode else None


def _read_all(path: Path) -> None:
    """Raises whatever a damaged folder makes it raise, and may crash."""
    import sqlite3

    with closing(sqlite3.connect(f"{(path / 'chroma.sqlite3').as_uri()}?mode=rw", uri=True)) as database:
        (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise ValueError(said)
    chromadb = _chromadb()
    client = chromadb.PersistentClient(path=str(path), settings=chromadb.config.Settings(anonymized_telemetry=False))
    for collection in client.list_collections():
        some = collection.get(limit=1, include=["embeddings"])["embeddings"]
        if len(some):
            collection.query(query_embeddings=some, n_results=1)
    client.close()


def _why_not_writable(path: Path) -> str | None:
    """Why nothing can be kept in this folder, one line; None if something can."""
    probe = path / f".probe-{secrets.token_hex(4)}"
    try:
        path.mkdir(parents=True, exist_ok=True)
        try:
            with probe.open("wb") as file:
                file.write(b"\0" * PROBE_BYTES)
                file.flush()
                os.fsync(file.fileno())
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        return f"{path} cannot be written: {one_line(error)}"
    return None


if __name__ == "__main__":
    _read_all(Path(sys.argv[1]))
