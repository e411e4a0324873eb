"""Python files of a repository as a program sees them: parsed once, and which file each of their imports leads to."""

import re
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property

from ml_agent.repo.entrypoints.glance import Glance, Import
from ml_agent.repo.entrypoints.module import Module, parsed
from ml_agent.repo.entrypoints.record import Record
from ml_agent.repo.entrypoints.signs import Way
from ml_agent.repo.files import FileTable
from ml_agent.repo.modules.roots import ImportRoots, Root
from ml_agent.repo.modules.search_path import added_folders, may_add

HELD_CHARACTERS = 2_500_000
"""Of the files whose syntax trees are kept; a tree takes some thirty times as much memory."""
MAX_BYTES = 1_000_000
"""A longer file is not parsed."""

_SETS_PATHS = re.compile(r"(?i)(?:^|\.)_*(?:(?:init|set|setup|add|auto)?_?paths?(?:_?(?:init|setup))?|init|context)$")
"""Modules that are imported for what they do to `sys.path`, by their names."""


class Sources:
    """Parses Python files at most once each and finds what they import from the same repository."""

    def __init__(self, files: FileTable, known: Callable[[str], Glance | None] = lambda path: None) -> None:
        """`known`: what an earlier glance at a file, as it is now, has told; None where there was none."""
        self.files = files
        self.record = Record()
        """What was asked since it was put here; see record.py."""
        self._known = known
        self.faults: dict[str, str] = {}
        """Why a file could not be parsed, by path."""
        self.kept: dict[object, object] = {}
        """What a reader wants kept as long as the sources."""
        self._modules: OrderedDict[str, Module | None] = OrderedDict()
        self._held = 0
        self._places: dict[tuple[str, tuple[str, ...]], str | None] = {}
        self._imported: dict[tuple[str, Import, tuple[Root, ...]], tuple[str, str | None] | None] = {}
        self._near: dict[tuple[str, str, int, Way, tuple[Root, ...]], bool] = {}
        self._glances: dict[str, Glance] = {}
        self._targets: dict[tuple[str, str, tuple[Root, ...]], tuple[str, ...]] = {}
        self._starts: dict[str, tuple[Root, ...]] = {}
        self._paths = frozenset(f.path for f in files.files)
        self._added: tuple[Root, ...] = ()
        """The folders that the program which is read puts on `sys.path` itself."""

    def forget(self) -> None:
        """Let go of syntax trees and what readers kept, which lead to one another."""
        self.kept.clear()
        self._modules.clear()
        self._held = 0

    @cached_property
    def roots(self) -> ImportRoots:
        return ImportRoots(self.files)

    def lists(self, path: str) -> bool:
        """Whether the walk listed this file: cheaper than to look on the disk."""
        self.record.paths.add(path)
        return path in self._paths

    def _roots(self, start: str) -> tuple[Root, ...]:
        if start not in self._starts:
            self._starts[start] = self.roots.roots(start)
        return self._starts[start]

    def module(self, path: str) -> Module | None:
        self.record.contents.add(path)
        if path in self._modules:
            self._modules.move_to_end(path)
            return self._modules[path]
        module = self._modules[path] = self._parse(path)
        self._held += len(module.text) if module else 0
        while self._held > HELD_CHARACTERS and len(self._modules) > 1:
            oldest = self._modules.popitem(last=False)[1]
            self._held -= len(oldest.text) if oldest else 0
        return module

    def begin(self, module: Module) -> None:
        """Another program is read: what it puts on `sys.path`, itself or by a module for that (`_init_paths`), is looked into as well."""
        self._added = ()
        setters = [module]
        for target in module.imports:
            if _SETS_PATHS.search(target.name or target.module) and (followed := self.followed(module, target, module.folder)):
                setters.append(followed[0])
        folders = [folder for each in setters if may_add(each.text) for folder in added_folders(each.tree, each.path)]
        self._added = tuple(Root(folder, False) for folder in dict.fromkeys(folders) if folder != module.folder)

    def _parse(self, path: str) -> Module | None:
        try:
            text = self.files.read(path)
        except OSError as error:
            self.faults[path] = f"cannot be read: {error.strerror or error}"
            return None
        if text.binary or text.cut or len(text.text) > MAX_BYTES:
            self.faults[path] = "binary" if text.binary else f"more than {MAX_BYTES:,} bytes: not read"
            return None
        try:
            return parsed(path, text.text)
        except SyntaxError as error:
            self.faults[path] = f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
            return None

    def near_parser(self, path: str, start: str, hops: int, way: Way = "argparse") -> bool:
        """Whether a file has to do with argparse (or with one of the other frameworks, by `way`), or imports one that does at most
        `hops` imports away. Does not parse."""
        key = (path, start, hops, way, self._added)
        if key not in self._near:
            self._near[key] = way in self.glance(path).ways or (
                hops > 0 and any(self.near_parser(f, start, hops - 1, way) for f in self.beside(path, start))
            )
        return self._near[key]

    def beside(self, path: str, start: str) -> tuple[str, ...]:
        """The files of the repository that a file imports."""
        key = (path, start, self._added)
        if key not in self._targets:
            folder = path.rpartition("/")[0] or "."
            found = (self._resolve_from(folder, t, start) for t in self.glance(path).imports)
            self._targets[key] = tuple(dict.fromkeys(f[0] for f in found if f is not None))
        return self._targets[key]

    def glance(self, path: str) -> Glance:
        """What is seen of a file without parsing it. Kept."""
        self.record.glances.add(path)
        found = self._glances.get(path) or self._known(path)
        if found is None:
            try:
                text = self.files.read(path).text
            except OSError:
                text = ""
            found = Glance.at(text)
        self._glances[path] = found
        return found

    def imported(self, module: Module, target: Import, start: str) -> tuple[str, str | None] | None:
        """The file that an import leads to, and the name to take from it; None if it is not of the repository.

        `start` is the folder of the program that runs.
        """
        return self._resolve_from(module.folder, target, start)

    def followed(self, module: Module, target: Import, start: str) -> tuple[Module, str | None] | None:
        """The module that an import leads to, and the name to take from it; None if it is not of the repository, or cannot be read."""
        found = self.imported(module, target, start)
        source = self.module(found[0]) if found is not None else None
        return (source, found[1]) if source is not None and found is not None else None

    def imported_from(self, folder: str, target: Import) -> str | None:
        """The file of a module as a program in `folder` would import it; None if it is not of the repository."""
        found = self._resolve_from(folder, target, folder)
        return found[0] if found else None

    def _resolve_from(self, folder: str, target: Import, start: str) -> tuple[str, str | None] | None:
        key = (folder if target.level else start, target)
        self.record.targets.add(key)
        within = (*key, () if target.level else self._added)
        if within not in self._imported:
            self._imported[within] = self._resolve(folder, target, start)
        return self._imported[within]

    def _resolve(self, base: str, target: Import, start: str) -> tuple[str, str | None] | None:
        if target.level:
            for _ in range(target.level - 1):
                base = base.rpartition("/")[0] or "."
            parts = [p for p in target.module.split(".") if p]
            if target.name and (path := self._file(base, [*parts, target.name])):
                return path, None
            path = self._file(base, parts)
            return (path, target.name) if path else None
        if target.name and (path := self._find(f"{target.module}.{target.name}", start)):
            return path, None
        path = self._find(target.module, start)
        return (path, target.name) if path else None

    def _file(self, base: str, parts: list[str]) -> str | None:
        stem = "/".join([*([] if base == "." else [base]), *parts])
        for path in (f"{stem}.py", f"{stem}/__init__.py") if stem else ("__init__.py",):
            if path in self._paths:
                return path
        return None

    def _find(self, dotted: str, start: str) -> str | None:
        found = self._find_usual(dotted, start)
        return found if found is not None or not self._added else self._find_below(dotted, self._added)

    def _find_usual(self, dotted: str, start: str) -> str | None:
        roots = self._roots(start)
        if roots and roots[0].folder == start:  # all others are the same for most programs
            own = self._find_below(dotted, roots[:1])
            return own if own is not None else self._find_below(dotted, roots[1:])
        return self._find_below(dotted, roots)

    def _find_below(self, dotted: str, roots: tuple[Root, ...]) -> str | None:
        key = (dotted, tuple(root.folder for root in roots))
        if key not in self._places:
            self._places[key] = None
            top = dotted.partition(".")[0]
            for root in roots:
                names = self.roots.children(root.folder)
                if top not in names and f"{top}.py" not in names and top not in self.roots.mapped:
                    continue
                place = self.roots.locate(dotted, root)
                if place is not None and place.readable and place.path.endswith(".py"):
                    self._places[key] = place.path
                    break
        return self._places[key]
