"""setup.py, read from its syntax tree and never run: what is written out, and the files that it reads the rest from."""

import ast
from collections.abc import Iterator
from posixpath import join

from ml_agent.repo.dependencies.base import Collector, Source
from ml_agent.repo.dependencies.groups import nested
from ml_agent.repo.dependencies.requirements_txt import RequirementsReader
from ml_agent.repo.pysource import dotted_name, parse_python, unparse

MAX_DEPTH = 20
"""Names followed from one to the next."""

Written = tuple[str, int]
"""A text and its line."""


def read_setup_py(found: Collector, path: str, group: str = "") -> None:
    text = found.text(path)
    if text is None:
        return
    try:
        tree = parse_python(text.text)
    except SyntaxError as error:
        found.fault(f"{path}:{error.lineno}" if error.lineno else path, f"it is no Python 3: {error.msg}")
        return
    _SetupPy(found, path, group, tree).read()


class _SetupPy:
    def __init__(self, found: Collector, path: str, group: str, tree: ast.Module) -> None:
        self._found, self._path, self._group, self._tree = found, path, group, tree
        self._source = Source(path, "project")
        self._assigned: dict[str, list[ast.expr]] = {}
        self._functions: dict[str, ast.FunctionDef] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._assign(target, node.value)
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
                self._assign(node.target, node.value)
            elif isinstance(node, ast.FunctionDef):
                self._functions[node.name] = node

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._assigned.setdefault(target.id, []).append(value)

    def read(self) -> None:
        for call in ast.walk(self._tree):
            if isinstance(call, ast.Call) and (dotted_name(call.func) or "").rpartition(".")[2] == "setup":
                for key, value in self._keywords(call):
                    self._keyword(key, value)

    def _keywords(self, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """Those of a dictionary that is handed over with `**` too."""
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value
            else:
                yield from ((key, value) for key, value, _ in self._items(keyword.value))

    def _keyword(self, key: str, value: ast.expr) -> None:
        if key == "install_requires":
            self._requirements(value, self._group, key)
        elif key == "tests_require":
            self._requirements(value, nested(self._group, "tests"), key)
        elif key == "extras_require":
            items = list(self._items(value))
            for extra, texts, _ in items:
                self._requirements(texts, nested(self._group, f"[{extra}]"), f"the extra `{extra}`")
            if not items and not (isinstance(value, ast.Dict) and not value.keys):
                self._requirements(value, nested(self._group, "[extras]"), key)
        elif key == "python_requires":
            written = [text for text, _ in self._texts(value)[0]]
            if len(written) == 1:
                self._found.python(written[0], self._path, value.lineno, self._group)
        elif key in ("ext_modules", "cmake_source_dir", "rust_extensions"):
            self._found.compiled.add(self._source.folder)

    def _requirements(self, value: ast.expr, group: str, what: str) -> None:
        texts, computed = self._texts(value)
        for text, line in texts:
            for one in text.split("\n"):
                if one.strip():
                    self._found.add(one.strip(), self._source, self._path, line, group)
        for expression in computed:
            files = list(dict.fromkeys(self._files(expression)))
            for name in files:
                RequirementsReader(self._found, self._source, group).line(f"-r {name}", self._path, expression.lineno)
            if not files:
                self._found.fault(f"{self._path}:{expression.lineno}", f"{what} is computed: `{unparse(expression, 60)}`")

    def _texts(self, value: ast.expr) -> tuple[list[Written], list[ast.expr]]:
        """The texts that an expression holds, through names and sums, and the parts that only running it would tell."""
        texts: list[Written] = []
        computed: list[ast.expr] = []
        stack, followed = [value], 0
        while stack:
            node = stack.pop()
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str):
                    texts.append((node.value, node.lineno))
            elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
                stack.extend(reversed(node.elts))
            elif isinstance(node, ast.Starred):
                stack.append(node.value)
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                stack.extend((node.right, node.left))
            elif isinstance(node, ast.IfExp):
                stack.extend((node.orelse, node.body))
            elif isinstance(node, ast.Name) and node.id in self._assigned and followed < MAX_DEPTH:
                followed += 1
                stack.extend(reversed(self._assigned[node.id]))
            else:
                computed.append(node)
        return texts, computed

    def _items(self, value: ast.expr, depth: int = 0) -> Iterator[tuple[str, ast.expr, int]]:
        """Keys that are written out, with their values, of a dictionary or of a name for one."""
        if isinstance(value, ast.Name) and depth < MAX_DEPTH:
            for assigned in self._assigned.get(value.id, ()):
                yield from self._items(assigned, depth + 1)
        elif isinstance(value, ast.Dict):
            for key, entry in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, entry, key.lineno
                elif key is None:
                    yield from self._items(entry, depth + 1)
        elif isinstance(value, ast.Call) and dotted_name(value.func) == "dict":
            yield from ((k.arg, k.value, k.value.lineno) for k in value.keywords if k.arg)

    def _files(self, expression: ast.expr) -> Iterator[str]:
        """Files of the repository that an expression names, or else the body of the function that it calls."""
        nodes: list[ast.AST] = [expression]
        for depth in range(3):
            named = [n.value for node in nodes for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            files = [name for name in named if name.endswith((".txt", ".in")) and self._is_file(name)]
            if files or depth == 2:
                yield from files
                return
            names = {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}
            nodes = [self._functions[name] for name in sorted(names) if name in self._functions]
            nodes += [value for name in sorted(names) for value in self._assigned.get(name, ())]

    def _is_file(self, name: str) -> bool:
        return self._found.files.is_file(join(self._path.rpartition("/")[0], name))
