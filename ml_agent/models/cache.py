"""Replies that were paid for once: an opt-in cache in one SQLite file."""

import json
import math
import os
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

from ml_agent.errors import InfrastructureError
from ml_agent.models.messages import ChatModel, Message, OnText, Options, Reply, ToolLike, from_json, to_json
from ml_agent.models.redaction import redacted
from ml_agent.models.requests import message_digests, request_digest, tools_digest
from ml_agent.models.wrapped import Wrapped

_SCHEMA = 1
_BUSY = 30.0
"""Seconds to wait for another process that writes."""


class Cached(Wrapped):
    """Answers a request that was answered before from `path`; several threads and processes may share it.

    A reply with a fault is not kept. Independent samples of one request need different seeds. Raises InfrastructureError if the file cannot
    be used.
    """

    def __init__(self, model: ChatModel, path: Path) -> None:
        super().__init__(model)
        self._path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._file = sqlite3.connect(path, timeout=_BUSY, check_same_thread=False, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, schema INTEGER NOT NULL, reply TEXT NOT NULL)")
        except (OSError, sqlite3.Error) as error:
            raise InfrastructureError(f"cannot use the cache of replies {path}: {error}") from error

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        """As ChatModel.complete."""
        key = request_digest(self.name, message_digests(messages), tools_digest(tools), options)
        known = self._get(key)
        if known is not None:
            if on_text and known.text:
                on_text(known.text)
            return known
        reply = self._model.complete(messages, tools, options=options, seconds=seconds, on_text=on_text)
        if not reply.faults:
            self._put(key, reply)
        return reply

    def close(self) -> None:
        """Close the file and the model behind it."""
        with self._lock:
            self._file.close()
        super().close()

    def _get(self, key: str) -> Reply | None:
        try:
            with self._lock:
                row = self._file.execute("SELECT reply FROM replies WHERE key = ? AND schema = ?", (key, _SCHEMA)).fetchone()
            return from_json(json.loads(row[0])) if row else None
        except sqlite3.Error as error:
            raise InfrastructureError(f"cannot read the cache of replies {self._path}: {error}") from error
        except (ValueError, KeyError, TypeError):  # another's writing: as if it were not there, and written anew
            return None

    def _put(self, key: str, reply: Reply) -> None:
        text = json.dumps(redacted(to_json(reply)), ensure_ascii=False)
        try:
            with self._lock:
                self._file.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", (key, _SCHEMA, text))
        except sqlite3.Error as error:
            raise InfrastructureError(f"cannot write the cache of replies {self._path}: {error}") from error
