"""Unpacking an archive of a repository that nobody has vouched for."""

import os
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ml_agent.errors import UsageError

SUFFIXES = (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar", ".zip")
MAX_FILES = 200_000
MAX_BYTES = 20_000_000_000
_CHUNK = 1 << 20


def unpack(archive: Path, target: Path) -> str | None:
    """Fill the empty folder `target`. Returns the commit that `git archive` wrote into it, if it did.

    Regular files and folders alone: links, devices and what leads out are left out. One folder that holds all of it is stripped.
    Raises UsageError for what is no archive, or too large.
    """
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as file:
                _fill(target, _of_zip(file))
                return _commit(file.comment.decode("ascii", "replace"))
        with tarfile.open(archive) as tar:
            _fill(target, _of_tar(tar))
            return _commit(tar.pax_headers.get("comment", ""))
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise UsageError(f"{archive} is no archive that can be unpacked: {error}") from error
    except OSError as error:
        raise UsageError(f"cannot unpack {archive}: {error.strerror or error}") from error


_Member = tuple[str, bool, "_Reader"]


class _Reader:
    """A member's bytes, opened when they are wanted."""

    def __init__(self, source: tarfile.TarFile | zipfile.ZipFile, member: tarfile.TarInfo | zipfile.ZipInfo) -> None:
        self._source, self._member = source, member

    def chunks(self) -> Iterator[bytes]:
        if isinstance(self._source, tarfile.TarFile):
            assert isinstance(self._member, tarfile.TarInfo)
            stream = self._source.extractfile(self._member)
        else:
            assert isinstance(self._member, zipfile.ZipInfo)
            stream = self._source.open(self._member)
        if stream is None:
            return
        with stream:
            while chunk := stream.read(_CHUNK):
                yield chunk


def _of_tar(tar: tarfile.TarFile) -> Iterator[_Member]:
    for member in tar:
        if member.isreg():
            yield member.name, bool(member.mode & stat.S_IXUSR), _Reader(tar, member)


def _of_zip(file: zipfile.ZipFile) -> Iterator[_Member]:
    for member in file.infolist():
        mode = member.external_attr >> 16
        if not member.is_dir() and (not mode or stat.S_ISREG(mode) or not stat.S_IFMT(mode)):
            yield member.filename, bool(mode & stat.S_IXUSR), _Reader(file, member)


def _fill(target: Path, members: Iterator[_Member]) -> None:
    room = MAX_BYTES
    for number, (name, executable, reader) in enumerate(members):
        parts = PurePosixPath(name).parts
        if number >= MAX_FILES:
            raise ValueError(f"more than {MAX_FILES:,} files")
        if not parts or name.startswith("/") or ".." in parts or ".git" in parts:
            continue
        place = target.joinpath(*parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as out:
            for chunk in reader.chunks():
                room -= len(chunk)
                if room < 0:
                    raise ValueError(f"more than {MAX_BYTES:,} bytes")
                out.write(chunk)
        place.chmod(0o755 if executable else 0o644)
    _strip(target)


def _strip(target: Path) -> None:
    entries = list(target.iterdir())
    if len(entries) != 1 or not entries[0].is_dir():
        return
    only = entries[0].rename(target / f".unpacked-{os.getpid()}")
    for entry in list(only.iterdir()):
        entry.rename(target / entry.name)
    only.rmdir()


def _commit(text: str) -> str | None:
    text = text.strip().lower()
    return text if len(text) in (40, 64) and set(text) <= set("0123456789abcdef") else None
