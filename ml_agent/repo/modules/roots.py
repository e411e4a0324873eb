"""Where Python would look for the repository's modules, and what lies there."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from ml_agent.repo.files import FileTable

_PATH_MAX = 4096
_PACKAGING = ("pyproject.toml", "setup.py", "setup.cfg")
_SOURCE_FOLDER = re.compile(
    r"""package[_-]dir\s*=\s*\{?\s*(?:["']{2})?\s*[:=]\s*["']([\w./-]+)["']"""  # package_dir={"": "lib"}, package-dir = {"" = "lib"}
    r"""|\b(?:where|from)\s*=\s*\[?\s*["']([\w./-]+)["']"""  # find_packages(where="src"), where = ["src"], from = "src"
    r"""|find(?:_namespace)?_packages\(\s*["']([\w./-]+)["']"""
)
_MAPPINGS = {
    "setup.py": re.compile(r"\{([^{}]*)\}"),  # wherever the dictionary is made: only folders that are there count
    "setup.cfg": re.compile(r"(?m)^package_dir[ \t]*=[ \t]*((?:\n[ \t]+[^\n]*)+)"),
    "pyproject.toml": re.compile(r"package-dir\s*=\s*\{([^{}]*)\}|\[tool\.setuptools\.package-dir\]([^\[]*)"),
}
_MAPPING = re.compile(r"""(?m)(?:["']([\w.]+)["']|^[ \t]*([\w.]+))[ \t]*[:=][ \t]*["']?([\w./-]+)""")
_COMPILED = re.compile(r"^(\w+)(?:\.(?:cpython|abi3|pypy|cp)[\w.-]*)?\.(?:so|pyd|pyx|pyi|dll|dylib)$")


@dataclass(frozen=True, slots=True)
class Root:
    folder: str
    certain: bool
    """Python surely looks here: the folder that it starts in, or one that is installed as a distribution."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a dotted name stands for on disk."""

    path: str
    """A `.py` file, or the folder of a package without `__init__.py`."""
    package: bool
    folder: str
    """Of its submodules, if it is a package."""
    readable: bool
    """False for compiled parts and for what the walk left out."""
    root: Root
    dotted: str


class ImportRoots:
    """Finds modules by name. Reads names of files only, and the packaging files."""

    def __init__(self, files: FileTable) -> None:
        self.files = files
        self._children: dict[str, set[str]] = defaultdict(set)
        self._compiled: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str], tuple[str, bool, bool] | None] = {}
        self._roots: dict[str, tuple[Root, ...]] = {}
        for file in files.files:
            path = file.path
            while path not in ("", "."):
                parent, name = split(path)
                if name in self._children[parent]:
                    break
                self._children[parent].add(name)
                path = parent

    def children(self, folder: str) -> set[str]:
        """Names of files and folders that the walk found in a folder."""
        return self._children.get(folder, set())

    def roots(self, workdir: str) -> tuple[Root, ...]:
        """Import roots for a program that starts in `workdir`, in Python's order, then those that only a set path would give."""
        if workdir not in self._roots:
            installed = self.installed
            found = {workdir: Root(workdir, True)}
            for folder in (".", "src"):
                if self.files.is_folder(folder):
                    found.setdefault(folder, Root(folder, folder in installed))
            for folder in installed:
                found.setdefault(folder, Root(folder, True))
            self._roots[workdir] = tuple(found.values())
        return self._roots[workdir]

    @cached_property
    def _packaging(self) -> list[str]:
        """The files that say what is installed, the shallowest first."""
        found = [f.path for f in self.files.files if split(f.path)[1] in _PACKAGING]
        return sorted(found, key=lambda p: (p.count("/"), p))[:100]

    @cached_property
    def installed(self) -> tuple[str, ...]:
        """Folders whose packages `pip install` puts on the path, the shallowest first."""
        found: dict[str, None] = {}
        for path in self._packaging:
            folder = split(path)[0]
            named = [next(g for g in m.groups() if g) for m in _SOURCE_FOLDER.finditer(read_text(self.files, path))]
            candidates = [join(folder, n) for n in named] + [join(folder, "src"), folder]
            for candidate in candidates:
                if candidate is not None and (candidate == "." or self.files.is_folder(candidate)):
                    found.setdefault(candidate)
        return tuple(found)

    def locate(self, dotted: str, root: Root) -> Place | None:
        """The module of that name below one root; None if there is none."""
        parts = dotted.split(".")
        if not all(p.isidentifier() for p in parts):
            return None
        folder = root.folder
        place = None
        for i, part in enumerate(parts):
            if place is not None and not place.package:
                return None
            dotted = ".".join(parts[: i + 1])
            place = self._child(folder, part, root, dotted) or self._mapped(dotted, root)
            if place is None:
                return None
            folder = place.folder
        return place

    @cached_property
    def mapped(self) -> dict[str, str]:
        """Packages that the repository installs from a folder of another name, by their dotted names."""
        found: dict[str, str] = {}
        for path in self._packaging:
            text = read_text(self.files, path)
            for section in _MAPPINGS[split(path)[1]].finditer(text) if re.search("package[_-]dir", text) else ():
                for pair in _MAPPING.finditer(section[section.lastindex or 0]):
                    folder = join(split(path)[0], pair[3])
                    if folder is not None and self.files.is_folder(folder):
                        found.setdefault(pair[1] or pair[2], folder)
        return found

    def _mapped(self, dotted: str, root: Root) -> Place | None:
        """A package of `package_dir`, or what lies in one."""
        if root.folder not in self.installed:
            return None
        if (folder := self.mapped.get(dotted)) is not None:
            whole = "__init__.py" in self.children(folder)
            return Place(below(folder, "__init__.py") if whole else folder, True, folder, True, root, dotted)
        parent, _, name = dotted.rpartition(".")
        return self._child(self.mapped[parent], name, root, dotted) if parent in self.mapped else None

    def _child(self, folder: str, name: str, root: Root, dotted: str) -> Place | None:
        key = folder, name
        if key not in self._found:
            self._found[key] = self._look(folder, name)
        found = self._found[key]
        return Place(found[0], found[1], below(folder, name), found[2], root, dotted) if found else None

    def _look(self, folder: str, name: str) -> tuple[str, bool, bool] | None:
        """Path, whether it is a package, whether it can be read; of a module or package directly in a folder."""
        inside = below(folder, name)
        names = self.children(folder)
        here = self.children(inside) if name in names else set()
        if "__init__.py" in here:
            return f"{inside}/__init__.py", True, True
        if f"{name}.py" in names:
            return f"{inside}.py", False, True
        if compiled := next((n for n in sorted(names) if (m := _COMPILED.match(n)) and m[1] == name), None):
            return below(folder, compiled), False, False
        if (path := self._left_out(folder, name)) is not None:
            return path, path.endswith("/__init__.py"), path.endswith(".py")
        return (inside, True, True) if here else None

    def _left_out(self, folder: str, name: str) -> str | None:
        """A module that is there, though the walk left it out: behind a link, or ignored by git."""
        for path in (join(folder, name, "__init__.py"), join(folder, f"{name}.py")):
            if path is not None and self.files.is_file(path):
                return path
        return next((join(folder, n) for n in self._compiled_on_disk(folder) if (m := _COMPILED.match(n)) and m[1] == name), None)

    def _compiled_on_disk(self, folder: str) -> list[str]:
        if folder not in self._compiled:
            names: list[str] = []
            if self.files.is_folder(folder):
                try:
                    with os.scandir(self.files.root / folder) as entries:
                        names = sorted(e.name for e in entries if _COMPILED.match(e.name))
                except OSError:
                    names = []  # unreadable: it holds nothing that can be imported
            self._compiled[folder] = names
        return self._compiled[folder]

    def name_of(self, path: str) -> str:
        """The shortest dotted name under which a Python file can be imported; empty if there is none."""
        names = []
        for root in self.roots("."):
            inside = path if root.folder == "." else path.removeprefix(root.folder + "/")
            if root.folder != "." and inside == path:
                continue
            parts = inside.removesuffix(".py").split("/")
            if parts[-1] == "__init__":
                parts.pop()
            if parts and all(p.isidentifier() for p in parts):
                names.append(((not root.certain, len(parts)), ".".join(parts)))
        return min(names)[1] if names else ""

    def top_level(self) -> Iterator[str]:
        """Names of packages and modules directly below the roots."""
        for root in self.roots("."):
            for name in self.children(root.folder):
                stem = name.removesuffix(".py")
                if stem.isidentifier() and (name.endswith(".py") or self.holds_python(join(root.folder, name) or name)):
                    yield stem
                elif compiled := _COMPILED.match(name):
                    yield compiled[1]

    def holds_python(self, folder: str) -> bool:
        return folder in self._python_folders

    @cached_property
    def _python_folders(self) -> frozenset[str]:
        """Folders with a Python file in them, at any depth."""
        found: set[str] = set()
        for file in self.files.files:
            if file.path.endswith((".py", ".pyx", ".so")):
                folder = split(file.path)[0]
                while folder not in found and folder != ".":
                    found.add(folder)
                    folder = split(folder)[0]
        return frozenset(found)


def read_text(files: FileTable, path: str) -> str:
    """The text of a file; empty if it cannot be read."""
    try:
        return files.read(path).text
    except OSError:
        return ""


def split(path: str) -> tuple[str, str]:
    """Folder (`.` at the root) and name."""
    folder, _, name = path.rpartition("/")
    return folder or ".", name


def below(folder: str, name: str) -> str:
    """The path of a name in a folder that is in its normal form."""
    return name if folder == "." else f"{folder}/{name}"


def join(*parts: str) -> str | None:
    """The normal form of a relative path, `.` for the root; None if it leaves the root or is longer than a path can be."""
    if sum(map(len, parts)) > _PATH_MAX:
        return None
    found: list[str] = []
    for part in PurePosixPath(*parts).parts:
        if part == "/":
            return None
        if part == "..":
            if not found:
                return None
            found.pop()
        elif part != ".":
            found.append(part)
    return "/".join(found) or "."
