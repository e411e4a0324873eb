"""What the repository's code imports from elsewhere."""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from ml_agent.repo.modules import PythonModules
from ml_agent.repo.pysource import dotted_name, parse_python

MAX_FILES = 20_000

Need = Literal["needed", "inside", "optional", "development"]
"""When a run meets an import: always; in a function or under a condition; where its failure is caught; in tests, documents, setup.py."""
_RANK: tuple[Need, ...] = ("needed", "inside", "optional", "development")

_LINE = re.compile(r"[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+(\w+))")
_CAUGHT = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_BESIDE = re.compile(r"(?:^|/)(?:tests?|testing|docs?|setup\.py|conftest\.py|noxfile\.py|test_[^/]*\.py|[^/]*_test\.py)(?:/|$)")


@dataclass(frozen=True, slots=True)
class Imported:
    """A module, by its top-level name, that is neither in the standard library nor surely the repository's own."""

    module: str
    path: str
    line: int
    """Of the first import of the strongest kind."""
    files: int
    """How many files import it."""
    need: Need
    perhaps_own: bool
    """The repository has a module of that name, in a folder that Python searches for some programs only."""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Imports:
    modules: tuple[Imported, ...]
    """Most used first."""
    by_line: tuple[str, ...]
    """Files that are no Python 3: their imports were read line by line."""
    unread: tuple[str, ...]
    """Files that were not read: too large, no text, not readable."""


def read_imports(modules: PythonModules, standard: Collection[str]) -> Imports:
    """Top-level names; `standard` are those of the standard library. At most the first 20,000 files are read, the shallowest first."""
    own = _Own(modules)
    found: dict[str, Imported] = {}
    by_line, unread = [], []
    paths = sorted((f.path for f in modules.files.files if f.path.endswith(".py")), key=lambda p: (p.count("/"), p))
    for path in paths[:MAX_FILES]:
        try:
            text = modules.files.read(path)
        except OSError:
            unread.append(path)
            continue
        if text.cut or text.binary:
            unread.append(path)
            continue
        try:
            imports = list(_of_tree(parse_python(text.text)))
        except SyntaxError:
            by_line.append(path)
            imports = [(m[1] or m[2], n, "needed") for n, line in enumerate(text.lines, 1) if (m := _LINE.match(line))]
        for name, line, need in _strongest(imports, beside=_BESIDE.search(path) is not None):
            if name not in standard and (perhaps := own.has(name, path)) != "yes":
                _add(found, Imported(name, path, line, 1, need, perhaps == "perhaps"))
    ordered = sorted(found.values(), key=lambda i: (_RANK.index(i.need), -i.files, i.module))
    return Imports(tuple(ordered), tuple(by_line), (*unread, *paths[MAX_FILES:]))


def _add(found: dict[str, Imported], new: Imported) -> None:
    before = found.get(new.module)
    if before is None:
        found[new.module] = new
        return
    best = new if _RANK.index(new.need) < _RANK.index(before.need) else before
    found[new.module] = Imported(
        new.module, best.path, best.line, before.files + 1, best.need, perhaps_own=before.perhaps_own or new.perhaps_own
    )


def _strongest(imports: list[tuple[str, int, Need]], *, beside: bool) -> list[tuple[str, int, Need]]:
    """Each name once, as the import that a run needs most."""
    best: dict[str, tuple[str, int, Need]] = {}
    for name, line, need in imports:
        kind: Need = "development" if beside else need
        if name not in best or _RANK.index(kind) < _RANK.index(best[name][2]):
            best[name] = (name, line, kind)
    return list(best.values())


class _Own:
    """Is a module the repository's own?"""

    def __init__(self, modules: PythonModules) -> None:
        self._modules = modules
        self._known: dict[tuple[str, str], Literal["yes", "perhaps", "no"]] = {}
        self._anywhere: set[str] = set()
        for file in modules.files.files:
            if file.path.endswith((".py", ".pyx", ".so", ".ipynb")):
                *folders, name = file.path.split("/")
                self._anywhere.update(folders)
                self._anywhere.add(name.split(".")[0])

    def has(self, name: str, path: str) -> Literal["yes", "perhaps", "no"]:
        folder = path.rpartition("/")[0] or "."
        if (name, folder) not in self._known:
            self._known[name, folder] = self._has(name, folder)
        return self._known[name, folder]

    def _has(self, name: str, folder: str) -> Literal["yes", "perhaps", "no"]:
        # The folder of a module in a package is searched for no import, unless the module itself is started.
        for workdir in (".",) if self._modules.files.is_file(f"{folder}/__init__.py") else (folder, "."):
            module = self._modules.find(name, workdir)
            if module is not None and not module.namespace:
                return "yes"
        return "perhaps" if name in self._anywhere else "no"


def _of_tree(tree: ast.Module) -> Iterator[tuple[str, int, Need]]:
    """Top-level name, line and kind of each absolute import."""
    stack: list[tuple[ast.AST, Need]] = [(tree, "needed")]
    while stack:
        node, need = stack.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node.lineno, need) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level == 0 and node.module:
                yield node.module.split(".")[0], node.lineno, need
        elif isinstance(node, (ast.Try, ast.TryStar)):
            caught: Need = "optional" if any(_catches_import(h) for h in node.handlers) else need
            stack.extend((n, caught) for n in node.body)
            # What is imported in the place of something that failed is a choice too.
            stack.extend((n, caught) for h in node.handlers for n in h.body)
            stack.extend((n, need) for n in (*node.orelse, *node.finalbody))
        elif isinstance(node, ast.If):
            typing = (dotted_name(node.test) or "").rpartition(".")[2] == "TYPE_CHECKING"
            main = isinstance(node.test, ast.Compare) and dotted_name(node.test.left) == "__name__"
            stack.extend((n, "optional" if typing else need if main else _weaker(need)) for n in node.body)
            stack.extend((n, _weaker(need)) for n in node.orelse)
        elif isinstance(node, (ast.With, ast.AsyncWith)) and any(_suppresses(i.context_expr) for i in node.items):
            stack.extend((n, "optional") for n in node.body)
        else:
            inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            children = (n for n in ast.iter_child_nodes(node) if isinstance(n, (ast.stmt, ast.match_case)))
            stack.extend((n, _weaker(need) if inside else need) for n in children)


def _weaker(need: Need) -> Need:
    return "inside" if need == "needed" else need


def _catches_import(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(one is None or (dotted_name(one) or "").rpartition(".")[2] in _CAUGHT for one in caught)


def _suppresses(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and (dotted_name(expression.func) or "").rpartition(".")[2] == "suppress"
