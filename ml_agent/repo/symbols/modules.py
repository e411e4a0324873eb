"""Which file a module is, and what a module offers: its own names and those that it hands on from others."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from posixpath import basename, dirname, join, normpath

from ml_agent.repo.symbols.files import SymbolFiles
from ml_agent.repo.symbols.model import Definition, Export, Import, Symbol

_DEPTH = 10
"""Modules that a name is followed through."""
_SUFFIXES = (".pyi", ".py", ".pyw")


def dotted(path: str) -> str:
    """The path of a file as a dotted name; that of a package for its `__init__`."""
    head, dot, _ = path.rpartition(".")
    name = (head if dot and "/" not in path[len(head) :] else path).replace("/", ".")
    return name.removesuffix(".__init__") if name != "__init__" else ""


class Modules:
    """The modules among the files of a tree. Where a tree's import roots are is not known: a module is found by the end of its path."""

    def __init__(self, files: SymbolFiles) -> None:
        self._files = files
        self._tops: dict[str, dict[str, Definition]] = {}
        self._bound: dict[str, tuple[dict[str, Import], list[Import]]] = {}
        self._resolved: dict[tuple[str, str], tuple[Symbol | None, str]] = {}
        self._found: dict[tuple[str, str], str | None] = {}

    def find(self, name: str, beside: str = "") -> str | None:
        """The path of a module given as a path or a dotted name; of several the one nearest to the file `beside`."""
        if name in self._files:
            return name
        for package in (f"{name.rstrip('/')}/__init__.py", "__init__.py" if name in ("", ".") else ""):
            if package in self._files:
                return package
        return self._nearest(name, beside)

    def imported(self, module: str, path: str) -> str | None:
        """The path of a module as an import in the file `path` writes it; None if it is not in the tree."""
        name = module.lstrip(".")
        up = len(module) - len(name)
        if not up:
            return self._nearest(name, path)
        folder = normpath(join(dirname(path), *[".."] * (up - 1)))
        if folder.startswith(".."):
            return None
        place = normpath(join(folder, name.replace(".", "/")))
        candidates = [place + suffix for suffix in _SUFFIXES] + [normpath(join(place, "__init__" + suffix)) for suffix in _SUFFIXES]
        return next((candidate for candidate in candidates if candidate in self._files), None)

    def exports(self, path: str) -> tuple[Export, ...]:
        """What the module at that path offers: what it says itself, else its public names; those imported too, if it is a package."""
        symbols = self._files[path]
        names: dict[str, None] = {}
        if symbols.exported is not None:
            names = dict.fromkeys(symbols.exported)
        else:
            public = str.isupper if symbols.language == "go" else _public
            names = dict.fromkeys(d.name for d in symbols.definitions if not d.parent and public(d.name[:1]))
            if basename(path).startswith("__init__."):
                names.update(dict.fromkeys(name for name, _ in self._handed_on(path)))
        return tuple(self._export(path, name) for name in names)

    def resolve(self, path: str, name: str) -> tuple[Symbol | None, str]:
        """The definition that a name means at the top of a file, and `path:line` of the import that brings it (empty: none does)."""
        if (path, name) not in self._resolved:
            self._resolved[path, name] = self._resolve(path, name, _DEPTH)
        return self._resolved[path, name]

    def _resolve(self, path: str, name: str, depth: int) -> tuple[Symbol | None, str]:
        own = self.top_level(path).get(name)
        if own is not None:
            return Symbol(path, own), ""
        if not depth:
            return None, ""
        named, stars = self._imports(path)
        if one := named.get(name):
            module = self.imported(one.module, path) if one.original else None
            found = self._resolve(module, one.original, depth - 1)[0] if module and module != path else None
            return found, f"{path}:{one.line}"
        for one in stars:
            module = self.imported(one.module, path)
            if module and module != path and (found := self._resolve(module, name, depth - 1)[0]):
                return found, f"{path}:{one.line}"
        return None, ""

    def top_level(self, path: str) -> Mapping[str, Definition]:
        """The definitions at the top of a file by name; of several of a name the last."""
        if path not in self._tops:
            self._tops[path] = {d.name: d for d in self._files[path].definitions if not d.parent}
        return self._tops[path]

    def _imports(self, path: str) -> tuple[dict[str, Import], list[Import]]:
        """The imports of a file by the name they bind, of several the last, and its star imports."""
        if path not in self._bound:
            imports = self._files[path].imports
            self._bound[path] = {one.name: one for one in imports}, [one for one in imports if one.name == "*"]
        return self._bound[path]

    def _export(self, path: str, name: str) -> Export:
        symbol, through = self.resolve(path, name)
        return Export(name, symbol, through)

    def _handed_on(self, path: str, depth: int = _DEPTH) -> Iterator[tuple[str, str]]:
        """Public names that a package imports from the tree, with their module's path."""
        for one in self._files[path].imports:
            module = self.imported(one.module, path) if one.original else None
            if module is None or module == path or not depth:
                continue
            if one.name != "*":
                if _public(one.name):
                    yield one.name, module
            else:
                told = self._files[module].exported
                yield from ((name, module) for name in (self.top_level(module) if told is None else told) if _public(name))
                if told is None:
                    yield from self._handed_on(module, depth - 1)

    @cached_property
    def _by_last(self) -> dict[str, list[tuple[str, str]]]:
        """Dotted names and paths of the Python files by the last part of the name."""
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for path in self._files:
            if self._files.language(path) == "python":
                name = dotted(path)
                found[name.rpartition(".")[2]].append((name, path))
        return found

    def _nearest(self, name: str, beside: str) -> str | None:
        key = name, dirname(beside)
        if key not in self._found:
            candidates = [
                (known != name, -_shared(path, beside), len(path), path)
                for known, path in self._by_last.get(name.rpartition(".")[2], ())
                if known == name or known.endswith(f".{name}")
            ]
            self._found[key] = min(candidates)[-1] if candidates else None
        return self._found[key]


def _public(name: str) -> bool:
    return not name.startswith("_")


def _shared(a: str, b: str) -> int:
    """How many folders two paths have in common from the top."""
    count = 0
    for x, y in zip(a.split("/")[:-1], b.split("/")[:-1], strict=False):
        if x != y:
            break
        count += 1
    return count
