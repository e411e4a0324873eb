"""Files that are there whole or not at all."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ml_agent.errors import InfrastructureError


def write_whole(path: Path, parts: Iterable[str], *, temporary: Path | None = None) -> None:
    """Write a text file, ASCII or not, by way of a `temporary` one on the same file system: synced, then renamed.

    Raises InfrastructureError if the disk refuses; nothing of it is left then, and what stood there before still does.
    """
    draft = temporary or path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with draft.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
    except OSError as error:
        raise InfrastructureError(f"cannot write {path}: {error.strerror or error}") from error
