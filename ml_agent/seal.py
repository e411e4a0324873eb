"""A mark that only this user on this machine can make: whether a stored run is of one's own.

A stored run says which policy's code is imported, which interpreter is started, where the model's key is sent to and what runs may reach.
To go on with a stranger's file would be to do what the stranger says.
"""

import hashlib
import hmac
import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

_BYTES = 32


def seal(value: Any) -> str:
    """The mark of a JSON-able value, hexadecimal; empty where the user's state folder cannot be written."""
    key = _key(_path(), make=True)
    return _mark(key, value) if key else ""


def is_own(value: Any, mark: Any) -> bool:
    """Whether `mark` was made of this value here."""
    key = _key(_path(), make=False)
    return bool(key) and isinstance(mark, str) and hmac.compare_digest(_mark(key, value).encode(), mark.encode("utf-8", "replace"))


def _mark(key: bytes, value: Any) -> str:
    return hmac.new(key, json.dumps(value, sort_keys=True, default=str).encode(), hashlib.sha256).hexdigest()


def _path() -> Path:
    import platformdirs

    return platformdirs.user_state_path("ml-agent") / "seal"


def _key(path: Path, *, make: bool) -> bytes:
    """Of this user, made once; empty where there is none."""
    with suppress(OSError):
        if make and not path.exists():
            _make(path)
        found = path.read_bytes()
        return found if len(found) == _BYTES else b""
    return b""


def _make(path: Path) -> None:
    """Whole from its first moment on: several solves may begin together."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(os.open(own, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        with suppress(FileExistsError):
            os.link(own, path)
    finally:
        own.unlink(missing_ok=True)
