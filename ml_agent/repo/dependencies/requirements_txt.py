"""requirements.txt: requirements, one a line, and the options that pip knows in such a file."""

import re
from collections.abc import Iterator
from posixpath import join

from ml_agent.repo.dependencies.base import Collector, Source
from ml_agent.repo.dependencies.requirement import is_path

MAX_INCLUDED = 50

_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTION = re.compile(r"(--?[A-Za-z][\w-]*)(?:\s*=\s*|\s+)?(.*)", re.DOTALL)
_SHORT = re.compile(r"-([rceif])\s*(.*)", re.DOTALL)
_LONG = {"r": "--requirement", "c": "--constraint", "e": "--editable", "i": "--index-url", "f": "--find-links"}
_INDEXES = ("--index-url", "--extra-index-url", "--find-links", "--no-index")


class RequirementsReader:
    """Reads one file and those that it includes, each once."""

    def __init__(self, found: Collector, source: Source, group: str = "") -> None:
        self._found, self._source, self._group = found, source, group
        self._seen: set[tuple[str, bool]] = set()

    def read(self, path: str, *, constraint: bool = False) -> None:
        if (path, constraint) in self._seen:
            return
        if len(self._seen) >= MAX_INCLUDED:
            self._found.fault(self._source.path, f"it includes more than {MAX_INCLUDED} files: the rest was not read")
            return
        self._seen.add((path, constraint))
        text = self._found.text(path)
        for line, written in logical_lines(text.lines) if text is not None else ():
            self.line(written, path, line, constraint=constraint)

    def line(self, written: str, path: str, line: int, *, constraint: bool = False) -> None:
        """One line without its comment: also an entry below `pip:` of a conda environment."""
        if not written.startswith("-"):
            if not (is_path(written) and self._is_here(written, path)):
                self._found.add(written, self._source, path, line, self._group, constraint=constraint)
            return
        name, value = _option(written)
        if name in ("--requirement", "--constraint"):
            self._include(value, path, line, constraint=constraint or name == "--constraint")
        elif name == "--editable":
            if not self._is_here(value, path):
                self._found.add(value, self._source, path, line, self._group, constraint=constraint)
        elif name in _INDEXES:
            self._found.indexes.setdefault(f"{name} {value}".strip())

    def _include(self, value: str, path: str, line: int, *, constraint: bool) -> None:
        place = f"{path}:{line}"
        if "://" in value:
            self._found.fault(place, f"it includes {value}, which is not in the repository")
            return
        inside = self._found.files.normalise(join(path.rpartition("/")[0], value)) if value else None
        if inside is None or not self._found.files.is_file(inside):
            self._found.fault(place, f"it includes `{value}`, which is no file of the repository")
            return
        self.read(inside, constraint=constraint)

    def _is_here(self, value: str, path: str) -> bool:
        """The repository itself, or a folder of it: what that one declares is read from its own files."""
        folder = re.sub(r"\[[^\]]*\]$", "", value).removeprefix("file:")
        return "://" not in value and self._found.files.is_folder(join(path.rpartition("/")[0], folder) or ".")


def logical_lines(lines: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    r"""Number of the first line and the text, without comments and blank ones; a `\` at the end joins the next."""
    begun, parts = 0, [""]
    for number, raw in enumerate((*lines, ""), 1):
        comment = raw.lstrip().startswith("#")
        joined = raw.endswith("\\") and not comment
        begun = begun or number
        parts.append(raw[:-1] if joined else raw)
        if joined and number <= len(lines):
            continue
        text = _COMMENT.sub("", "".join(parts)).strip() if not comment else ""
        if text:
            yield begun, text
        begun, parts = 0, [""]


def _option(written: str) -> tuple[str, str]:
    if short := _SHORT.fullmatch(written):
        return _LONG[short[1]], short[2].strip()
    found = _OPTION.fullmatch(written)
    return (found[1], found[2].strip()) if found else (written, "")
