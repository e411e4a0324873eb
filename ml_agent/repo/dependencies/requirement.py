"""One requirement in the words that pip takes: PEP 508, an address, a path."""

import re
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, canonicalize_name, parse_sdist_filename, parse_wheel_filename

MAX_LENGTH = 2_000

_OPTIONS = re.compile(r"\s+--?[A-Za-z].*$", re.DOTALL)
_ADDRESS = re.compile(r"(?:(?:git|hg|svn|bzr)\+)?[a-z]+(?:\+[a-z]+)?://|git\+\S+@|git\+file:", re.IGNORECASE)
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9][\w.-]*)")
_ARCHIVE = re.compile(r"\.(?:whl|zip|tar\.gz|tgz|tar\.bz2|tar\.xz|tar)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    text: str
    name: str
    """Normalised; empty if only installing it would tell."""
    specifier: str = ""
    marker: str = ""


def parse_requirement(written: str) -> Parsed:
    """Options at the end (`--hash=...`) are left out.

    Raises ValueError, with what is wrong in one line, for what pip would not take either.
    """
    text = _OPTIONS.sub("", written.strip()).strip()
    if not text or len(text) > MAX_LENGTH:
        raise ValueError("an empty requirement" if not text else f"a requirement of more than {MAX_LENGTH:,} characters")
    if _ADDRESS.match(text):
        address, _, marker = text.partition(" ;")
        return Parsed(text, _name_of_address(address.strip()), marker=marker.strip())
    if is_path(text):
        return Parsed(text, _name_of_archive(text.rpartition("/")[2]))
    try:
        found = Requirement(text)
    except (InvalidRequirement, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "nested too deeply"
        raise ValueError(f"`{text[:80]}` is no requirement that pip takes: {reason}") from error
    return Parsed(text, canonicalize_name(found.name), str(found.specifier), str(found.marker or ""))


def is_path(text: str) -> bool:
    """A folder or an archive, which pip tells from a name by its slash or its ending; `name @ address` is neither."""
    first = re.split(r"[;@]", text)[0].strip()
    return text in (".", "..") or text.startswith(("./", "../", "/", ".[", "file:")) or "/" in first or bool(_ARCHIVE.search(first))


def _name_of_address(address: str) -> str:
    if egg := _EGG.search(address):
        return canonicalize_name(egg[1])
    last = re.split(r"[#?]", address)[0].rstrip("/").rpartition("/")[2]
    if _ARCHIVE.search(last):
        return _name_of_archive(last)
    return canonicalize_name(re.sub(r"(?:\.git)?(?:@.*)?$", "", last)) if re.match(r"(?:git|hg|svn|bzr)\+", address) else ""


def _name_of_archive(name: str) -> str:
    try:
        return parse_wheel_filename(name)[0] if name.endswith(".whl") else parse_sdist_filename(name)[0]
    except (InvalidWheelFilename, InvalidSdistFilename):
        return ""
