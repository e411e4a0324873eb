"""Python files of a repository as a program sees them: parsed once, with the names each defines and imports."""

import ast
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ml_agent.repo.entrypoints.glance import Glance, Import
from ml_agent.repo.entrypoints.signs import Way, of_argparse, of_frameworks
from ml_agent.repo.files import FileTable
from ml_agent.repo.modules.roots import ImportRoots, Root
from ml_agent.repo.pysource import parse_python

PYTHON = (".py", ".pyw")
HELD_CHARACTERS = 4_000_000
"""Of the files whose syntax trees are kept; a tree takes some thirty times as much memory."""
MAX_BYTES = 1_000_000
"""A longer file is not parsed."""

Binding = Import | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr


@dataclass(eq=False)
class Module:
    path: str
    tree: ast.Module
    text: str
    names: dict[str, Binding] = field(default_factory=dict)
    """What the top level binds, the last binding of each name."""
    stars: list[Import] = field(default_factory=list)

    imports: list[Import] = field(default_factory=list)
    """All imports, within functions too."""

    @cached_property
    def parses_arguments(self) -> bool:
        return of_argparse(self.text)

    @cached_property
    def uses_framework(self) -> bool:
        return of_frameworks(self.text)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0] or "."


class Sources:
    """Parses Python files at most once each and finds what they import from the same repository."""

    def __init__(self, files: FileTable) -> None:
        self.files = files
        self.faults: dict[str, str] = {}
        """Why a file could not be parsed, by path."""
        self.kept: dict[object, object] = {}
        """What a reader wants kept as long as the sources."""
        self._modules: OrderedDict[str, Module | None] = OrderedDict()
        self._held = 0
        self._places: dict[tuple[str, str], str | None] = {}
        self._imported: dict[tuple[str, Import], tuple[str, str | None] | None] = {}
        self._near: dict[tuple[str, str, int, Way], bool] = {}
        self._glances: dict[str, Glance] = {}
        self._targets: dict[tuple[str, str], tuple[str, ...]] = {}
        self._starts: dict[str, tuple[Root, ...]] = {}
        self._paths = frozenset(f.path for f in files.files)

    @cached_property
    def roots(self) -> ImportRoots:
        return ImportRoots(self.files)

    def lists(self, path: str) -> bool:
        """Whether the walk listed this file: cheaper than to look on the disk."""
        return path in self._paths

    def _roots(self, start: str) -> tuple[Root, ...]:
        if start not in self._starts:
            self._starts[start] = self.roots.roots(start)
        return self._starts[start]

    def module(self, path: str) -> Module | None:
        if path in self._modules:
            self._modules.move_to_end(path)
            return self._modules[path]
        module = self._modules[path] = self._parse(path)
        self._held += len(module.text) if module else 0
        while self._held > HELD_CHARACTERS and len(self._modules) > 1:
            oldest = self._modules.popitem(last=False)[1]
            self._held -= len(oldest.text) if oldest else 0
        return module

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
            tree = parse_python(text.text)
        except SyntaxError as error:
            self.faults[path] = f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
            return None
        module = Module(path, tree, text.text)
        _bind(tree.body, module)
        for node in statements(tree):
            if isinstance(node, ast.Import):
                module.imports.extend(Import(a.name, 0, None) for a in node.names)
            elif isinstance(node, ast.ImportFrom):
                module.imports.extend(target for _, target in imports(node))
        return module

    def near_parser(self, path: str, start: str, hops: int, way: Way = "argparse") -> bool:
        """Whether a file has to do with argparse (or with one of the other frameworks, by `way`), or imports one that does at most
        `hops` imports away. Does not parse."""
        key = (path, start, hops, way)
        if key not in self._near:
            self._near[key] = False  # against circles
            self._near[key] = way in self.glance(path).ways or (
                hops > 0 and any(self.near_parser(f, start, hops - 1, way) for f in self._beside(path, start))
            )
        return self._near[key]

    def _beside(self, path: str, start: str) -> tuple[str, ...]:
        """The files of the repository that a file imports."""
        if (path, start) not in self._targets:
            folder = path.rpartition("/")[0] or "."
            found = (self._resolve_from(folder, t, start) for t in self.glance(path).imports)
            self._targets[path, start] = tuple(dict.fromkeys(f[0] for f in found if f is not None))
        return self._targets[path, start]

    def glance(self, path: str) -> Glance:
        """What is seen of a file without parsing it. Kept."""
        if path not in self._glances:
            try:
                text = self.files.read(path).text
            except OSError:
                text = ""
            self._glances[path] = Glance.at(text)
        return self._glances[path]

    def know(self, path: str, glance: Glance) -> None:
        """A glance at the file as it is now, from before."""
        self._glances[path] = glance

    def imported(self, module: Module, target: Import, start: str) -> tuple[str, str | None] | None:
        """The file that an import leads to, and the name to take from it; None if it is not of the repository.

        `start` is the folder of the program that runs.
        """
        return self._resolve_from(module.folder, target, start)

    def imported_from(self, folder: str, target: Import) -> str | None:
        """The file of a module as a program in `folder` would import it; None if it is not of the repository."""
        found = self._resolve_from(folder, target, folder)
        return found[0] if found else None

    def _resolve_from(self, folder: str, target: Import, start: str) -> tuple[str, str | None] | None:
        key = (folder if target.level else start, target)
        if key not in self._imported:
            self._imported[key] = self._resolve(folder, target, start)
        return self._imported[key]

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
        key = (dotted, start)
        if key not in self._places:
            self._places[key] = None
            top = dotted.partition(".")[0]
            for root in self._roots(start):
                names = self.roots.children(root.folder)
                if top not in names and f"{top}.py" not in names:
                    continue
                place = self.roots.locate(dotted, root)
                if place is not None and place.readable and place.path.endswith(".py"):
                    self._places[key] = place.path
                    break
        return self._places[key]


def _bind(body: list[ast.stmt], module: Module) -> None:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            module.names[node.name] = node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, target in imports(node):
                if name == "*":
                    module.stars.append(target)
                else:
                    module.names[name] = target
        elif isinstance(node, ast.Assign):
            for assigned in node.targets:
                if isinstance(assigned, ast.Name):
                    module.names[assigned.id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            module.names[node.target.id] = node.value
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            _bind(node.body, module)
            _bind(getattr(node, "orelse", []), module)
            for handler in getattr(node, "handlers", []):
                _bind(handler.body, module)


def imports(node: ast.Import | ast.ImportFrom) -> list[tuple[str, Import]]:
    """The names that an import statement binds, `*` among them."""
    if isinstance(node, ast.Import):
        return [
            (a.asname or a.name.partition(".")[0], Import(a.name if a.asname else a.name.partition(".")[0], 0, None)) for a in node.names
        ]
    return [(a.asname or a.name, Import(node.module or "", node.level, None if a.name == "*" else a.name)) for a in node.names]


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, in functions and classes too. Faster than `ast.walk`: it does not look into expressions."""
    stack = [node]
    while stack:
        current = stack.pop()
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            below = getattr(current, name, None)
            if isinstance(below, list):
                stack.extend(reversed(below))
        if isinstance(current, ast.stmt) and current is not node:
            yield current


def is_main_guard(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":`"""
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and len(node.test.comparators) == 1):
        return False
    sides = (node.test.left, node.test.comparators[0])
    return any(isinstance(s, ast.Name) and s.id == "__name__" for s in sides) and any(
        isinstance(s, ast.Constant) and s.value == "__main__" for s in sides
    )
