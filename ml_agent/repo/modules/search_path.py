"""The folders that a program puts on `sys.path` itself, as far as its text says them.

`sys.path.append(os.path.join(os.path.dirname(__file__), ".."))` and what is written like it: joined, named, split, made absolute, as a
`Path`; also by a function of its own that is called as what it does (`add_path(lib)`).
"""

import ast
import re
from collections.abc import Mapping, Sequence

from ml_agent.repo.modules.roots import join, split
from ml_agent.repo.pysource import dotted_name, walk

_ADDS = frozenset({"sys.path.append", "sys.path.insert", "path.append", "path.insert", "site.addsitedir"})
_ADDING = r"(?:add|insert|append)_?(?:to_)?(?:sys_?)?path"
_OWN = re.compile(rf"(?:\w+\.)*_?{_ADDING}")
"""Functions of a program's own that do the same."""
_SAME = frozenset("abspath realpath normpath expanduser resolve absolute str Path PurePath fspath as_posix".split())
_HERE = "\0/"
"""In front of what counts from the root; no path has it."""
_MOST, _DEPTH, _LEVELS = 12, 20, 40


_MAY_ADD = re.compile(rf"\bpath\.(?:append|insert)\b|addsitedir|{_ADDING}")


def may_add(text: str) -> bool:
    """Whether a file's text has words for that, so that it is worth a look."""
    return _MAY_ADD.search(text) is not None


def added_folders(tree: ast.Module, path: str) -> tuple[str, ...]:
    """Folders from the repository's root, in the order in which the file names them; none that is outside.

    What is relative counts from the file's own folder, and from the root: where a program is started is not known.
    """
    names: dict[str, ast.expr] = {}
    calls: list[ast.Call] = []
    found: dict[str, None] = {}
    for node in walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            names.setdefault(node.targets[0].id, node.value)
        elif isinstance(node, ast.Call) and node.args:
            calls.append(node)
    reading = _Reading(names, path)
    for node in calls:
        called = dotted_name(node.func)
        if called is None or not (called in _ADDS or _OWN.fullmatch(called)):
            continue
        text = reading.text(node.args[-1])
        if text is None:
            continue
        for base in (".",) if text.startswith(_HERE) else (split(path)[0], "."):
            folder = join(base, text.removeprefix(_HERE))
            if folder is not None and len(found) < _MOST:
                found.setdefault(folder)
    return tuple(found)


class _Reading:
    """Paths in expressions: what begins with the file's own place begins with `_HERE`, and counts from the root."""

    def __init__(self, names: Mapping[str, ast.expr], path: str) -> None:
        self._names, self._path = names, path
        self._known: dict[str, str | None] = {}
        """What each name stands for; None too while that is looked for."""

    def text(self, node: ast.expr, depth: int = 0) -> str | None:
        if depth > _DEPTH:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            if node.id == "__file__":
                return _HERE + self._path
            if node.id not in self._known and node.id in self._names:
                self._known[node.id] = None
                self._known[node.id] = self.text(self._names[node.id], depth + 1)
            return self._known.get(node.id)
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            return self._above(node.value, 1, depth)
        if isinstance(node, ast.Attribute):
            return ".." if node.attr == "pardir" else None
        if isinstance(node, ast.Subscript):
            return self._item(node, depth)
        if isinstance(node, ast.BinOp):
            return self._joined(node, depth)
        if isinstance(node, ast.JoinedStr):
            values = [v.value if isinstance(v, ast.FormattedValue) else v for v in node.values]
            parts = [self.text(v, depth + 1) for v in values]
            return None if None in parts else "".join(p for p in parts if p is not None)
        return self._called(node, depth) if isinstance(node, ast.Call) else None

    def _called(self, node: ast.Call, depth: int) -> str | None:
        name = (dotted_name(node.func) or (node.func.attr if isinstance(node.func, ast.Attribute) else "")).rpartition(".")[2]
        inside = node.args[0] if node.args else node.func.value if isinstance(node.func, ast.Attribute) else None
        if name == "getcwd":
            return _HERE + "."
        if name in ("getfile", "getsourcefile"):
            return _HERE + self._path
        if inside is None:
            return None
        if name in _SAME:
            return self.text(inside, depth + 1)
        if name == "dirname":
            return self._above(inside, 1, depth)
        if name == "join":
            return self._join([self.text(a, depth + 1) for a in node.args])
        return None

    def _item(self, node: ast.Subscript, depth: int) -> str | None:
        """`os.path.split(x)[0]`, `x.parents[1]`, `sys.path[0]`."""
        number = node.slice.value if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int) else None
        if number is None or not 0 <= number < _LEVELS:
            return None
        if dotted_name(node.value) == "sys.path" and number == 0:
            return _HERE + split(self._path)[0]
        if isinstance(node.value, ast.Attribute) and node.value.attr == "parents":
            return self._above(node.value.value, number + 1, depth)
        if isinstance(node.value, ast.Call) and (dotted_name(node.value.func) or "").endswith("path.split") and number == 0:
            return self._above(node.value.args[0], 1, depth) if node.value.args else None
        return None

    def _joined(self, node: ast.BinOp, depth: int) -> str | None:
        left = self.text(node.left, depth + 1)
        if isinstance(node.op, ast.Mod) and left is not None:
            inner = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            parts = [self.text(each, depth + 1) for each in inner]
            texts = left.split("%s")
            if None in parts or len(texts) != len(parts) + 1:
                return None
            return texts[0] + "".join(f"{part}{text}" for part, text in zip(parts, texts[1:], strict=True))
        right = self.text(node.right, depth + 1)
        if isinstance(node.op, ast.Div):
            return self._join([left, right])
        return left + right if isinstance(node.op, ast.Add) and left is not None and right is not None else None

    def _above(self, node: ast.expr, levels: int, depth: int) -> str | None:
        text = self.text(node, depth + 1)
        if text is None:
            return None
        here = text.startswith(_HERE)
        place = join(text.removeprefix(_HERE), *[".."] * levels)
        return None if place is None else (_HERE if here else "") + place

    def _join(self, parts: Sequence[str | None]) -> str | None:
        known = [part for part in parts if part is not None]
        return "/".join(known) if known and len(known) == len(parts) else None
