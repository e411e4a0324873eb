"""What a repository declares, as data, and what its readers fill in."""

from dataclasses import dataclass, field
from typing import Literal

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from ml_agent.repo.dependencies.requirement import parse_requirement
from ml_agent.repo.files import FileTable, Text

MAX_BYTES = 200_000
"""Of one file of declarations."""
MAX_REQUIREMENTS = 20_000

SourceKind = Literal["requirements", "project", "conda", "pipfile"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file that an installer is pointed at."""

    path: str
    kind: SourceKind

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0] or "."


@dataclass(frozen=True, slots=True)
class Declared:
    """One requirement."""

    text: str
    """As written, or as what is written there means to pip."""
    name: str
    """Of the distribution, normalised (PEP 503); empty if the requirement does not tell."""
    specifier: str
    """PEP 440; empty for any version."""
    marker: str
    """PEP 508; empty for always."""
    path: str
    line: int
    source: Source
    """The file to install from; another one than `path` where that one includes this one."""
    group: str = ""
    """Empty for what using the repository needs; else the name of the extra, group, file or part that needs it."""
    constraint: bool = False
    """It says which version, if something else asks for the distribution."""
    python_package: bool = True
    """False for what only conda has: compilers, CUDA, libraries."""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class PythonDeclared:
    """The versions of Python that a file asks for."""

    specifier: str
    path: str
    line: int
    group: str = ""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Unread:
    """A file, or a place in it, that says something which could not be read."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Declarations:
    requirements: tuple[Declared, ...]
    python: tuple[PythonDeclared, ...]
    sources: tuple[Source, ...]
    """Each file that declares something, the most important first."""
    indexes: tuple[str, ...]
    """Options that say where else to look for packages, as written: `--extra-index-url https://...`."""
    compiled: frozenset[str]
    """Folders whose installation compiles something."""
    unread: tuple[Unread, ...]


@dataclass(slots=True)
class Collector:
    """Where the readers put what they find. Each fault is kept with its place, none ends the reading."""

    files: FileTable
    requirements: dict[tuple[str, int, str, str, bool], Declared] = field(default_factory=dict)
    python_versions: list[PythonDeclared] = field(default_factory=list)
    indexes: dict[str, None] = field(default_factory=dict)
    compiled: set[str] = field(default_factory=set)
    unread: dict[Unread, None] = field(default_factory=dict)

    def text(self, path: str) -> Text | None:
        """The whole text of a file; None if it cannot be had, which is then said."""
        try:
            text = self.files.read(path, MAX_BYTES)
        except OSError as error:
            self.fault(path, error.strerror or str(error))
            return None
        if text.binary or text.cut:
            self.fault(path, "it is not text" if text.binary else f"it is longer than {MAX_BYTES:,} bytes")
            return None
        return text

    def fault(self, place: str, reason: str) -> None:
        self.unread.setdefault(Unread(place, " ".join(reason.split())[:300]))

    def add(
        self, written: str, source: Source, path: str, line: int, group: str = "", *, constraint: bool = False, python_package: bool = True
    ) -> None:
        """Keep a requirement. One that several files include is kept once, as needed if one of them needs it."""
        if len(self.requirements) >= MAX_REQUIREMENTS:
            self.fault(source.path, f"there are more than {MAX_REQUIREMENTS:,} requirements: the rest was not read")
            return
        try:
            found = parse_requirement(written)
        except ValueError as error:
            self.fault(f"{path}:{line}", str(error))
            return
        declared = Declared(
            found.text, found.name, found.specifier, found.marker, path, line, source, group, constraint, python_package=python_package
        )
        key = (path, line, found.name, found.text, constraint)
        before = self.requirements.get(key)
        if before is None or (before.group and not group):
            self.requirements[key] = declared

    def python(self, specifier: str, path: str, line: int, group: str = "") -> None:
        try:
            written = str(SpecifierSet(specifier))
        except InvalidSpecifier:
            self.fault(f"{path}:{line}", f"`{specifier}` is no version specifier of Python")
            return
        if written:
            self.python_versions.append(PythonDeclared(written, path, line, group))
