"""Folders of the cache that are there whole or not at all."""

import shutil
import tempfile
from pathlib import Path

from ml_agent.errors import InfrastructureError


def cache_folder() -> Path:
    """Where repositories are kept: in the user's cache folder (XDG)."""
    import platformdirs

    return platformdirs.user_cache_path("ml-agent") / "repositories"


class Making:
    """A folder that is there whole or not at all, whoever else makes it at the same time.

    Inside, `path` is a folder beside it with the empty folder `repository`; at the end, if nothing was raised, it gets its name. Raises
    InfrastructureError where the disk does not let it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> "Making":
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.path = Path(tempfile.mkdtemp(prefix=".making-", dir=self._folder.parent))
            (self.path / "repository").mkdir()
        except OSError as error:
            raise InfrastructureError(f"cannot write to {self._folder.parent}: {error.strerror}") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.path.rename(self._folder)
        except OSError as error:
            if not self._folder.is_dir():  # else another process was first, with the same
                raise InfrastructureError(f"cannot make {self._folder}: {error.strerror}") from error
        finally:
            shutil.rmtree(self.path, ignore_errors=True)
