"""The repository's Python modules, read with `ast`, one file at a time and only when asked for."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from ml_agent.repo.files import FileTable
from ml_agent.repo.modules.definitions import Definition
from ml_agent.repo.modules.resolver import Resolver
from ml_agent.repo.modules.roots import ImportRoots, Place, read_text, split
from ml_agent.repo.modules.source import ModuleSource, read_source

_TOP_DEFINITION = re.compile(r"^(?:class|def|async\s+def)[ \t]+(\w+)", re.MULTILINE)
_EXTENSION = re.compile(r"ext_modules|Extension\s*\(|pybind11_add_module|cffi_modules")
_GENERATED = re.compile(r"^(?:_.*|version|.*_pb2|.*_pb2_grpc)$")
_LOOKED_AT = 50
"""Files that define one name."""
_BUILDERS = frozenset({"setup.py", "CMakeLists.txt", "pyproject.toml", "meson.build"})


class Module:
    """One module or package. What it holds is read at the first question."""

    def __init__(self, modules: "PythonModules", place: Place) -> None:
        self._modules = modules
        self.place = place
        self.dotted = place.dotted
        self.path = place.path
        self.package = place.package
        self.certain = place.root.certain
        """Whether Python would surely look where it was found."""
        self._known: dict[str, Definition | None] = {}

    @property
    def namespace(self) -> bool:
        """A package without `__init__.py`."""
        return self.package and self.place.readable and not self.path.endswith(".py")

    @cached_property
    def source(self) -> ModuleSource:
        """What its file says; empty for a package without `__init__.py`, open-ended for compiled parts."""
        if self.namespace:
            return ModuleSource()
        return self._modules.source(self.path) if self.place.readable else ModuleSource(open_ended=True)

    @cached_property
    def open_ended(self) -> bool:
        """It may have names that nobody can list without running it."""
        return self._modules.resolver.is_open(self)

    @cached_property
    def submodules(self) -> tuple[str, ...]:
        if not self.package:
            return ()
        names = self._modules.roots.children(self.place.folder)
        stems = {
            n.removesuffix(".py")
            for n in names
            if n.endswith(".py") or self._modules.roots.holds_python(f"{self.place.folder}/{n}".removeprefix("./"))
        }
        return tuple(sorted(s for s in stems if s.isidentifier() and s != "__init__"))

    @cached_property
    def names(self) -> frozenset[str]:
        """Names bound at its top level, those of star imports from inside the repository among them; no submodules."""
        return frozenset(self._modules.resolver.names(self))

    def get(self, name: str) -> Definition | None:
        """Where `module.name` comes from, through re-exports; a submodule too. None if it has no such name."""
        if name not in self._known:
            self._known[name] = self._modules.resolver.definition(self, name)
        return self._known[name]

    def enter(self, definition: Definition) -> "Module | None":
        """The module that a definition of kind `module` is."""
        return self._modules.of_definition(definition)


class Kept(Protocol):
    """What earlier readings of files have told."""

    def get(self, path: str) -> ModuleSource | None:
        """Of the file as it is now; None if it is not known."""

    def add(self, path: str, source: ModuleSource) -> None:
        """A file was read."""


class PythonModules:
    """All Python modules of one repository. `kept`: what need not be read again."""

    def __init__(self, files: FileTable, kept: Kept | None = None) -> None:
        self.files, self._kept = files, kept
        self.roots = ImportRoots(files)
        self.resolver = Resolver(self)
        self._sources: dict[str, ModuleSource] = {}
        self._modules: dict[tuple[str, str, bool], Module] = {}
        self._finds: dict[tuple[str, str], Module | None] = {}
        self._by_path: dict[str, Module] = {}

    # ------------------------------------------------------------------ finding
    def find(self, dotted: str, workdir: str = ".") -> Module | None:
        """The module of that name, for a program that starts in `workdir` (relative to the repository's root)."""
        key = dotted, workdir
        if key not in self._finds:
            self._finds[key] = self._find(dotted, workdir)
        return self._finds[key]

    def _find(self, dotted: str, workdir: str) -> Module | None:
        namespace = None
        for root in self.roots.roots(workdir):
            place = self.roots.locate(dotted, root)
            if place is None:
                continue
            module = self.at(place)
            if not module.namespace:
                return module
            if self.roots.holds_python(place.folder):
                namespace = namespace or module
        return namespace

    def owner(self, dotted: str, workdir: str = ".") -> Module | None:
        """The deepest module that a dotted name leads to: the repository's part of it."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            if found := self.find(".".join(parts[:end]), workdir):
                return found
        return None

    def top_level(self) -> frozenset[str]:
        """Names of packages and modules that can be imported from the root, `src` or an installed folder."""
        return frozenset(self.roots.top_level())

    def at(self, place: Place) -> Module:
        key = (place.path, place.dotted, place.root.certain)
        if key not in self._modules:
            self._modules[key] = Module(self, place)
            self._by_path.setdefault(place.path, self._modules[key])
        return self._modules[key]

    def of_definition(self, definition: Definition) -> Module | None:
        """The module that a definition is, or stands in."""
        return self._by_path.get(definition.path) or self.find(definition.module)

    def source(self, path: str) -> ModuleSource:
        """One file, read once. One that cannot be read whole comes out open-ended."""
        if path not in self._sources:
            found = self._kept.get(path) if self._kept else None
            if found is None:
                found = self._read(path)
                if self._kept:
                    self._kept.add(path, found)
            self._sources[path] = found
        return self._sources[path]

    def _read(self, path: str) -> ModuleSource:
        try:
            text = self.files.read(path)
        except OSError:
            return ModuleSource(open_ended=True)
        return read_source(text.text) if not (text.cut or text.binary) else ModuleSource(open_ended=True)

    def may_be_generated(self, name: str) -> bool:
        """Could building the package make a submodule of that name: compiled, a version file, protocol buffers?"""
        if _GENERATED.match(name):
            return True
        word = re.compile(rf"\b{re.escape(name)}\b")
        texts = (read_text(self.files, f.path) for f in self.files.files if split(f.path)[1] in _BUILDERS)
        return any(word.search(text) and _EXTENSION.search(text) for text in texts)

    # ------------------------------------------------------------------ by name
    def exports_of(self, name: str, limit: int = 5) -> tuple[Definition, ...]:
        """Classes and functions of that name, else of the names nearest to it; each with the shortest module that offers it."""
        found: list[Definition] = []
        for one in nearest_names(name, self.defined, limit):
            offered = [d for path in self.defined[one][:_LOOKED_AT] if (d := self.offered(path, one))]
            found.extend(sorted(offered, key=lambda d: (d.module.count("."), d.path)))
        return tuple(found[:limit])

    def of_file(self, path: str) -> Module | None:
        """The module that a file is; None if no import root reaches it."""
        dotted = self.roots.name_of(path)
        module = self.find(dotted) if dotted else None
        return module if module is not None and module.path == path else None

    def offered(self, path: str, name: str) -> Definition | None:
        """A class or function that a file defines at its top, with the shortest module that offers it; None if no import reaches it."""
        module = self.of_file(path)
        definition = self.resolver.own(module, name) if module else None
        if module is None or definition is None or definition.kind not in ("class", "function"):
            return None
        parts = module.dotted.split(".")
        for end in range(1, len(parts)):
            package = self.find(".".join(parts[:end]))
            offered = package.get(name) if package else None
            if package and offered and (offered.kind, offered.path, offered.line) == (definition.kind, definition.path, definition.line):
                return replace(definition, module=package.dotted)
        return definition

    @cached_property
    def defined(self) -> dict[str, list[str]]:
        return defined_in(self.files)


def defined_in(files: FileTable) -> dict[str, list[str]]:
    """Names of top-level functions and classes, with the files that hold them."""
    found: dict[str, list[str]] = {}
    for file in files.files:
        if file.path.endswith(".py"):
            for name in dict.fromkeys(_TOP_DEFINITION.findall(read_text(files, file.path))):
                found.setdefault(name, []).append(file.path)
    return found


def nearest_names(name: str, known: Iterable[str], limit: int = 5) -> list[str]:
    """`name` itself if it is known, else the known names that are spelled most like it; upper and lower case are alike."""
    from rapidfuzz import fuzz, process, utils

    names = list(known)
    if name in names:
        return [name]
    return [m[0] for m in process.extract(name, names, scorer=fuzz.ratio, processor=utils.default_process, limit=limit, score_cutoff=75)]
